import { readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { parse as parseHtml } from "parse5";
import { expect, inject, test } from "vitest";
import { parse as parseYaml } from "yaml";
import {
  contentOfHtml,
  contentOfMarkdown,
  elementsOf,
  readFaces,
  splitMarkdown,
} from "../../site/markdown-face/faces.ts";
import { factsOfHead } from "../../site/markdown-face/front-matter-facts.ts";
import { shops } from "../../workspace.ts";

const dist = inject("hostileDist");
const content = shops.hostile;

type Written = {
  title: string;
  brand: string;
  summary: string;
  images: { alt: string }[];
  specifications: Record<string, string>;
  sku?: string;
  variants?: { sku: string; options: Record<string, string> }[];
};

/** The products as the fixture has them. */
const products = (await readdir(join(content, "products"), { recursive: true }))
  .filter((file) => file.endsWith(".md"))
  .map((file): { slug: string; category: string; written: Written } => {
    const [, yaml = ""] = readFileSync(join(content, "products", file), "utf8").split(/^---$/m);
    return { slug: basename(file, ".md"), category: file.split("/")[0] ?? "", written: parseYaml(yaml) };
  });
const store = parseYaml(readFileSync(join(content, "store.yaml"), "utf8"));
const faces = new Map((await readFaces(dist)).map((page) => [page.name, page]));
const page = (name: string) => faces.get(name) ?? { name, html: "", markdown: "" };

/** White space collapsed, as in HTML. */
const shown = (text: string) => text.replace(/[ \t\n]+/g, " ");

test.each(products)("the product $slug has its names unchanged, in both faces", ({ slug, written }) => {
  const { title, brand, summary, images, specifications, variants } = written;
  const lines = [
    `h1 ${shown(title)}`,
    `p ${shown(summary)}`,
    ...images.map(({ alt }) => expect.stringContaining(`|${shown(alt)}›`)),
    expect.stringContaining(`‹strong›Brand‹/strong›: ${shown(brand)}`),
    ...Object.entries(specifications).map(([name, value]) =>
      expect.stringContaining(`‹strong›${shown(name)}‹/strong›: ${shown(value)}`),
    ),
    ...(variants ?? []).map(({ options }, index) =>
      expect.stringContaining(`list ${index + 1} › p ${Object.values(options).map(shown).join(" / ")}: ‹strong›€`),
    ),
  ];
  const { html, markdown } = page(`products/${slug}`);
  expect(contentOfHtml({ name: slug, html }, "https://hostile.example")).toEqual(expect.arrayContaining(lines));
  expect(contentOfMarkdown(splitMarkdown(markdown).body)).toEqual(expect.arrayContaining(lines));
});

test.each(products)("the product $slug has its name and SKUs in its page's head", ({ slug, written }) => {
  const elements = elementsOf(parseHtml(page(`products/${slug}`).html));
  const title = elements.find(({ tagName }) => tagName === "title")?.childNodes[0];
  expect(title && "value" in title && title.value).toBe(`${written.title} | ${store.name}`);
  const { offers, ...facts } = factsOfHead(elements);
  expect(facts).toMatchObject({ title: written.title, description: written.summary, brand: written.brand });
  const skus = written.variants?.map(({ sku }) => ({ sku })) ?? [{ sku: written.sku }];
  expect(offers).toMatchObject(skus);
});

test.each(products)("the product $slug has its name in its category", ({ slug, category, written }) => {
  const line = `h2 ‹a https://hostile.example/products/${slug}›${shown(written.title)}‹/a›`;
  expect(contentOfMarkdown(splitMarkdown(page(`categories/${category}`).markdown).body)).toContain(line);
});

test("the product feed has every product unchanged", async () => {
  const feed = JSON.parse(await readFile(join(dist, "products.json"), "utf8"));
  for (const { slug, written } of products) {
    const { title, brand, specifications } = written;
    expect(feed.products).toContainEqual(
      expect.objectContaining({
        ...{ slug, title, brand },
        specifications: Object.entries(specifications).map(([name, value]) => ({ name, value })),
      }),
    );
  }
});
