import Type from "typebox";
import type { AssistantFile } from "../../contract/built-files/assistant.ts";
import { find } from "../../people/search/find.ts";
import { makeSearchIndex, type SearchIndex } from "../../people/search/search-index.ts";
import { defineTool } from "../answers/tool.ts";
import { Query, readQuery } from "./query.ts";

/** Passages in an answer. */
const MOST = 4;

/** Finds what the shop's pages say about a question. */
export const findAdvice = defineTool({
  name: "find_advice",
  description:
    "Finds passages of the shop's own pages: guides to choosing, returns, shipping, terms, privacy, support, contact. Answer from them alone, and give the customer the address. An empty answer means that no page says it: don't guess, offer hand_over.",
  arguments: Type.Object(
    { query: { ...Query, description: "The question or its keywords, at most 1,000 characters." } },
    { additionalProperties: false },
  ),
  example: { query: "how do I return something" },
  writes: false,
  async call({ search, facts, speech }, { query }) {
    const words = readQuery(query);
    const [shop, file] = await Promise.all([search.current(), facts.current()]);
    const { hits } = find(await indexPassages(shop, file), words);
    const passages = hits.slice(0, MOST).flatMap((entry) => {
      if (entry.kind === "product" || entry.kind === "category") return [];
      const { summary, title, text, path } = entry.page;
      return [{ page: summary, title, text, url: shop.facts.base_url + path }];
    });
    const [best] = passages;
    return {
      result: { passages, sales_email: best ? null : shop.facts.sales_email },
      say: best
        ? speech.say("assistant.advice.found", { page: best.page, url: best.url })
        : speech.say("assistant.advice.nothing"),
    };
  },
});

/** The passages as pages of a search of their own, with the shop's language and synonyms. */
function indexPassages({ facts: shop }: SearchIndex, facts: AssistantFile): Promise<SearchIndex> {
  const known = cached.get(facts);
  if (known?.shop === shop) return known.index;
  const pages = facts.passages.map(({ page: summary, ...passage }) => ({ kind: "page" as const, summary, ...passage }));
  const index = makeSearchIndex({ ...shop, products: [], categories: [], pages });
  cached.set(facts, { shop, index });
  return index;
}

const cached = new WeakMap<AssistantFile, { shop: SearchIndex["facts"]; index: Promise<SearchIndex> }>();
