import { basename } from "node:path";
import { readSiteIndex } from "../../resources/site-index.ts";
import { allPages } from "../../resources/site-pages.ts";
import { writeSitemap } from "../../resources/sitemap.ts";
import { shop } from "../../settings/shop.ts";

export async function getStaticPaths() {
  const [, ...parts] = writeSitemap(allPages(await readSiteIndex()), shop.base_url);
  return parts.map(({ path, text }) => ({ params: { part: basename(path, ".xml") }, props: { text } }));
}

export const GET = ({ props }: { props: { text: string } }) => new Response(props.text);
