import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type DefaultTreeAdapterTypes as Html, parse } from "parse5";
import { beforeAll, expect, inject, test } from "vitest";

type Page = { name: string; main: Html.Element; markdown: string };

const pages: Page[] = [];
const dist = inject("dist");

beforeAll(async () => {
  const names = (await readdir(dist, { recursive: true })).filter((name) => name.endsWith(".html")).sort();
  for (const name of names) {
    const main = all(parse(await readFile(join(dist, name), "utf8"))).find(({ tagName }) => tagName === "main");
    if (!main) throw new Error(`${name} has no main`);
    pages.push({ name, main, markdown: await readFile(join(dist, name.replace(/html$/, "md")), "utf8") });
  }
}, 120_000);

const isElement = (node: Html.ChildNode): node is Html.Element => "tagName" in node;

const attribute = (element: Html.Element, name: string) => element.attrs.find((each) => each.name === name)?.value;

const isSeen = (element: Html.Element) =>
  attribute(element, "data-markdown") !== "skip" &&
  attribute(element, "hidden") === undefined &&
  attribute(element, "aria-hidden") !== "true";

/** The elements below a node, but for what the Markdown leaves out. */
function all(node: Html.ParentNode): Html.Element[] {
  return node.childNodes
    .filter(isElement)
    .filter(isSeen)
    .flatMap((child) => [child, ...all(child)]);
}

/** The pieces of text below an element, each as a reader sees it. */
function segments(element: Html.Element): string[] {
  const own = element.childNodes.flatMap((child) => ("value" in child ? [plain(child.value)] : []));
  const children = element.childNodes.filter(isElement).filter(isSeen);
  return [...own, ...children.flatMap(segments)].filter((text) => text !== "");
}

// NFKC makes ² of <sup>2</sup> a 2 again.
const plain = (text: string) => text.normalize("NFKC").replace(/\s+/g, " ").trim();

const readable = (markdown: string) => plain(markdown.replace(/^> ?/gm, "").replace(/\\([!-/:-@[-`{-~])/g, "$1"));

// In code, a backslash is itself.
const literal = (markdown: string) => plain(markdown.replace(/^> ?/gm, ""));

test("every page has both faces, and there are all kinds of pages", () => {
  const names = pages.map(({ name }) => name);
  for (const name of ["index", "404", "guides", "developers", "about"]) expect(names).toContain(`${name}.html`);
  for (const folder of ["products/", "categories/", "guides/"])
    expect(names.some((name) => name.startsWith(folder))).toBe(true);
});

test("every piece of text of every page is in its Markdown", () => {
  const missing = pages.flatMap(({ name, main, markdown }) => {
    const [text, code] = [readable(markdown), literal(markdown)];
    return segments(main).flatMap((segment) =>
      text.includes(segment) || code.includes(segment) ? [] : [[name, segment]],
    );
  });
  expect(missing).toEqual([]);
});

test("every heading of every page is in its Markdown, at the same level", () => {
  for (const { name, main, markdown } of pages) {
    const headings = all(main).filter(({ tagName }) => /^h[1-6]$/.test(tagName));
    const written = headings.map((heading) => "#".repeat(Number(heading.tagName[1])));
    const levels = [...markdown.replace(/^```[\s\S]*?^```/gm, "").matchAll(/^(?:- |> )*(#+) /gm)].map(
      ([, marks]) => marks,
    );
    expect([name, levels]).toEqual([name, written]);
  }
});

test("every link and picture of every page is in its Markdown, absolute", () => {
  const missing = pages.flatMap(({ name, main, markdown }) => {
    const base = `https://shop.example/${name.replace(/(index)?\.html$/, "")}`;
    const urls = all(main).flatMap((element) => {
      const isDecoration = element.tagName === "img" && attribute(element, "alt") === "";
      const url = attribute(element, element.tagName === "a" ? "href" : "src");
      return url === undefined || isDecoration ? [] : [new URL(url, base).href];
    });
    return urls.filter((url) => !markdown.includes(`](${url})`)).map((url) => [name, url]);
  });
  expect(missing).toEqual([]);
});

test("no link of the Markdown is relative, and no line is broken or blank twice outside code", () => {
  for (const { name, markdown } of pages) {
    const text = markdown.replace(/^ *(```+)[\s\S]*?^ *\1$/gm, "code");
    expect([name, text.match(/\]\((?!https?:|mailto:|tel:)[^)]*\)/g)]).toEqual([name, null]);
    expect([name, /\n\n\n/.test(text), markdown.endsWith("\n"), markdown.endsWith("\n\n")]).toEqual([
      name,
      false,
      true,
      false,
    ]);
  }
});
