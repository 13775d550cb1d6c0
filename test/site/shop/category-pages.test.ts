import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildOnce } from "../../built-shops.ts";
import { weightBudget } from "../../weight-budget.ts";
import { copyWithContent } from "../content-check/content-tree.ts";
import { threeScanners } from "./three-scanners.ts";

let root = "";
let output = "";
const distPath = (path: string) => join(root, "site/dist", path);

beforeAll(async () => {
  root = copyWithContent(threeScanners);
  ({ output } = await buildOnce(root));
});
afterAll(() => rmSync(root, { recursive: true }));

test("only category pages have a script, and it is one small file", () => {
  const scripts = (page: string) =>
    [...readFileSync(distPath(`${page}.html`), "utf8").matchAll(/<script type="module" src="([^"]+)"/g)].map(
      ([, path = ""]) => readFileSync(distPath(`${path}.br`)).length,
    );
  for (const page of ["index", "products/osprey", "guides/choosing", "about", "404", "search"])
    expect(scripts(page)).toEqual([]);
  for (const page of ["categories/barcode-scanners", "categories/barcode-scanners/compare"]) {
    const [size = 0, ...others] = scripts(page);
    expect([size > 0, size < weightBudget.scriptBytes, others]).toEqual([true, true, []]);
  }
});

test("a category's comparison has every specification of every product", () => {
  const markdown = readFileSync(distPath("categories/barcode-scanners/compare.md"), "utf8");
  expect(markdown).toMatch(/\| Specification +\| \[Kestrel C2[^|]*\| \[Merlin M1[^|]*\| \[Osprey/);
  expect(markdown).toMatch(/\| Reads +\| 1D and 2D codes +\| Not stated +\| 1D and 2D codes +\|/);
  const price = "**€156.20** net (€189.00 with tax)";
  const each = "Black: €1,073.55 net (€1,299.00 with tax); White: €1,090.08 net (€1,319.00 with tax)";
  expect(markdown).toContain(`| Price | ${price} | ${price} | ${each} |`);
  expect(markdown).toContain(
    "| Availability | In stock | In stock | Black: On back-order (expected 11 January 2099); White: Out of stock |",
  );
  expect(markdown).toContain("| `KES-C2` | `MER-M1` | `OSP-BK` (Black), `OSP-WH` (White) |");
});

test("a product without its category's filter gets a warning and is still built and listed", () => {
  expect(output).toContain("merlin.md:11: specifications need `Reads`, which the category filters by.");
  for (const face of ["html", "md"])
    expect(readFileSync(distPath(`categories/barcode-scanners.${face}`), "utf8")).toContain("/products/merlin");
});
