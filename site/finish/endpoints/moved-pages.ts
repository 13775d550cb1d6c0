import { listMovedPages, type Moved } from "../../src/resources/moved-pages.ts";
import { readSiteIndex } from "../../src/resources/site-index.ts";
import { allPages } from "../../src/resources/site-pages.ts";
import { type Category, readCatalogue } from "../../src/shop/catalogue.ts";
import { readGuides } from "../../src/shop/guides.ts";
import { readTextPages } from "../../src/shop/text-pages.ts";
import { countPages } from "../../urls/pagination.ts";
import { categoryPath, guidePath, pagePath, productPath } from "../../urls/paths.ts";

/** The list of renamed pages (moved-pages.ts). */
export const GET = async () => {
  const [{ products, categories }, guides, pages, index] = await Promise.all([
    readCatalogue(),
    readGuides(),
    readTextPages(),
    readSiteIndex(),
  ]);
  const all = [
    ...products.map(({ slug, formerly }) => moved(productPath, slug, formerly)),
    ...categories.flatMap(movedPages),
    ...guides.map(({ id, data }) => moved(guidePath, id, data.formerly)),
    ...pages.map(({ id, data }) => moved(pagePath, id, data.formerly)),
  ];
  const paths = allPages(index).map(({ path }) => path);
  return new Response(listMovedPages(all, paths));
};

const moved = (pathOf: (slug: string) => string, slug: string, formerly: readonly string[]): Moved => ({
  path: pathOf(slug),
  formerPaths: formerly.map(pathOf),
});

/** A renamed category redirects each of its present pages. */
function movedPages({ slug, formerly, products }: Category): Moved[] {
  const pages = countPages(products.length);
  return Array.from({ length: pages }, (_, index) =>
    moved((category) => categoryPath(category, index + 1), slug, formerly),
  );
}
