import Type from "typebox";
import type { AssistantFile } from "../../contract/built-files/assistant.ts";
import type { SearchFacts } from "../../contract/built-files/search.ts";
import { type FindPassages, preparePassages } from "../answers/advice.ts";
import { defineTool } from "../answers/tool.ts";
import { Query, readQuery } from "./query.ts";

/** Passages in an answer. */
const MOST = 4;

/** Finds what the shop's pages say about a question. */
export const findAdvice = defineTool({
  name: "find_advice",
  description:
    "Finds passages of the shop's own pages: guides to choosing, returns, shipping, terms, privacy, support, contact. Ask it the customer's question in a whole sentence. Answer from the passages alone, if they answer it, and give the customer the address. An empty answer means that no passage surely answers it, not that the shop doesn't do it: say that you aren't sure and offer hand_over, or call the tool in `instead`, which a question about an order that was placed has.",
  arguments: Type.Object(
    { query: { ...Query, description: "The customer's question, at most 1,000 characters." } },
    { additionalProperties: false },
  ),
  example: { query: "how do I return something" },
  writes: false,
  async call({ search, facts, speech }, { query }) {
    const question = readQuery(query);
    const [{ facts: shop }, file] = await Promise.all([search.current(), facts.current()]);
    if (new RegExp(shop.language.questions.own_order, "iu").test(question))
      return {
        result: { passages: [], sales_email: null, instead: "order_status" },
        say: speech.say("assistant.advice.own_order"),
      };
    const passages = preparedFor(
      file,
      shop,
    )(question)
      .slice(0, MOST)
      .map(({ path, ...passage }) => ({ ...passage, url: new URL(path, shop.base_url).href }));
    const [best] = passages;
    return {
      result: { passages, sales_email: best ? null : shop.sales_email, instead: null },
      say: best
        ? speech.say("assistant.advice.found", { page: best.page, url: best.url })
        : speech.say("assistant.advice.not_sure"),
    };
  },
});

/** Once for each build. */
function preparedFor(file: AssistantFile, shop: SearchFacts): FindPassages {
  const known = prepared.get(file);
  if (known?.shop === shop) return known.find;
  const find = preparePassages(file.passages, shop);
  prepared.set(file, { shop, find });
  return find;
}

const prepared = new WeakMap<AssistantFile, { shop: SearchFacts; find: FindPassages }>();
