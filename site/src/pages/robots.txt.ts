import { writeRobotsTxt } from "../resources/robots-txt.ts";
import { store } from "../store.ts";
import { words } from "../words.ts";

export const GET = () => new Response(writeRobotsTxt(store.base_url, words.robots));
