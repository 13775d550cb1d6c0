import { lookOf } from "../../../content-schema/shop.ts";
import { writeColours } from "../../../shop-look/palette.ts";
import { shop } from "../../settings/shop.ts";
import rules from "../../styles/admin.css?raw";
import tokens from "../../styles/tokens.css?raw";

const { colours: own } = lookOf(shop);
const colours = own ? writeColours(own, tokens) : "";

/** The one style sheet of /admin: the shop's tokens and colours, then its own rules. */
export const GET = () =>
  new Response([tokens, colours, rules].join("\n"), { headers: { "Content-Type": "text/css; charset=utf-8" } });
