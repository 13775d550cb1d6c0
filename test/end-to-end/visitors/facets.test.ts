import type { Page } from "playwright-core";
import { expect, inject, test } from "vitest";
import { scriptWords, words } from "../../site/words/words.ts";
import { lastingShifts } from "./layout-shifts.ts";
import { category, scannersWith, specificationsOf, visible } from "./scanners.ts";
import { shareOnePage } from "./with-page.ts";

const inPage = shareOnePage({});
const withoutScripts = shareOnePage({ javaScriptEnabled: false });

const tick = (page: Page, name: string, value: string) =>
  page
    .getByRole("group", { name })
    .getByRole("checkbox", { name: new RegExp(`^${value}\\b`) })
    .check();

test.each([true, false])(
  "ticked values of one group add up, groups narrow each other down (JavaScript: %s)",
  async (javaScriptEnabled) => {
    await (javaScriptEnabled ? inPage : withoutScripts)(async (page) => {
      await page.goto(category);
      const all = (await visible(page)).sort();
      await tick(page, "Type", "Handheld");
      expect((await visible(page)).sort()).toEqual(await scannersWith({ Type: ["Handheld"] }));
      await tick(page, "Type", "Fixed");
      await tick(page, "Connection", "RS-232");
      const wished = await scannersWith({ Type: ["Handheld", "Fixed"], Connection: ["RS-232"] });
      expect((await visible(page)).sort()).toEqual(wished);
      expect([wished.length > 0, wished.length < all.length]).toEqual([true, true]);
      if (javaScriptEnabled) await page.getByRole("button", { name: "Clear all" }).click();
      const ticked = page.getByRole("checkbox", { checked: true });
      while ((await ticked.count()) > 0) await ticked.first().click();
      expect((await visible(page)).sort()).toEqual(all);
    });
  },
);

test.each(["Fixed", "Wearable"])("the number of results is also shown without JavaScript: %s", async (type) => {
  await withoutScripts(async (page) => {
    await page.goto(category);
    const ofAll = page.locator("#facets-status");
    expect(await ofAll.isVisible()).toBe(true);
    await tick(page, "Type", type);
    await tick(page, "Connection", "RS-232");
    expect(await ofAll.isVisible()).toBe(false);
    const left = await scannersWith({ Type: [type], Connection: ["RS-232"] });
    expect(left.length > 0).toBe(type === "Fixed");
    const devTools = await page.context().newCDPSession(page);
    const { nodes } = await devTools.send("Accessibility.getFullAXTree");
    const texts = nodes.filter(({ role }) => role?.value === "StaticText").map(({ name }) => String(name?.value));
    expect(texts[texts.indexOf(`${words.category.matching} `) + 1]).toBe(String(left.length));
  });
});

test("ticked filters are counted, announced, and kept in the address", async () => {
  await inPage(async (page) => {
    await page.goto(category);
    await tick(page, "Type", "Wearable");
    const [only] = await scannersWith({ Type: ["Wearable"] });
    await page
      .getByRole("status")
      .filter({ hasText: /^1 of \d+ products$/ })
      .waitFor();
    expect(await page.getByRole("checkbox", { name: /RS-232/ }).isDisabled()).toBe(true);
    expect(page.url()).toBe(`${category}?type=Wearable`);
    await page.reload();
    expect((await visible(page)).sort()).toEqual([only]);
    const left = page.getByRole("checkbox", { checked: true });
    expect(await left.getAttribute("value")).toBe("Wearable");
    await left.uncheck();
    expect(page.url()).toBe(category);
    expect((await visible(page)).length).toBeGreaterThan(1);
  });
});

test("if nothing matches a link's filters, the page says so and links back and to a person", async () => {
  await inPage(async (page) => {
    await page.goto(`${category}?type=Fixed&connection=Bluetooth`);
    await page.getByText(scriptWords.category.noMatch).waitFor();
    expect(await page.getByRole("link", { name: "ask us" }).getAttribute("href")).toBe("/contact");
    await page.getByRole("button", { name: "Clear all filters" }).click();
    expect((await visible(page)).length).toBeGreaterThan(5);
    expect(await page.getByRole("button", { name: "Clear all filters" }).isVisible()).toBe(false);
    expect(await page.evaluate("document.activeElement.closest('.card') !== null")).toBe(true);
  });
});

test("a link's filters don't shift the layout", async () => {
  const open = async (page: Page) => {
    await page.goto(`${category}?type=Fixed`);
    await page.getByText("Filter (1)").waitFor();
  };
  expect(await lastingShifts({ width: 360, height: 740 }, open)).toEqual([]);
});

/** Requires different numbers, because equal or missing ones are always in order. */
function expectInOrder(numbers: number[], compare: (a: number, b: number) => number): void {
  expect(numbers).not.toContain(NaN);
  expect(new Set(numbers).size).toBeGreaterThan(3);
  expect(numbers).toEqual(numbers.toSorted(compare));
}

test("prices and specifications are sorted as numbers", async () => {
  await inPage(async (page) => {
    await page.goto(category);
    const prices = async () =>
      (await page.locator(".card-offer .price").allTextContents()).map((text) => Number(text.replace(/[^\d.]/g, "")));
    await page.getByLabel("Sort by").selectOption("Price, lowest first");
    expectInOrder(await prices(), (a, b) => a - b);
    await page.getByLabel("Sort by").selectOption("Price, highest first");
    expectInOrder(await prices(), (a, b) => b - a);
    await page.goto(`${inject("shopUrl")}/categories/label-printers?sort=print-speed-down`);
    const all = await specificationsOf("Print speed");
    const speeds = async () => (await visible(page)).map((title) => Number.parseInt(all.get(title) ?? "", 10));
    await page.waitForFunction(`document.querySelector("select").value === "print-speed-down"`);
    expectInOrder(await speeds(), (a, b) => b - a);
  });
});
