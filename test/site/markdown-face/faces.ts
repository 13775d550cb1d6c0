import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { type DefaultTreeAdapterTypes as Html, parse, parseFragment } from "parse5";
import { contentOf } from "./page-content.ts";
import { attribute, isElement } from "./page-inline.ts";

/** Both faces of a page. `name` is its path in the built site, without an extension. */
export type Faces = { name: string; html: string; markdown: string };

/** The faces of every page of a built site. */
export async function readFaces(dist: string): Promise<Faces[]> {
  const files = (await readdir(dist, { recursive: true })).filter((file) => file.endsWith(".html")).sort();
  return Promise.all(
    files.map(async (file) => {
      const name = file.slice(0, -".html".length);
      const [html, markdown] = await Promise.all(
        [`${name}.html`, `${name}.md`].map((each) => readFile(join(dist, each), "utf8")),
      );
      return { name, html: html ?? "", markdown: markdown ?? "" };
    }),
  );
}

/** The elements of an HTML document or fragment, parents before children. */
export const elementsOf = (node: Html.ParentNode): Html.Element[] =>
  node.childNodes.filter(isElement).flatMap((child) => [child, ...elementsOf(child)]);

/** The content of an HTML page's `<main>`. `origin` is the shop's base address. */
export function contentOfHtml({ html, name }: Pick<Faces, "html" | "name">, origin: string): string[] {
  const elements = elementsOf(parse(html));
  const main = elements.find(({ tagName }) => tagName === "main");
  if (!main) throw new Error(`${name} has no main`);
  const canonical = elements.find((each) => attribute(each, "rel") === "canonical");
  return contentOf(main, canonical ? (attribute(canonical, "href") ?? "") : `${origin}/`);
}

/** Splits a Markdown page into its parts. */
export function splitMarkdown(markdown: string): { frontMatter: string; pointer: string; body: string } {
  const [, frontMatter = "", pointer = "", body = ""] = /^---\n(.*?)^---\n\n(> .*?\n)\n(.*)$/ms.exec(markdown) ?? [];
  return { frontMatter, pointer, body };
}

/** The content of Markdown, read by a GFM parser that the site doesn't use. Raw HTML counts as text. */
export function contentOfMarkdown(body: string): string[] {
  const html = micromark(body, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousProtocol: true });
  return contentOf(parseFragment(html), "invalid:");
}
