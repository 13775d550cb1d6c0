import { writeRobotsTxt } from "../resources/robots-txt.ts";
import { shop } from "../settings/shop.ts";
import { words } from "../words/words.ts";

export const GET = () => new Response(writeRobotsTxt(shop.base_url, words.robots));
