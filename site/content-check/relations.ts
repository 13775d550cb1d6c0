import { isMap, isScalar } from "yaml";
import { didYouMean } from "../content-schema/suggest.ts";
import { formerSlugs } from "./duplicates.ts";
import { locate } from "./front-matter.ts";
import type { Problem } from "./problem.ts";
import type { ReadPage } from "./targets.ts";

/** What `works_with` says that can't be: a product that is not there, the product itself, or a pair that two files name. */
export function findRelationProblems(pages: readonly ReadPage[]): Problem[] {
  const products = pages.filter(({ page }) => page.kind === "product");
  const bySlug = new Map(products.map((product) => [product.page.slug, product]));
  const slugs = new Set(bySlug.keys());
  const moved = new Map(
    products.flatMap((each) => formerSlugs(each).map(({ name }) => [name, each.page.slug] as const)),
  );
  const pairs = new Map<string, string>();
  const problemOf = ({ page }: ReadPage, other: string, place: string): string | undefined => {
    if (other === page.slug) return "is this product itself. Leave it out.";
    const { page: found } = bySlug.get(other) ?? {};
    const now = moved.get(other);
    if (found === undefined && now !== undefined) return `has moved. Write \`${now}\`.`;
    if (found === undefined) return `is no product.${didYouMean(other, slugs)}`;
    if (found.isDraft && !page.isDraft) return `is a draft still. Write it into ${found.file} instead.`;
    const pair = [page.slug, other].sort().join(" ");
    const earlier = pairs.get(pair);
    pairs.set(pair, earlier ?? place);
    return earlier && `is already said in ${earlier}, for both. Keep one of the two lines.`;
  };
  return products.flatMap((product) =>
    relations(product).flatMap(({ slug, line }) => {
      const { file } = product.page;
      const problem = problemOf(product, slug, `${file}:${line}`);
      return problem === undefined ? [] : { file, line, message: `works_with, ${slug} ${problem}` };
    }),
  );
}

function relations({ yaml }: ReadPage): { slug: string; line: number }[] {
  if (yaml === undefined) return [];
  const { node } = locate(yaml, ["works_with"]);
  if (!isMap(node)) return [];
  return node.items.flatMap(({ key }) => {
    if (!isScalar(key)) return [];
    const slug = String(key.value);
    return { slug, line: locate(yaml, ["works_with", slug]).line };
  });
}
