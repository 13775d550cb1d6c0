import { writeLlmsTxt } from "../resources/llms-txt.ts";
import { readSiteIndex } from "../resources/site-index.ts";
import { shop } from "../settings/shop.ts";
import { words } from "../words/words.ts";

export const GET = async () => new Response(writeLlmsTxt(shop, await readSiteIndex(), words)[0].text);
