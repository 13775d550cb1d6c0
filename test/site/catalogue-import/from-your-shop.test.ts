import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { checkContent } from "../../../site/content-check/check.ts";
import { bareEnvironment } from "../../bare-environment.ts";
import { makeFolder } from "../../temporary-folder.ts";
import { copyWorkspace } from "../../workspace.ts";
import { EXPORTS, fillIn, pageCommand, pageCommands } from "./moving-page.ts";

const checkout = copyWorkspace();
const shop = join(makeFolder("twinfront-moving-"), "my-shop");
afterAll(() => {
  for (const folder of [checkout, join(shop, "..")]) rmSync(folder, { recursive: true, force: true });
});

/** Runs a command of the page in the checkout. Returns its exit code and what it says. */
function run(command: string, paths: Record<string, string>, ...more: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...pageCommand(command, paths), ...more], {
    ...{ cwd: checkout, env: bareEnvironment(), encoding: "utf8" },
  });
  return { code: status, said: stdout + stderr };
}

const answers = [
  "--name",
  "Leuchten Äther",
  "--country",
  "DE",
  "--email",
  "a@aether.test",
  "--phone",
  "+49 30 0000000",
];
const errors = async () => (await checkContent(shop)).filter(({ isWarning }) => !isWarning);
const warnings = async () => (await checkContent(shop)).map(({ file, message }) => `${file}: ${message}`);

test("the page's commands make a shop and take over Shopify's export, WooCommerce's and a table of one's own", async () => {
  expect(run("new:shop", { "../my-shop": shop }, ...answers).code).toBe(0);
  const expected = {
    "shopify.csv": ["3 new products, 1 of them as drafts", "1 × is a gift card", "Tags"],
    "woocommerce.csv": ["1 new product\n", "1 × is a download"],
    "table.csv": ["1 new product\n"],
  };
  for (const [file, words] of Object.entries(expected)) {
    const { code, said } = run("import:catalogue", { "../export.csv": join(EXPORTS, file) }, "--yes");
    expect([file, code]).toEqual([file, 0]);
    for (const word of words) expect(said).toContain(word);
    expect([file, await errors()]).toEqual([file, []]);
  }
  const lamp = readFileSync(join(shop, "content/products/tisch/desk-lamp.md"), "utf8");
  expect(lamp).toContain('sku: DL-W-40\n    price: "1299.00"');
  expect(lamp).toContain("Dazu passt die [Lampe](/products/led-bulb).");
  expect(readFileSync(join(shop, "content/redirects.csv"), "utf8")).toContain("/kanne.html,/products/thermos\n");
  expect(pageCommands().length).toBeLessThanOrEqual(10);
});

test("with what the page has one write into store.yaml, customers can order", async () => {
  expect((await warnings()).join("\n")).toContain("store.yaml: company, street is still `?`");
  fillIn(shop);
  expect(await errors()).toEqual([]);
  expect((await warnings()).filter((each) => each.startsWith("content/pages/terms.md"))).toEqual([]);
});
