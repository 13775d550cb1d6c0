import { parse } from "parse5";
import { describe, expect, inject, test } from "vitest";
import {
  contentOfHtml,
  contentOfMarkdown,
  elementsOf,
  readFaces,
  splitMarkdown,
} from "../../site/markdown-face/faces.ts";
import { factsOfHead, factsOfYaml, readers } from "../../site/markdown-face/front-matter-facts.ts";

const shops = [
  { shop: "the demo shop", dist: inject("dist"), origin: "https://shop.example" },
  { shop: "a hostile shop", dist: inject("hostileDist"), origin: "https://hostile.example" },
];

describe.each(shops)("$shop", async ({ dist, origin }) => {
  const pages = await readFaces(dist);

  test("has all kinds of pages", () => {
    const names = pages.map(({ name }) => name);
    for (const name of ["index", "404", "guides", "developers"]) expect(names).toContain(name);
    for (const folder of ["products/", "categories/", "guides/"])
      expect(names.some((name) => name.startsWith(folder))).toBe(true);
  });

  test("has the same content in Markdown as in HTML, in the same order", () => {
    for (const page of pages) {
      const { body } = splitMarkdown(page.markdown);
      expect([page.name, ...contentOfMarkdown(body)]).toEqual([page.name, ...contentOfHtml(page, origin)]);
    }
  });

  test("names llms.txt once on every page", () => {
    const pointer = `> All pages: [llms.txt](${origin}/llms.txt)\n`;
    for (const { name, markdown } of pages) {
      expect([name, splitMarkdown(markdown).pointer]).toEqual([name, pointer]);
      expect([name, markdown.split(pointer).length]).toEqual([name, 2]);
    }
  });

  test.each(readers)("has the facts of the page's head in front matter, as %s reads it", (_reader, read) => {
    for (const { name, html, markdown } of pages) {
      const { frontMatter } = splitMarkdown(markdown);
      expect([name, factsOfYaml(read(frontMatter))]).toEqual([name, factsOfHead(elementsOf(parse(html)))]);
    }
  });
});
