import { writeLlms } from "../../src/resources/llms-grammar.ts";
import { readSiteIndex } from "../../src/resources/site-index.ts";
import { allPages } from "../../src/resources/site-pages.ts";
import { shop } from "../../src/settings/shop.ts";
import { words } from "../../src/words/words.ts";
import { absoluteUrl, llmsPath, markdownPath } from "../../urls/paths.ts";

/** How llms-full.txt begins, and the paths of the pages' Markdown in its order. */
export type LlmsFullPlan = { head: string; pages: string[] };

/** `/.llms-full.json`: the input from which `llmsFull()` writes llms-full.txt. */
export const GET = async () => {
  const about = words.llms.fullAbout({ llms: absoluteUrl(llmsPath, shop.base_url) });
  const plan: LlmsFullPlan = {
    head: writeLlms(words.llms.fullTitle({ shop: shop.name }), shop.description, [about], []),
    pages: allPages(await readSiteIndex()).map(({ path }) => markdownPath(path)),
  };
  return Response.json(plan);
};
