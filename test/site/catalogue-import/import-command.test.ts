import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { eventually } from "../../eventually.ts";
import { run } from "../commands/new-command.ts";
import { writeContent } from "../content-check/content-tree.ts";
import { csv, errorsOf, snapshot } from "./importing.ts";

const PROJECT = join(import.meta.dirname, "..", "..", "..");

let root = "";
beforeEach(() => {
  root = writeContent();
  writeFileSync(join(root, "shopify.csv"), shopify(200));
});
afterEach(() => rmSync(root, { recursive: true }));

const shopify = (products: number) =>
  csv(
    Array.from({ length: products }, (_, index) => ({
      Handle: `thing-${index}`,
      Title: `Thing ${index}`,
      "Body (HTML)": "<p>Good.</p>",
      Vendor: "Maker",
      Type: `Kind ${index % 5}`,
      "Option1 Name": "Title",
      "Option1 Value": "Default Title",
      "Variant SKU": `T-${index}`,
      "Variant Price": "5.00",
    })),
  );

const start = (...args: string[]) =>
  run(PROJECT, process.execPath, ["site/commands/import-catalogue.ts", join(root, "shopify.csv"), ...args], {
    CONTENT_ROOT: root,
  });
const written = () => globSync("content/products/kind-*/*.md", { cwd: root });

test("without a terminal and without --yes it only says what it would do", async () => {
  const running = start();
  running.stdin.end();
  expect(await running.code).toBe(0);
  expect(running.said).toContain("200 new products");
  expect(running.said).toContain("Nothing was written. Add --yes to do it.");
  expect(written()).toEqual([]);
  expect(existsSync(join(root, ".imported.jsonl"))).toBe(false);
});

test.each(["SIGKILL", "SIGINT"] as const)(
  "after %s there are whole files alone, and the same command goes on",
  async (signal) => {
    const running = start("--yes");
    await eventually(() => expect(written().length).toBeGreaterThan(20));
    running.kill(signal);
    await running.code;
    const before = snapshot(root);
    for (const file of written()) expect(before[file]).toMatch(/^---\n[\s\S]*\n---\nGood\.\n$/);
    const again = start("--yes");
    expect(await again.code).toBe(0);
    expect(written()).toHaveLength(200);
    expect(await errorsOf(root)).toEqual([]);
    for (const [file, text] of Object.entries(before))
      if (file.endsWith(".md")) expect(snapshot(root)[file]).toBe(text);
    expect(readFileSync(join(root, ".imported.jsonl"), "utf8").trim().split("\n")).toHaveLength(200);
  },
);

test("export-catalogue writes a table of all versions", async () => {
  const running = run(PROJECT, process.execPath, ["site/commands/export-catalogue.ts", join(root, "table.csv")], {
    CONTENT_ROOT: root,
  });
  expect(await running.code).toBe(0);
  expect(running.said).toContain("2 products are in ");
  const [head, ...rows] = readFileSync(join(root, "table.csv"), "utf8").split("\r\n");
  expect(head).toMatch(/^\uFEFFproduct,category,sku,gtin,/);
  expect(rows.map((row) => row.split(",").slice(0, 3))).toEqual(
    expect.arrayContaining([
      ["kestrel-c2", "barcode-scanners", "KES-C2"],
      ["osprey", "barcode-scanners", "OSP-BK"],
      ["osprey", "", "OSP-WH"],
    ]),
  );
});
