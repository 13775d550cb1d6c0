import { writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Slugs that are the names of files which a build writes of its own. */
export const oddSlugs = ["404", "500", "index"];

/** Writes a product with its picture into a category's folder; those that are many have a summary of 400 bytes. */
export async function addOddProduct(folder: string, slug: string, number: number): Promise<void> {
  const isMany = !oddSlugs.includes(slug);
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 ${number + 3}"/>`;
  await writeFile(join(folder, `${slug}.svg`), picture);
  await writeFile(
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
