import { rmSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildOnce } from "../../built-shops.ts";
import { copyWithContent, newProduct } from "../../site/content-check/content-tree.ts";
import { scriptWords, words } from "../../site/words/words.ts";
import { openBuilt } from "./open-built.ts";
import { withPage } from "./with-page.ts";

const path = "/categories/barcode-scanners";

// 130 scanners of €1 to €130 on six pages. Every tenth is cordless.
const things = Array.from({ length: 130 }, (_, index) => {
  const slug = `t${String(index + 1).padStart(3, "0")}`;
  const text = newProduct(slug, `${index + 1}.00`).replace(
    "Reads: 1D and 2D codes",
    `Connection: ${index % 10 === 9 ? "Bluetooth" : "USB"}`,
  );
  return [`products/barcode-scanners/${slug}.md`, text] as const;
});

/** A thing with a filter's value of its own for each of five versions, which cost €129 to €133. */
const mixed = (text: string) => {
  const variant = (number: number) =>
    `  - { sku: "X-${number}", price: "${128 + number}.00", availability: in_stock, options: { Kind: "K${number}" }, specifications: { Connection: [USB, "K${number}"] } }`;
  const variants = [1, 2, 3, 4, 5].map(variant).join("\n");
  return text
    .replace(/^(?:sku|price|availability):.*\n/gm, "")
    .replace("specifications:", `variants:\n${variants}\nspecifications:`);
};

let root = "";
let dist = "";

beforeAll(async () => {
  root = copyWithContent({
    ...Object.fromEntries(things),
    "products/barcode-scanners/t129.md": mixed(new Map(things).get("products/barcode-scanners/t129.md") ?? ""),
    "products/barcode-scanners/kestrel-c2.md": null,
    "products/barcode-scanners/osprey.md": null,
    "guides/choosing.mdx": null,
    "pages/about.md": "---\ntitle: About\nsummary: Us.\nupdated: 2026-10-01\n---\n\nHello.\n",
    "categories/barcode-scanners.md":
      "---\ntitle: Barcode scanners\nsummary: Scanners.\norder: 10\nfilters: [Connection]\nrecommended: [t070, t010]\n---\n\nText.\n",
  });
  ({ dist } = await buildOnce(root));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const open = (page: Page, address: string, isBroken?: (path: string) => boolean) =>
  openBuilt(page, dist, address, isBroken);

const shown = (page: Page) => page.locator(".list > .card:visible .card-title a").allTextContents();
const cordless = [70, 10, 20, 30, 40, 50, 60, 80, 90, 100, 110, 120, 130].map(
  (number) => `Thing t${String(number).padStart(3, "0")}`,
);

test.each(["", "/page/2"])(
  "filters and sorting on the category's page %s find the products of all pages",
  async (at) => {
    await withPage({}, async (page) => {
      await open(page, path + at);
      const before = await shown(page);
      expect(before).toHaveLength(24);
      const bluetooth = page.getByRole("checkbox", { name: /^Bluetooth/ });
      expect(await bluetooth.evaluate((box) => box.parentElement?.textContent)).toMatch(/13 products/);
      await bluetooth.check();
      await page.getByText("13 of 130 products").waitFor();
      expect(await shown(page)).toEqual(cordless);
      expect(await page.getByRole("navigation", { name: words.category.pages }).isVisible()).toBe(false);
      await page.getByLabel("Sort by").selectOption("Price, highest first");
      expect((await shown(page))[0]).toBe("Thing t130");
      await page.getByRole("button", { name: "Clear all" }).click();
      expect(await shown(page)).toEqual(before);
      expect(await page.getByRole("navigation", { name: words.category.pages }).isVisible()).toBe(true);
    });
  },
);

test("products of several pages are chosen and compared", async () => {
  await withPage({}, async (page) => {
    await open(page, `${path}/page/2?connection=Bluetooth`);
    await page.getByText("13 of 130 products").waitFor();
    for (const name of ["t010", "t130"]) await page.getByRole("checkbox", { name: `Compare Thing ${name}` }).check();
    await page.getByRole("button", { name: "Compare 2 products" }).click();
    await page.getByText("Comparing 2 products").waitFor();
    const heads = await page.locator("thead th a").filter({ visible: true }).allTextContents();
    expect(heads.map((text) => text.trim()).sort()).toEqual(["Thing t010", "Thing t130"]);
    const prices = page
      .getByRole("row", { name: /^Price/ })
      .getByRole("cell")
      .filter({ visible: true });
    expect((await prices.allTextContents()).map((text) => text.replace(/\s+/g, " ").trim()).sort()).toEqual([
      "€107.44 net (€130.00 with tax)",
      "€8.26 net (€10.00 with tax)",
    ]);
  });
});

test("if another page can't be loaded, the list says that it has its own products only", async () => {
  await withPage({}, async (page) => {
    let isAway = true;
    await open(page, path, (requested) => isAway && requested.endsWith("/page/3"));
    await page.getByRole("checkbox", { name: /^Bluetooth/ }).check();
    await page.getByText(scriptWords.category.failed).waitFor();
    expect((await shown(page)).length).toBeGreaterThan(0);
    isAway = false;
    await page.getByRole("checkbox", { name: /^USB/ }).check();
    await page.getByText("130 products").first().waitFor();
  });
});

test("without JavaScript a page filters its own products, counts them, and compares them", async () => {
  await withPage({ javaScriptEnabled: false }, async (page) => {
    await open(page, `${path}/page/6`);
    await page.getByRole("checkbox", { name: /^Bluetooth/ }).check();
    const devTools = await page.context().newCDPSession(page);
    const { nodes } = await devTools.send("Accessibility.getFullAXTree");
    const texts = nodes.filter(({ role }) => role?.value === "StaticText").map(({ name }) => String(name?.value));
    const found = await shown(page);
    expect(texts[texts.indexOf(`${words.category.matchingOnPage} `) + 1]).toBe(String(found.length));
    expect(found).toEqual(cordless.slice(-found.length));
    await page.getByRole("link", { name: words.category.comparePage }).click();
    expect(await page.locator("thead th a").count()).toBe(10);
  });
});

test("the recommended products come first, in the order of the category's file", async () => {
  await withPage({}, async (page) => {
    await open(page, path);
    expect((await shown(page)).slice(0, 3)).toEqual(["Thing t070", "Thing t010", "Thing t001"]);
    await page.getByLabel("Sort by").selectOption(words.category.name);
    await expect.poll(async () => (await shown(page))[0]).toBe("Thing t001");
  });
});

test("a card of versions that filters tell into many groups says a range of prices, never one version's", async () => {
  await withPage({}, async (page) => {
    await open(page, path);
    await page.getByRole("checkbox", { name: /^K3/ }).check();
    await page.getByText("1 of 130 products").waitFor();
    const card = page.locator(".list > .card:visible");
    expect(await card.locator(".price").textContent()).toBe("€106.61 to €109.92");
    expect(await card.locator(".card-versions:visible").count()).toBe(0);
  });
});
