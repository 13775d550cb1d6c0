import { expect, inject, test } from "vitest";
import { words as shopWords } from "../../site/words/words.ts";

const url = inject("shopUrl");
const canonical = "https://shop.example";

/** Paths of all pages in the sitemap. */
async function pagePaths(): Promise<string[]> {
  const sitemap = await (await fetch(`${url}/sitemap.xml`)).text();
  return [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, loc = ""]) => new URL(loc).pathname);
}

const getFace = async (path: string, accept: string) => {
  const answer = await fetch(url + path, { headers: { accept }, redirect: "manual" });
  return {
    status: answer.status,
    type: answer.headers.get("content-type"),
    headers: answer.headers,
    text: await answer.text(),
  };
};

/** A page's links and pictures: href and src in its HTML. */
const linksOf = (html: string) =>
  [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link = ""]) =>
    link.replaceAll("&amp;", "&").replaceAll("&#38;", "&"),
  );

/** A Markdown page's links and pictures outside code. */
const markdownLinksOf = (markdown: string) =>
  [...markdown.replaceAll(/^```[\s\S]*?^```/gm, "").matchAll(/\]\(<?([^)>\s]+)>?\)/g)].map(([, link = ""]) => link);

test("every page answers in both faces, with the same bytes below /index.php", async () => {
  const paths = await pagePaths();
  expect(paths.length).toBeGreaterThan(25);
  for (const path of paths) {
    const html = await getFace(path, "text/html,application/xhtml+xml");
    const markdown = await getFace(path, "text/markdown");
    expect([path, html.status, html.type]).toEqual([path, 200, "text/html; charset=utf-8"]);
    expect([path, markdown.status, markdown.type]).toEqual([path, 200, "text/markdown; charset=utf-8"]);
    const twin = path === "/" ? "/index.md" : `${path}.md`;
    expect((await getFace(twin, "text/html")).text).toBe(markdown.text);
    expect((await getFace(`/index.php${path}`, "text/html")).text).toBe(html.text);
    expect((await getFace(`/index.php${path}`, "text/markdown")).text).toBe(markdown.text);
    expect(html.headers.get("vary")).toBe("Accept, Accept-Encoding");
    expect(markdown.headers.get("vary")).toBe("Accept, Accept-Encoding");
  }
});

test("every page names llms.txt to agents before any content", async () => {
  for (const path of [...(await pagePaths()), "/nowhere"]) {
    const { text } = await getFace(path, "text/html");
    const [before = ""] = text.slice(text.indexOf("<body")).split('href="/llms.txt"');
    expect([path, before.includes("<nav")]).toEqual([path, false]);
    const words = before
      .replaceAll(/<[^>]*(?:>|$)/g, " ")
      .replaceAll(/\s+/g, " ")
      .trim();
    const pointer = shopWords.frame.forAgents({ path: "", link: () => "" }).trim();
    expect([path, words]).toEqual([path, `${shopWords.frame.skip} ${pointer}`]);
  }
});

test("every page names itself, its Markdown twin and llms.txt, and never the prefix", async () => {
  for (const path of await pagePaths()) {
    const { text } = await getFace(path, "text/html");
    expect(text).toContain(`<link rel="canonical" href="${canonical}${path}"`);
    expect(text).toMatch(
      new RegExp(`<link rel="alternate" type="text/markdown" href="[^"]*${path === "/" ? "/index" : path}\\.md"`),
    );
    expect(text).toMatch(/<link[^>]+href="[^"]*\/llms\.txt"/);
    expect(linksOf(text).filter((link) => link.includes("index.php"))).toEqual([]);
  }
});

test("every internal link and picture of every page, in both faces, answers 200", async () => {
  const targets = new Map<string, string>();
  const anchors = new Map<string, string>();
  for (const path of [...(await pagePaths()), "/nowhere"]) {
    const html = (await getFace(path, "text/html")).text;
    const markdown = (await getFace(path, "text/markdown")).text;
    for (const link of [...linksOf(html), ...markdownLinksOf(markdown)]) {
      const target = new URL(link, canonical + path);
      if (target.origin !== canonical) continue;
      if (target.pathname !== path) targets.set(target.pathname, path);
      if (target.hash) anchors.set(target.pathname + target.hash, path);
    }
  }
  expect(targets.size).toBeGreaterThan(40);
  for (const [target, from] of targets) {
    expect([from, target, (await getFace(target, "*/*")).status]).toEqual([from, target, 200]);
  }
  for (const [target, from] of anchors) {
    const [path = "", id = ""] = target.split("#");
    expect([from, target, (await getFace(path, "text/html")).text.includes(`id="${id}"`)]).toEqual([
      from,
      target,
      true,
    ]);
  }
});

test("pages load nothing from other hosts", async () => {
  for (const path of await pagePaths()) {
    const { text } = await getFace(path, "text/html");
    const loaded = [
      ...text.matchAll(
        /<(?:script|img|source|iframe|link[^>]+rel="(?:stylesheet|icon|preload)")[^>]*(?:src|href)="([^"]+)"/g,
      ),
    ];
    for (const [, link = ""] of loaded) expect([path, new URL(link, canonical).origin]).toEqual([path, canonical]);
  }
});

test("a missing page is a helpful 404 in both faces", async () => {
  for (const path of ["/nowhere", "/products/nowhere", "/categories/barcode-scanners/page/9", "/index.php/nowhere"]) {
    const html = await getFace(path, "text/html");
    expect([html.status, html.type]).toEqual([404, "text/html; charset=utf-8"]);
    const markdown = await getFace(path, "text/markdown");
    expect([markdown.status, markdown.type]).toEqual([404, "text/markdown; charset=utf-8"]);
    for (const { text } of [html, markdown]) expect(text).toContain("/categories/barcode-scanners");
  }
});

test("a renamed product's old address redirects to the new one", async () => {
  const feed = JSON.parse((await getFace("/products.json", "*/*")).text);
  const renamed = feed.products.find((product: { formerly: string[] }) => product.formerly.length > 0);
  for (const suffix of ["", ".md"]) {
    const answer = await getFace(`/products/${renamed.formerly[0]}${suffix}`, "*/*");
    expect(answer.status).toBe(301);
    expect(answer.headers.get("location")).toBe(`/products/${renamed.slug}${suffix}`);
  }
});

test.each([
  ["/llms.txt", "text/plain; charset=utf-8"],
  ["/robots.txt", "text/plain; charset=utf-8"],
  ["/sitemap.xml", "application/xml; charset=utf-8"],
  ["/openapi.json", "application/json"],
  ["/products.json", "application/json"],
])("%s is public, has its type, and is the same below /index.php", async (path, type) => {
  const answer = await getFace(path, "text/markdown");
  expect([answer.status, answer.type, answer.headers.get("vary")]).toEqual([200, type, "Accept-Encoding"]);
  expect(answer.headers.get("cache-control")).toBe("public, max-age=3600");
  expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  expect((await getFace(`/index.php${path}`, "*/*")).text).toBe(answer.text);
});
