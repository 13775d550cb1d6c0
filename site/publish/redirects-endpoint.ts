import { getCollection } from "astro:content";
import { readCatalogue } from "../src/catalogue.ts";
import { readGuides } from "../src/guides.ts";
import { guidePath, markdownPath, pagePath, productPath } from "../src/paths.ts";
import { type Moved, writeRedirectsMap } from "./redirects-map.ts";

/** `/.redirects.map`: for nginx, which includes it and serves no dot files. */
export const GET = async () => {
  const [{ products }, guides, pages] = await Promise.all([readCatalogue(), readGuides(), getCollection("pages")]);
  const moved = (pathOf: (slug: string) => string, slug: string, formerly: readonly string[]): Moved => ({
    path: pathOf(slug),
    formerPaths: formerly.map(pathOf),
  });
  const all = [
    ...products.map(({ slug, formerly }) => moved(productPath, slug, formerly)),
    ...guides.map(({ id, data }) => moved(guidePath, id, data.formerly)),
    ...pages.map(({ id, data }) => moved(pagePath, id, data.formerly)),
  ];
  return new Response(writeRedirectsMap(all, markdownPath));
};
