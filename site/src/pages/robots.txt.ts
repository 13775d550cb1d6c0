import { writeRobotsTxt } from "../resources/robots-txt.ts";
import { store } from "../store.ts";

export const GET = () => new Response(writeRobotsTxt(store.base_url));
