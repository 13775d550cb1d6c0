import { writeRobotsTxt } from "../resources/robots-txt.ts";
import { store } from "../settings/shop.ts";
import { words } from "../words/words.ts";

export const GET = () => new Response(writeRobotsTxt(store.base_url, words.robots));
