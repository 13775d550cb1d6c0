import text from "../../../content/store.yaml?raw";
import { parseShop } from "../../content-schema/shop.ts";

/** The shop's settings: content/store.yaml, with BASE_URL from the environment, if set, as base address. */
export const shop = parseShop(text, process.env["BASE_URL"]);
