import { writeLlmsTxt } from "../resources/llms-txt.ts";
import { readSiteIndex } from "../resources/site-index.ts";
import { store } from "../settings/shop.ts";
import { words } from "../words/words.ts";

export const GET = async () => new Response(writeLlmsTxt(store, await readSiteIndex(), words)[0].text);
