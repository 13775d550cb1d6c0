import { absoluteUrl, llmsPath, markdownPath } from "../src/paths.ts";
import { allPages } from "../src/resources/listed-page.ts";
import { writeLlms } from "../src/resources/llms-grammar.ts";
import { readSiteIndex } from "../src/resources/site-index.ts";
import { store } from "../src/store.ts";
import type { LlmsFullPlan } from "./llms-full.ts";

/** `/.llms-full.json`: what `llmsFull()` makes llms-full.txt of. */
export const GET = async () => {
  const about = `The Markdown of every page that ${absoluteUrl(llmsPath, store.base_url)} lists, in the same order. Each page begins with front matter: between two lines of \`---\`, its title, its URL and other facts.`;
  const plan: LlmsFullPlan = {
    head: writeLlms(`${store.name}: all pages in full`, store.description, [about], []),
    pages: allPages(await readSiteIndex()).map(({ path }) => markdownPath(path)),
  };
  return Response.json(plan);
};
