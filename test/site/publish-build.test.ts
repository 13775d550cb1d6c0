import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildSite, copyWorkspace } from "../workspace.ts";

const oddSlugs = ["404", "500", "index"];

let root = "";
let first: Map<string, string>;
let second: Map<string, string>;
let output = "";

beforeAll(async () => {
  root = copyWorkspace();
  await dropFacets(join(root, "content/categories/barcode-scanners.md"));
  const slugs = [...oddSlugs, ...Array.from({ length: 60 }, (_, index) => `z-${index}`)];
  for (const [number, slug] of slugs.entries()) await addProduct(slug, number);
  first = await describeFiles((await buildSite(root, { BASE_URL: "https://odd.example" })).dist);
  const again = await buildSite(root, { BASE_URL: "https://odd.example" });
  output = again.output;
  second = await describeFiles(again.dist);
}, 240_000);

afterAll(() => rm(root, { recursive: true }));

/** The odd products have nothing to filter or sort by. */
async function dropFacets(category: string): Promise<void> {
  const text = await readFile(category, "utf8");
  await writeFile(category, text.replaceAll(/^(filters|sort):.*(\n .*)*\n/gm, ""));
}

async function addProduct(slug: string, number: number): Promise<void> {
  const folder = join(root, "content/products/barcode-scanners");
  await writeFile(
    join(folder, `${slug}.svg`),
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 ${number + 3}"/>`,
  );
  await writeFile(
    join(folder, `${slug}.md`),
    `---
title: "A [b] (c) | \`d\` *e* ${slug} & co"
brand: "no"
summary: "One: two #3"
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

/** Each file's mtime and size, which make its ETag, and its content's beginning. */
async function describeFiles(dist: string): Promise<Map<string, string>> {
  const entries = (await readdir(dist, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const described = entries.map(async ({ parentPath, name }): Promise<[string, string]> => {
    const file = join(parentPath, name);
    const { mtimeMs, size } = await stat(file);
    return [file.slice(dist.length + 1), `${mtimeMs}-${size} ${(await readFile(file)).toString("base64")}`];
  });
  return new Map((await Promise.all(described)).sort());
}

test("a second build is the first, byte for byte and second for second, and compresses nothing again", () => {
  expect([...second.keys()]).toEqual([...first.keys()]);
  expect([...second].filter(([name, description]) => first.get(name) !== description).map(([name]) => name)).toEqual(
    [],
  );
  expect(output).toContain("(0 compressed, ");
});

test("no two files of one URL share an ETag", () => {
  const etags = new Map<string, string[]>();
  for (const [name, description] of second) {
    const url = name.replace(/(\.(html|md))?(\.(gz|br))?$/, "");
    etags.set(url, [...(etags.get(url) ?? []), description.split(" ")[0] ?? ""]);
  }
  for (const [url, all] of etags) expect([url, new Set(all).size]).toEqual([url, all.length]);
});

test("every compressed file decodes to the file beside it", () => {
  const content = (name: string) => Buffer.from(second.get(name)?.split(" ")[1] ?? "", "base64");
  const names = [...second.keys()].filter((name) => /\.(gz|br)$/.test(name));
  expect(names.length).toBeGreaterThan(50);
  for (const name of names) {
    const decode = name.endsWith(".gz") ? gunzipSync : brotliDecompressSync;
    expect([name, decode(content(name)).equals(content(name.slice(0, -3)))]).toEqual([name, true]);
  }
});

const text = (name: string) => Buffer.from(second.get(name)?.split(" ")[1] ?? "", "base64").toString();

test.each(oddSlugs)("a product called %s is neither lost nor doubled", (slug) => {
  expect(text(`products/${slug}.html`)).toContain("A [b] (c) |");
  expect(text(`products/${slug}.md`)).toContain(`# A [b] (c) | \\\`d\\\` \\*e\\* ${slug} & co\n`);
  for (const [resource, line] of [
    ["sitemap.xml", `<loc>https://odd.example/products/${slug}</loc>`],
    ["llms.txt", `](https://odd.example/products/${slug}.md): One: two #3\n`],
    ["products.json", `"url":"https://odd.example/products/${slug}"`],
    [".redirects.map", `/products/was-${slug} /products/${slug};\n`],
  ] as const)
    expect([resource, text(resource).split(line).length]).toEqual([resource, 2]);
});

test("the second page of a category is a page like any other, and lists the products that the first doesn't", () => {
  const path = "categories/barcode-scanners/page/2";
  expect(text(`${path}.md`)).toContain("# Barcode scanners, page 2\n");
  expect(text("sitemap.xml")).toContain(`<loc>https://odd.example/${path}</loc>`);
  expect(text("sitemap.xml")).not.toContain("/page/3");
  expect(text("llms.txt")).toContain(`- [Barcode scanners, page 2](https://odd.example/${path}.md): `);
});

test("BASE_URL replaces the shop's address everywhere", () => {
  const names = [...second.keys()].filter((name) => /\.(html|md|txt|xml|map)$|products\.json$/.test(name));
  const left = names.filter(
    (name) => /https:\/\/shop\.example(?!\/developers#)/.test(text(name)) && !name.startsWith("developers"),
  );
  expect(left).toEqual([]);
});
