import { execFileSync } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { copyWorkspace } from "../../workspace.ts";

/** Slugs that match the names of files the build writes itself. */
export const oddSlugs = ["404", "500", "index"];

const scanners = "content/products/barcode-scanners";

/**
 * Copies the project and adds scanners up to `products`: the odd slugs, then z-0, z-1 and so on with long summaries.
 * The category `empty` has no products. No added file has an `updated` date; z-* have the date of a commit, 2026-11-18.
 * The caller removes the copy. Returns its path.
 */
export function copyOddShop(products: number): string {
  const root = copyWorkspace();
  const many = products - globSync(`${scanners}/*.md`, { cwd: root }).length - oddSlugs.length;
  const slugs = [...oddSlugs, ...Array.from({ length: many }, (_, index) => `z-${index}`)];
  for (const [number, slug] of slugs.entries()) addProduct(join(root, scanners), slug, number);
  const categories = join(root, "content/categories");
  writeFileSync(join(categories, "empty.md"), "---\ntitle: Empty\nsummary: To come.\norder: 9\n---\nSoon.\n");
  const category = join(categories, "barcode-scanners.md");
  writeFileSync(category, readFileSync(category, "utf8").replace(/^updated: .*\n/m, ""));
  commitMany(root);
  return root;
}

/** Writes a product and its picture to a category's folder; z-* products have a summary of 400 bytes. */
function addProduct(folder: string, slug: string, number: number): void {
  const isMany = !oddSlugs.includes(slug);
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 ${number + 3}"/>`;
  writeFileSync(join(folder, `${slug}.svg`), picture);
  writeFileSync(
    join(folder, `${slug}.md`),
    `---
title: "A [b] (c) | \`d\` *e* ${slug} & co${isMany ? ", of which there are many more" : ""}"
brand: "no"
summary: "One: two #3${isMany ? `, ${"店".repeat(140)}` : ""}"
images:
  - src: ./${slug}.svg
    alt: "A ] picture)"
sku: "ODD-${number}"
price: "1.00"
availability: out_of_stock
specifications:
  Pipe: "a | b"
formerly: [was-${slug}]
---
Text.
`,
  );
}

/** Commits the z-* products only. */
function commitMany(root: string): void {
  const identity = { NAME: "A", EMAIL: "a@odd.example", DATE: "2026-11-18T12:00:00Z" };
  const identityEnv = ["AUTHOR", "COMMITTER"].flatMap((role) =>
    Object.entries(identity).map(([key, value]) => [`GIT_${role}_${key}`, value]),
  );
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: root, env: { ...process.env, ...Object.fromEntries(identityEnv) } });
  git("init", "-q");
  git("add", `${scanners}/z-*.md`);
  git("commit", "-q", "-m", "Add many products");
}
