import type { AssistantFile, CategoryFacts } from "../../../api/contract/built-files/assistant.ts";
import { type Category, readCatalogue } from "../../src/shop/catalogue.ts";
import { readFilters } from "../../src/shop/filters.ts";
import { readGuides } from "../../src/shop/guides.ts";
import { readTextPages } from "../../src/shop/text-pages.ts";
import { valuesOf } from "../../src/shop/version-specifications.ts";
import { guidePath, pagePath } from "../../urls/paths.ts";
import { isForDevelopers } from "./for-developers.ts";

/** With the paths of pages instead of their passages. */
export type UnquotedFile = Omit<AssistantFile, "passages"> & { passages: string[] };

/**
 * What the assistant's tools know of the catalogue besides what the search knows, for `.session/assistant.json`.
 * `passages` has the paths of the pages that it may quote, until those are rendered
 * (passages.ts): all that the search finds but products and pages for programmers.
 */
export const GET = async () => {
  const [{ categories }, guides, pages] = await Promise.all([readCatalogue(), readGuides(), readTextPages()]);
  const texts = [
    ...guides.map(({ id }) => guidePath(id)),
    ...pages.filter((page) => page.id !== "home" && !isForDevelopers(page)).map(({ id }) => pagePath(id)),
  ];
  const facts: UnquotedFile = {
    categories: categories.map(describeCategory),
    passages: [...texts, ...categories.map(({ path }) => path)],
  };
  return Response.json(facts);
};

/** Its products in the order of its page, and which versions its page's filters by specifications leave. */
const describeCategory = (category: Category): CategoryFacts => ({
  slug: category.slug,
  products: category.products.map(({ slug }) => slug),
  facets: readFilters(category)
    .filters.filter(({ name }) => category.entry.data.filters.includes(name))
    .map(({ name, values }) => {
      const skus = skusByValue(category, name);
      return { name, values: values.map(({ text }) => ({ value: text, skus: skus.get(text) ?? [] })) };
    }),
});

function skusByValue({ products }: Category, name: string): Map<string, string[]> {
  const pairs = products.flatMap((product) =>
    product.variants.flatMap((variant) => valuesOf(product, variant, name).map((value) => ({ value, variant }))),
  );
  return new Map(
    [...Map.groupBy(pairs, ({ value }) => value)].map(([value, all]) => [value, all.map(({ variant }) => variant.sku)]),
  );
}
