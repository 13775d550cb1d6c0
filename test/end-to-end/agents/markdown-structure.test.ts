import { access } from "node:fs/promises";
import { join } from "node:path";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { parse } from "parse5";
import { describe, expect, inject, test } from "vitest";
import { elementsOf, type Faces, readFaces, splitMarkdown } from "../../site/markdown-face/faces.ts";
import { attribute } from "../../site/markdown-face/page-inline.ts";

const shops = [
  { shop: "the demo shop", dist: inject("dist"), origin: "https://shop.example" },
  { shop: "a hostile shop", dist: inject("hostileDist"), origin: "https://hostile.example" },
];

type Root = ReturnType<typeof fromMarkdown>;
type Nodes = Root | Root["children"][number];

const nodesOf = (node: Nodes): Nodes[] => [node, ...("children" in node ? node.children.flatMap(nodesOf) : [])];

// Without its transform, which makes links of escaped addresses; GFM doesn't.
const mdastExtensions = gfmFromMarkdown().map((extension) => ({ ...extension, transforms: [] }));

const read = (body: string): Root => fromMarkdown(body, { extensions: [gfm()], mdastExtensions });

describe.each(shops)("$shop", async ({ dist, origin }) => {
  const faces = await readFaces(dist);
  const pages = faces.map(({ name, html, markdown }) => {
    const { body } = splitMarkdown(markdown);
    return { name, html, markdown, body, nodes: nodesOf(read(body)) };
  });

  test("every page is under 50,000 characters, has no trailing spaces or \\r, and ends in one \\n", () => {
    for (const { name, markdown, nodes, body } of pages) {
      const code = nodes.filter(({ type }) => type === "code").map((node) => sourceOf(node, body));
      const text = code.reduce((rest, block) => rest.replace(block, () => "code"), markdown);
      expect([name, markdown.length < 50_000]).toEqual([name, true]);
      expect([name, text.match(/\r|[ \t]\n|\n\n\n|^\uFEFF/), /[^\n]\n$/.test(markdown)]).toEqual([name, null, true]);
    }
  });

  test("every page starts with its only title, and no heading skips a level", () => {
    for (const { name, nodes } of pages) {
      const levels = nodes.flatMap((node) => (node.type === "heading" ? [node.depth] : []));
      expect([name, nodes[1]?.type, levels[0], levels.lastIndexOf(1)]).toEqual([name, "heading", 1, 0]);
      for (const [index, level] of levels.entries())
        expect([name, level]).toEqual([name, Math.min(level, (levels[index - 1] ?? 0) + 1)]);
    }
  });

  test("every row of every table has as many cells as its header", () => {
    for (const { name, nodes } of pages)
      for (const table of nodes.filter((node) => node.type === "table")) {
        const cells = table.children.map((row) => row.children.length);
        expect([name, cells]).toEqual([name, cells.map(() => table.align?.length)]);
      }
  });

  test("every code block is fenced, closed and has a language; nothing is raw HTML", () => {
    for (const { name, body, nodes } of pages) {
      for (const code of nodes.filter((node) => node.type === "code")) {
        const [, fence, rest] = /^(`{3,})(.*)$/s.exec(sourceOf(code, body)) ?? [];
        expect([name, code.lang, rest?.endsWith(`\n${fence}`) ?? false]).toEqual([name, expect.any(String), true]);
      }
      expect([name, nodes.filter(({ type }) => type === "html")]).toEqual([name, []]);
    }
  });

  test("every link and picture is absolute, and exists if it is the shop's", async () => {
    const anchors = new Map(faces.map((page) => [page.name, anchorsOf(page)]));
    for (const { name, nodes } of pages)
      for (const node of nodes) {
        if (node.type !== "link" && node.type !== "image") continue;
        const { url } = node;
        expect([name, url]).toEqual([name, expect.stringMatching(/^(https?:\/\/|mailto:.+@|tel:\+)[^\s()]+$/)]);
        expect([name, url, URL.canParse(url)]).toEqual([name, url, true]);
        if (URL.parse(url)?.origin === origin)
          expect([name, url, await findProblem(url)]).toEqual([name, url, undefined]);
      }

    async function findProblem(url: string): Promise<string | undefined> {
      const { pathname, hash } = new URL(url);
      const page = pathname === "/" ? "index" : pathname.slice(1);
      // What the API answers: only the demo shop sells online, and it is running.
      if (/^\/(?:buy\/|account\/|counter$)/.test(pathname))
        return (await fetch(inject("shopUrl") + pathname)).ok ? undefined : "no such page of the API";
      if (anchors.has(page)) return hash && !anchors.get(page)?.has(hash.slice(1)) ? "no such anchor" : undefined;
      return access(join(dist, pathname)).then(
        () => undefined,
        () => "no such file",
      );
    }
  });
});

const sourceOf = ({ position }: Nodes, body: string) =>
  body.slice(position?.start.offset ?? 0, position?.end.offset ?? 0).replace(/\n[ >]+(?=`+$)/, "\n");

const anchorsOf = ({ html }: Faces) => new Set(elementsOf(parse(html)).map((element) => attribute(element, "id")));
