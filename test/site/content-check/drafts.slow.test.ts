import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildOnce } from "../../built-shops.ts";
import { eventually } from "../../eventually.ts";
import { startDevServer } from "../build/dev-server.ts";
import { copyWithContent, validContent } from "./content-tree.ts";

const kestrel = validContent["products/barcode-scanners/kestrel-c2.md"] ?? "";
const merlin = kestrel
  .replace("Kestrel C2", "Merlin M1")
  .replace("KES-C2", "MER-M1")
  .replace(/gtin:.*\n/, "")
  .replace("./kestrel-c2.svg", "./merlin.svg")
  .replace("formerly: [kestrel-c1]", "draft: true");
const unpriced = merlin.replace("MER-M1", "MER-M2").replace(/price:.*\n/, "");
const unreadable = "---\ntitle: Merlin: the book\ndraft: true\n---\n\n<Nonsense {\n";
const drawing =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 30"><title>Merlin</title><rect width="9" height="9"/></svg>';

let root = "";
let output = "";
let dev: Awaited<ReturnType<typeof startDevServer>>;

beforeAll(async () => {
  root = copyWithContent({
    "products/barcode-scanners/merlin.md": merlin,
    "products/barcode-scanners/merlin.svg": drawing,
    "products/barcode-scanners/merlin-2.md": unpriced,
    "guides/merlin.mdx": unreadable,
    "guides/choosing.mdx": null,
    "pages/about.md": (validContent["pages/about.md"] ?? "").replace("/guides/choosing", "/shipping"),
  });
  ({ output } = await buildOnce(root));
  dev = await startDevServer(root);
});
afterAll(async () => {
  await dev.stop();
  rmSync(root, { recursive: true, force: true });
});

test("a build leaves out a draft and its picture, and succeeds despite its errors", () => {
  expect(output).toContain("merlin-2.md:1: price is missing.");
  const dist = join(root, "site/dist");
  const files = readdirSync(dist, { recursive: true, encoding: "utf8" });
  expect(files.filter((name) => name.includes("merlin"))).toEqual([]);
  const texts = files.filter((name) => /\.(html|md|json|txt|xml|svg)$/.test(name));
  expect(texts.length).toBeGreaterThan(10);
  expect(texts.filter((name) => readFileSync(join(dist, name), "utf8").includes("Merlin"))).toEqual([]);
});

test("a shop whose only guide is a draft has no list of guides, and no link or mention of one", () => {
  const dist = join(root, "site/dist");
  const files = readdirSync(dist, { recursive: true, encoding: "utf8" });
  expect(files.filter((name) => /^guides/.test(name))).toEqual([]);
  const texts = files.filter((name) => /\.(html|md|txt|xml)$/.test(name));
  expect(texts).toContain("404.html");
  expect(texts.filter((name) => /\/guides|>\s*Guides|# Guides/.test(readFileSync(join(dist, name), "utf8")))).toEqual(
    [],
  );
  expect(output).not.toContain("does not exist or is empty");
});

test("the dev server shows a draft, marked as one, in both faces and in its category", async () => {
  const read = async (path: string) => (await fetch(dev.url + path)).text();
  expect(await read("/products/merlin")).toContain("Draft: only you can see this page.");
  expect(await read("/products/merlin.md")).toContain("Draft: only you can see this page.");
  expect(await read("/products/osprey")).not.toContain("Draft: only you can see this page.");
  expect(await read("/categories/barcode-scanners.md")).toMatch(/^## \[Merlin M1[^\n]*\) Draft$/m);
});

test("an invalid draft is hidden until it is corrected, and the dev server keeps running", async () => {
  expect((await fetch(`${dev.url}/products/merlin-2`)).status).toBe(404);
  writeFileSync(
    join(root, "content/products/barcode-scanners/merlin-2.md"),
    unpriced.replace("availability", 'price: "5.00"\navailability'),
  );
  const shown = async () => expect((await fetch(`${dev.url}/products/merlin-2`)).status).toBe(200);
  await eventually(shown);
});

test("the first guide adds the list of guides while the dev server runs", async () => {
  expect((await fetch(`${dev.url}/guides`)).status).toBe(404);
  writeFileSync(join(root, "content/guides/choosing.mdx"), validContent["guides/choosing.mdx"] ?? "");
  const shown = async () => {
    expect((await fetch(`${dev.url}/guides.md`)).status).toBe(200);
    expect(await (await fetch(dev.url)).text()).toContain('href="/guides"');
  };
  await eventually(shown);
});
