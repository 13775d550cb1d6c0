import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openCounter } from "../../../api/counter/built-counter.ts";
import { buildSite } from "../../workspace.ts";
import { copyWithContent, newProduct, validContent } from "../content-check/content-tree.ts";

const log = { info: () => {}, error: () => {} };
const counter = "counter: { begins_with: barcode-scanners, offers: { printers: [barcode-scanners] } }\n";
const printers = "---\ntitle: Printers\nsummary: For receipts.\norder: 9\n---\n";
const worksWith = 'works_with: { kestrel-c2: "prints what it reads" }\nupdated: 2026-10-02';

/** What a build with these files has, and the API's own reading of its counter. */
async function build(files: Record<string, string>) {
  const root = copyWithContent(files);
  onTestFinished(() => rmSync(root, { recursive: true }));
  const { dist } = await buildSite(root);
  const read = (file: string) => readFileSync(join(dist, file), "utf8");
  return { counter: await openCounter(join(dist, ".session"), log).current(), read };
}

test("a counter in store.yaml becomes a page with its categories and their relations, and links lead there", async () => {
  const { counter: built, read } = await build({
    "store.yaml": `${validContent["store.yaml"]}${counter}`,
    "categories/printers.md": printers,
    "products/printers/merlin-p1.md": newProduct("merlin-p1", "99.00", worksWith),
  });
  expect(built?.steps.map(({ slug, title, fits }) => [slug, title, fits])).toEqual([
    ["barcode-scanners", "Barcode scanners", []],
    ["printers", "Printers", ["barcode-scanners"]],
  ]);
  expect(built?.choices.get("OSP-WH")).toEqual({ sku: "OSP-WH", product: "osprey", category: "barcode-scanners" });
  for (const [one, other] of [
    ["kestrel-c2", "merlin-p1"],
    ["merlin-p1", "kestrel-c2"],
  ] as const)
    expect(built?.findReason(one, other)).toBe("prints what it reads");
  expect(built?.findReason("kestrel-c2", "osprey")).toBeUndefined();
  expect(read("index.html")).toContain('<a class="button" href="/counter">');
  expect(read("categories/barcode-scanners.md")).toContain("[Build your counter](");
  expect(read("categories/printers.md")).not.toContain("Build your counter");
  expect(read("llms.txt")).toContain("https://test.example/counter ");
});

test("a shop without a counter has neither the page nor a link to it", async () => {
  const { counter: built, read } = await build({});
  expect(built).toBeUndefined();
  for (const file of ["index.html", "categories/barcode-scanners.html", "about.html", "llms.txt", "sitemap.xml"])
    expect(read(file)).not.toContain("/counter");
});
