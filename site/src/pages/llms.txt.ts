import { writeLlmsTxt } from "../resources/llms-txt.ts";
import { readSiteIndex } from "../resources/site-index.ts";
import { store } from "../store.ts";

export const GET = async () => new Response(writeLlmsTxt(store, await readSiteIndex())[0].text);
