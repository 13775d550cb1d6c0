import { basename } from "node:path";
import { writeLlmsTxt } from "../../resources/llms-txt.ts";
import { readSiteIndex } from "../../resources/site-index.ts";
import { shop } from "../../settings/shop.ts";
import { words } from "../../words/words.ts";

export async function getStaticPaths() {
  const [, ...lists] = writeLlmsTxt(shop, await readSiteIndex(), words);
  return lists.map(({ path, text }) => ({ params: { list: basename(path, ".txt") }, props: { text } }));
}

export const GET = ({ props }: { props: { text: string } }) => new Response(props.text);
