import { isScalar, isSeq } from "yaml";
import type { PageFile } from "./content-files.ts";
import { locate, type Yaml } from "./front-matter.ts";
import type { Problem } from "./problem.ts";

/** A page with its front matter, as far as it can be read. */
export interface CheckedPage {
  page: PageFile;
  yaml: Yaml | undefined;
}

interface Use {
  name: string;
  file: string;
  line: number;
}

/** What must be unique in the shop and is used twice: SKUs, GTINs, slugs and former slugs, titles of categories. */
export function findDuplicates(pages: readonly CheckedPage[]): Problem[] {
  const identifiers = ["sku", "gtin"].flatMap((field) =>
    findTwice(
      pages.flatMap((checked) => (checked.page.kind === "product" ? findIdentifiers(checked, field) : [])),
      (name, place) => `${field.toUpperCase()} ${name} is also in ${place}; use it once.`,
    ),
  );
  const slugs = findTwice(
    pages.flatMap(findSlugs),
    (name, place) => `The address ${name} is also that of ${place}. Choose another one.`,
  );
  // A visitor who sees two of a name in the menu, and an agent that does in llms.txt, can't tell them apart.
  const titles = findTwice(
    pages.flatMap((checked) => (checked.page.kind === "category" ? findValues(checked, ["title"]) : [])),
    (name, place) => `The title “${name}” is also that of ${place}. Choose another one.`,
  );
  return [...identifiers, ...findSameButForCase(pages), ...slugs, ...titles];
}

/** SKUs that only capitals tell apart. Doubts: this shop and its API keep them apart, many an ERP does not. */
function findSameButForCase(pages: readonly CheckedPage[]): Problem[] {
  const first = new Map<string, Use>();
  return pages.flatMap((checked) => {
    if (checked.page.kind !== "product") return [];
    return findIdentifiers(checked, "sku").flatMap(({ name, file, line }) => {
      const earlier = first.get(name.toLowerCase());
      first.set(name.toLowerCase(), earlier ?? { name, file, line });
      if (earlier === undefined || earlier.name === name) return [];
      const message = `SKU ${name} differs from ${earlier.name} in ${earlier.file}:${earlier.line} by its capitals alone, which many an ERP takes for the same. A typing slip?`;
      return { file, line, message, isDoubt: true as const };
    });
  });
}

/** All SKUs of the shop, wrong ones too: a card of a product with a mistake elsewhere, even one that makes it unreadable, is no second mistake. */
export function findSkus(pages: readonly CheckedPage[]): Set<string> {
  const products = pages.filter(({ page }) => page.kind === "product");
  return new Set(
    products.flatMap((checked) =>
      checked.yaml === undefined
        ? [...checked.page.text.matchAll(/^[\s-]*sku: *["']?([^\s"']+)/gm)].map(([, sku = ""]) => sku)
        : findIdentifiers(checked, "sku").map(({ name }) => name),
    ),
  );
}

/** The former slugs of a page, as its front matter has them. */
export function formerSlugs({ page, yaml }: CheckedPage): Use[] {
  if (yaml === undefined) return [];
  const { node } = locate(yaml, ["formerly"]);
  if (!isSeq(node)) return [];
  return node.items.flatMap((item, index) => {
    if (!isScalar(item)) return [];
    return { name: String(item.value), file: page.file, line: locate(yaml, ["formerly", index]).line };
  });
}

function findSlugs(checked: CheckedPage): Use[] {
  const { kind, file, slug } = checked.page;
  const folder = { product: "/products/", category: "/categories/", guide: "/guides/", page: "/" }[kind];
  const own = { name: folder + slug, file, line: 1 };
  return [own, ...formerSlugs(checked).map((use) => ({ ...use, name: folder + use.name }))];
}

function findIdentifiers(checked: CheckedPage, field: string): Use[] {
  if (checked.yaml === undefined) return [];
  const { node: list } = locate(checked.yaml, ["variants"]);
  const paths = [[field], ...(isSeq(list) ? list.items.map((_, index) => ["variants", index, field]) : [])];
  return paths.flatMap((path) => findValues(checked, path));
}

/** A value of the front matter, as it is written there; none where there is no such value. */
function findValues({ page, yaml }: CheckedPage, path: (string | number)[]): Use[] {
  if (yaml === undefined) return [];
  const { node, line } = locate(yaml, path);
  return isScalar(node) ? [{ name: node.source ?? String(node.value), file: page.file, line }] : [];
}

function findTwice(uses: readonly Use[], describe: (name: string, place: string) => string): Problem[] {
  const first = new Map<string, Use>();
  return uses.flatMap((use) => {
    const earlier = first.get(use.name);
    if (earlier === undefined) {
      first.set(use.name, use);
      return [];
    }
    return { file: use.file, line: use.line, message: describe(use.name, `${earlier.file}:${earlier.line}`) };
  });
}
