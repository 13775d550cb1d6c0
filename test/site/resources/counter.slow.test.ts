import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openCounter } from "../../../api/people/counter/built-counter.ts";
import { openBuilds } from "../../../api/platform/private-pages/builds.ts";
import { buildOnce } from "../../built-shops.ts";
import { copyWithContent, newProduct, validContent } from "../content-check/content-tree.ts";

const log = { info: () => {}, error: () => {} };
const counter = "counter: { begins_with: barcode-scanners, offers: { printers: [barcode-scanners] } }\n";
const printers = "---\ntitle: Printers\nsummary: For receipts.\norder: 9\n---\n";
const oneWay = (reason: string) => `{ reason: ${reason}, one_way: true }`;
const worksWith = 'works_with: { kestrel-c2: "prints what it reads" }\nupdated: 2026-10-02';

const roots: string[] = [];
afterAll(() => {
  for (const root of roots) rmSync(root, { recursive: true });
});

/** What a build with these files has, and the API's own reading of its counter. */
async function build(files: Record<string, string>) {
  const root = copyWithContent(files);
  roots.push(root);
  const { dist } = await buildOnce(root);
  const read = (file: string) => readFileSync(join(dist, file), "utf8");
  return { counter: await openCounter(openBuilds(join(dist, ".session")), log).current(), read };
}

const versions = "works_with: { osprey: { reason: the white one fits, versions: [OSP-WH], one_way: true } }\n";
let withCounter: Awaited<ReturnType<typeof build>>;

beforeAll(async () => {
  withCounter = await build({
    "store.yaml": `${validContent["store.yaml"]}${counter}`,
    "categories/printers.md": printers,
    "products/printers/merlin-p1.md": newProduct("merlin-p1", "99.00", worksWith),
    "categories/belt-printers.md": printers
      .replace("Printers", "Belt printers")
      .replace("order", "parent: printers\norder"),
    "products/belt-printers/merlin-p2.md": newProduct(
      "merlin-p2",
      "99.00",
      `${versions}also_in: [barcode-scanners]\ndoes_not_work_with: { kestrel-c2: ${oneWay("another plug")} }\nupdated: 2026-10-02`,
    ),
  });
});

test("a counter in store.yaml becomes a page with its categories and their relations, and links lead there", () => {
  const { counter: built, read } = withCounter;
  expect(built?.steps.map(({ slug, title, fits }) => [slug, title, fits])).toEqual([
    ["barcode-scanners", "Barcode scanners", []],
    ["printers", "Printers", ["barcode-scanners"]],
  ]);
  expect(built?.choices.get("OSP-WH")).toEqual({ sku: "OSP-WH", category: "barcode-scanners" });
  // A category stands for those below it, and not for what it lists of others.
  expect(built?.choices.get("X-merlin-p2")).toEqual({ sku: "X-merlin-p2", category: "printers" });
  for (const [one, other] of [
    ["KES-C2", "X-merlin-p1"],
    ["X-merlin-p1", "KES-C2"],
  ] as const)
    expect(built?.findReason(one, other)).toBe("prints what it reads");
  expect(built?.findReason("KES-C2", "OSP-WH")).toBeUndefined();
  expect(read("index.html")).toContain('<a class="button" href="/counter">');
  expect(read("categories/barcode-scanners.md")).toContain("[Build your counter](");
  expect(read("categories/printers.md")).not.toContain("Build your counter");
  expect(read("llms.txt")).toContain("https://test.example/counter ");
});

test("a relation that names versions holds for these alone, one that is one-way counts too, and a product that doesn't fit has the reason", () => {
  const { counter: built } = withCounter;
  expect(built?.findReason("X-merlin-p2", "OSP-WH")).toBe("the white one fits");
  expect(built?.findReason("X-merlin-p2", "OSP-BK")).toBeUndefined();
  expect(built?.findReason("X-merlin-p2", "KES-C2")).toBeUndefined();
  expect(built?.findCaution("KES-C2", "X-merlin-p2")).toBe("another plug");
  expect(built?.findCaution("X-merlin-p2", "OSP-WH")).toBeUndefined();
});

test("products that the counter begins with lead to it with each version that can be ordered, in both faces", () => {
  const { read } = withCounter;
  for (const [slug, sku] of [
    ["kestrel-c2", "KES-C2"],
    ["osprey", "OSP-BK"],
  ] as const) {
    expect(read(`products/${slug}.html`).match(/href="\/counter\?chosen=[^"]*"/g)).toEqual([
      `href="/counter?chosen=${sku}"`,
    ]);
    expect(read(`products/${slug}.md`)).toContain(
      `[Build your counter around ${sku}](https://test.example/counter?chosen=${sku})`,
    );
  }
  expect(read("products/merlin-p1.html")).not.toContain("/counter?");
});

test("a shop without a counter has neither the page nor a link to it", async () => {
  const { counter: built, read } = await build({});
  expect(built).toBeUndefined();
  for (const file of [
    "index.html",
    "categories/barcode-scanners.html",
    "products/kestrel-c2.html",
    "about.html",
    "llms.txt",
    "sitemap.xml",
  ])
    expect(read(file)).not.toContain("/counter");
});
