import { isScalar, isSeq, type Scalar } from "yaml";
import { MAX_LEVELS } from "../content-schema/category.ts";
import { didYouMean } from "../content-schema/suggest.ts";
import { factOf, formerSlugs, type KnownPage, type Use } from "./content-files.ts";
import { locate } from "./front-matter.ts";
import type { Problem } from "./problem.ts";

/** The category above one, as it is written. */
export const readParent = factOf("parent", ({ page, yaml }): Use[] => {
  if (yaml === undefined || page.kind !== "category") return [];
  const { node, line } = locate(yaml, ["parent"]);
  return [node].filter(isName).map((name) => ({ name: name.value, file: page.file, line }));
});

/** The other categories that a product names. */
const readAlsoIn = factOf("alsoIn", ({ page, yaml }): Use[] => {
  if (yaml === undefined || page.kind !== "product") return [];
  const { node } = locate(yaml, ["also_in"]);
  return (isSeq(node) ? node.items : []).flatMap((item, index) =>
    isName(item) ? { name: item.value, file: page.file, line: locate(yaml, ["also_in", index]).line } : [],
  );
});

/** The schema names anything else. */
const isName = (node: unknown): node is Scalar<string> =>
  isScalar(node) && typeof node.value === "string" && node.value !== "";

/** A category and those above it, itself first. Ends where one is missing, or again where they form a circle. */
type Trail = (slug: string) => string[];

function readTrails(categories: ReadonlyMap<string, KnownPage>): Trail {
  const trails = new Map<string, string[]>();
  const follow: Trail = (first) => {
    const trail = new Set<string>();
    for (let slug: string | undefined = first; slug !== undefined && !trail.has(slug); ) {
      const known = categories.get(slug);
      if (known === undefined) break;
      trail.add(slug);
      slug = readParent(known)[0]?.name;
    }
    return [...trail];
  };
  return (slug) => {
    const trail = trails.get(slug) ?? follow(slug);
    trails.set(slug, trail);
    return trail;
  };
}

const categoriesAmong = (pages: readonly KnownPage[]): Map<string, KnownPage> =>
  new Map(pages.flatMap((known) => (known.page.kind === "category" ? [[known.page.slug, known] as const] : [])));

/** The products that each category lists, by its slug: of its folder, of the categories below it, and what names one of these. */
export function listProducts(pages: readonly KnownPage[]): Map<string, KnownPage[]> {
  const categories = categoriesAmong(pages);
  const trailOf = readTrails(categories);
  const listed = new Map<string, KnownPage[]>([...categories.keys()].map((slug) => [slug, []]));
  for (const known of pages) {
    const { category } = known.page;
    if (category === undefined) continue;
    const named = [category, ...readAlsoIn(known).map(({ name }) => name)];
    for (const slug of new Set(named.flatMap(trailOf))) listed.get(slug)?.push(known);
  }
  return listed;
}

/**
 * Finds what is wrong with `parent` and `also_in`. What is said twice, because the tree has changed, is a warning, and so are
 * categories without products.
 */
export function findTreeProblems(pages: readonly KnownPage[]): Problem[] {
  const categories = categoriesAmong(pages);
  const trailOf = readTrails(categories);
  const moved = new Map(
    [...categories.values()].flatMap((each) => formerSlugs(each).map(({ name }) => [name, each.page.slug] as const)),
  );
  const unknown = (slug: string): string | undefined => {
    if (categories.has(slug)) return undefined;
    const now = moved.get(slug);
    return now === undefined
      ? `isn't a category.${didYouMean(slug, categories.keys())}`
      : `has another name now. Write \`${now}\`.`;
  };
  const parents = [...categories.values()].flatMap((known) =>
    readParent(known).flatMap(({ name, file, line }): Problem[] => {
      const problem = unknown(name) ?? parentProblem(known.page.slug, name, trailOf, categories);
      return problem === undefined ? [] : [{ file, line, message: `parent, ${name} ${problem}` }];
    }),
  );
  const others = pages.flatMap((known) => {
    const { category } = known.page;
    const all = readAlsoIn(known);
    return all.flatMap(({ name, file, line }, index): Problem[] => {
      const message = (text: string) => `also_in, ${name} ${text}`;
      const wrong =
        unknown(name) ??
        (name === category
          ? "is the category of this product's folder, which lists it anyway. Delete it here."
          : all.findIndex((each) => each.name === name) < index
            ? "is named twice. Delete one."
            : undefined);
      if (wrong !== undefined) return [{ file, line, message: message(wrong) }];
      const below = [category ?? "", ...all.map((each) => each.name)].find(
        (each) => each !== name && trailOf(each).includes(name),
      );
      if (below === undefined) return [];
      return [
        { file, line, message: message(`is above ${below}, and lists it anyway. Delete it here.`), isWarning: true },
      ];
    });
  });
  return [...parents, ...others, ...findEmpty(pages)];
}

/** What is wrong with the category above another; undefined if nothing is. */
function parentProblem(
  slug: string,
  parent: string,
  trailOf: Trail,
  categories: ReadonlyMap<string, KnownPage>,
): string | undefined {
  if (parent === slug) return "is this category. Delete the line, or write the one above it.";
  const trail = trailOf(slug);
  const top = categories.get(trail.at(-1) ?? "");
  const next = top && readParent(top)[0]?.name;
  // One that is in it, and not only below it.
  if (next === slug)
    return `is below this category itself: ${[...trail, slug].join(", ")}. Delete \`parent\` in the one that belongs to the top.`;
  if (trail.length <= MAX_LEVELS || (next !== undefined && categories.has(next))) return undefined;
  const [, , higher = ""] = trail;
  return `is already on level ${trail.length - 1}, and the limit is ${MAX_LEVELS} levels: ${trail.toReversed().join(" › ")}. Write \`parent: ${higher}\`, or delete the line.`;
}

/** Categories that list no published product. */
function findEmpty(pages: readonly KnownPage[]): Problem[] {
  const listed = listProducts(pages);
  return pages.flatMap(({ page: { kind, slug, file } }): Problem[] => {
    if (kind !== "category" || listed.get(slug)?.some(({ page }) => !page.isDraft)) return [];
    const message =
      "No product is in this category or below it, so the header and the home page leave it out. Add one, or delete the file.";
    return [{ file, line: 1, message, isWarning: true }];
  });
}
