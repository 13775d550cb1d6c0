import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import inGerman from "../../../site/words/de/pages.ts";
import inEnglish from "../../../site/words/en/pages.ts";
import { buildOnce } from "../../built-shops.ts";
import { copyWorkspace, shops } from "../../workspace.ts";
import { openBuilt } from "./open-built.ts";
import { KINDS, withPage } from "./with-page.ts";

const url = inject("shopUrl");

const categoryPaths = readdirSync(join(shops.demo, "categories")).map(
  (file) => `/categories/${file.replace(".md", "")}`,
);

/** By how many pixels the page is too wide. */
const OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth";

test.each(KINDS)("%s fits every width, in both colour schemes, without console errors", async (path) => {
  // Pages of one context share the cache; a context for each takes more than twice as long.
  await withPage({}, async (first) => {
    for (const width of [320, 768, 1440]) {
      const page = await first.context().newPage();
      await page.setViewportSize({ width, height: 800 });
      const schemes = width === 768 ? (["dark", "light"] as const) : (["light", "dark"] as const);
      await page.emulateMedia({ colorScheme: schemes[0] });
      const complaints: string[] = [];
      page.on("console", (message) => {
        // The console reports the 404 page's status.
        if (message.type() === "error" && !message.text().includes("404 (Not Found)")) complaints.push(message.text());
      });
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("requestfailed", (request) => complaints.push(request.url()));
      await page.goto(url + path, { waitUntil: "load" });
      for (const colorScheme of schemes) {
        await page.emulateMedia({ colorScheme });
        const overflow = await page.evaluate(OVERFLOW);
        expect({ width, colorScheme, overflow, complaints }).toEqual({
          width,
          colorScheme,
          overflow: 0,
          complaints: [],
        });
      }
      await page.close();
    }
  });
});

/** Elements beyond the right edge of paper or screen, or cut off in a scrolling region. */
const OUTSIDE = `[...document.querySelectorAll("main *")]
  .filter((element) => element.checkVisibility() && !element.closest(".hidden-visually, .zones thead"))
  .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
  .map((element) => element.outerHTML.slice(0, 80))`;

/** How many elements cut something off. */
const CUT = `[...document.querySelectorAll("main *")].filter(({ scrollWidth, clientWidth }) => clientWidth > 1 && scrollWidth > clientWidth + 1).length`;

test.each([...KINDS, "/products/marlstead-harbour-15"])("%s fits A4 and Letter, printed", async (path) => {
  // The width between usual margins at 96 pixels per inch, on A4 and on Letter in landscape.
  await withPage({}, async (page) => {
    await page.emulateMedia({ media: "print" });
    await page.goto(url + path);
    for (const width of [718, 980]) {
      await page.setViewportSize({ width, height: 1000 });
      expect([width, await page.evaluate(OUTSIDE)]).toEqual([width, []]);
      expect([width, await page.evaluate(CUT)]).toEqual([width, 0]);
    }
  });
});

test("a printed product shows each version's SKU, price and availability at full width, without order links", async () => {
  await withPage({ viewport: { width: 718, height: 1000 } }, async (page) => {
    await page.emulateMedia({ media: "print" });
    await page.goto(`${url}/products/marlstead-harbour-15`);
    const versions = page.locator(".versions");
    const widths = await Promise.all(
      [versions, page.locator("article.product")].map(async (box) => (await box.boundingBox())?.width),
    );
    expect(widths[0]).toBe(widths[1]);
    for (const text of ["MAR-HAR15-8-BK", "€742.98", "net (€899.00 with 21% VAT)", "Out of stock"])
      expect(await versions.getByText(text, { exact: true }).first().isVisible()).toBe(true);
    expect(
      await page
        .getByText(/^(Link to order|Ask about) /)
        .filter({ visible: true })
        .count(),
    ).toBe(0);
  });
});

test("the prices of delivery fit a phone, each beside its name, without scrolling sideways", async () => {
  await withPage({ viewport: { width: 320, height: 640 } }, async (page) => {
    await page.goto(`${url}/shipping`);
    expect(await page.evaluate(CUT)).toBe(0);
    expect(await page.evaluate(OUTSIDE)).toEqual([]);
    const row = page.getByRole("row", { name: /Netherlands/ }).first();
    for (const text of ["€7.50", "€500.00", "Total delivery time"])
      expect(await row.getByText(text).first().isVisible()).toBe(true);
    expect(await row.getByRole("cell").count()).toBe(4);
  });
});

test.each(["/products/tavrel-t40-cordless", "/products/marlstead-cafe-10", "/categories/barcode-scanners", "/search"])(
  "%s prints without buttons and fields",
  async (path) => {
    await withPage({ viewport: { width: 718, height: 1000 } }, async (page) => {
      await page.emulateMedia({ media: "print" });
      await page.goto(url + path);
      const controls = page.locator("button, input, select, .button").filter({ visible: true });
      expect(await controls.evaluateAll((shown) => shown.map(({ outerHTML }) => outerHTML))).toEqual([]);
      expect(await page.locator("main").getByRole("link").filter({ visible: true }).count()).toBeGreaterThan(0);
    });
  },
);

/** Puts a language's words into the header, opens the search, and says if there is one row, and what is cut off the hint. */
const SPEAK = `({ basket, menu, placeholder }) => {
  const [input, ...row] = ["input", ".basket-link span", ".menu span", ".find", ".store-name"].map((part) => document.querySelector(".site-header " + part));
  input.value = placeholder;
  row[0].textContent = basket;
  row[1].textContent = menu;
  row[2].click();
  row.splice(0, 2, row[0].parentElement, row[1].parentElement);
  const lowest = Math.max(...row.map((part) => part.getBoundingClientRect().top));
  const isOneRow = row.every((part) => part.getBoundingClientRect().bottom > lowest);
  const height = document.querySelector(".site-header").clientHeight;
  return { isOneRow, isLow: height <= 64, cutOff: input.clientWidth > 0 ? input.scrollWidth - input.clientWidth : "all" };
}`;

test.each([
  ["English", inEnglish],
  ["German", inGerman],
])(
  "on the narrowest phone the header has one row, and the search that it opens a whole hint, in %s",
  async (_, words) => {
    await withPage({ viewport: { width: 320, height: 640 } }, async (page) => {
      await page.goto(url);
      const shown = await page.evaluate(`(${SPEAK})(${JSON.stringify({ ...words.frame, ...words.search })})`);
      expect(shown).toEqual({ isOneRow: true, isLow: true, cutOff: 0 });
    });
  },
);

test("words longer than a phone break in the path to a page, and buttons with text of twice the size", async () => {
  await withPage({ viewport: { width: 320, height: 640 } }, async (page) => {
    const browser = await page.context().newCDPSession(page);
    await browser.send("Page.setFontSizes", { fontSizes: { standard: 32, fixed: 26 } });
    await page.goto(`${url}/products/marlstead-cafe-10`);
    const long = "Donaudampfschifffahrtsgesellschaftskapitaensmuetzen";
    await page.evaluate(`for (const part of document.querySelectorAll(".breadcrumbs a, .breadcrumbs [aria-current], .send .button"))
      part.textContent = ${JSON.stringify(long)};`);
    expect(await page.evaluate(OVERFLOW)).toBe(0);
  });
});

test("on a phone a day stands above a card's button, not in a few letters beside it", async () => {
  await withPage({ viewport: { width: 390, height: 844 } }, async (page) => {
    await page.goto(`${url}/categories/barcode-scanners`);
    const stock = page.locator('.list > .card > .availability[data-availability="backorder"]').first();
    const [days, button] = await Promise.all([stock, stock.locator("~ .add")].map((part) => part.boundingBox()));
    expect((days?.y ?? 999) + (days?.height ?? 0)).toBeLessThanOrEqual(button?.y ?? 0);
    expect(days?.width).toBeGreaterThan(200);
  });
});

/** The first product's top, the bottoms of the cards beside it, and the products that are whole on the first screen. */
const PRODUCTS = `(() => {
  const boxes = [...document.querySelectorAll(".list > .card")].map((card) => card.getBoundingClientRect());
  const top = boxes[0].top;
  return {
    top,
    isRowWhole: boxes.filter((box) => box.top === top).every((box) => box.bottom <= innerHeight),
    isNextBegun: boxes.some((box) => box.top > top && box.top < innerHeight - 40),
    whole: boxes.filter((box) => box.bottom <= innerHeight).length,
    all: boxes.length,
  };
})()`;

describe("lists", () => {
  const german = copyWorkspace(shops.second);
  beforeAll(async () => void (await buildOnce(german)));
  afterAll(() => rmSync(german, { recursive: true, force: true }));

  const openers = {
    demo: (page: Page, path: string) => page.goto(url + path).then(() => undefined),
    German: (page: Page, path: string) => openBuilt(page, join(german, "site/dist"), path),
  };
  const lists = { demo: categoryPaths, German: ["/categories/kettles"] };

  test.each(["demo", "German"] as const)("of the %s shop begin on the first screen", async (shop) => {
    await withPage({}, async (page) => {
      for (const path of lists[shop]) {
        await page.setViewportSize({ width: 1440, height: 900 });
        await openers[shop](page, path);
        const wide = await page.evaluate<Record<string, number>>(PRODUCTS);
        expect([path, wide]).toEqual([path, { ...wide, isRowWhole: true, isNextBegun: Number(wide["all"]) > 3 }]);
        expect(wide["top"]).toBeLessThanOrEqual(340);
        await page.setViewportSize({ width: 390, height: 844 });
        const { whole = 0, all = 0 } = await page.evaluate<Record<string, number>>(PRODUCTS);
        expect([path, whole]).toEqual([path, Math.max(whole, Math.min(3, all))]);
      }
    });
  });

  test.each([
    ["demo", 16],
    ["demo", 32],
    ["German", 16],
    ["German", 32],
  ] as const)("and home of the %s shop fit every width with text of %i px", async (shop, standard) => {
    await withPage({}, async (page) => {
      const browser = await page.context().newCDPSession(page);
      await browser.send("Page.setFontSizes", { fontSizes: { standard, fixed: standard } });
      for (const path of ["/", ...lists[shop]]) {
        await openers[shop](page, path);
        for (const width of [320, 390, 640, 768, 1024, 1280, 1440, 1920]) {
          await page.setViewportSize({ width, height: 800 });
          expect([path, width, await page.evaluate(OVERFLOW)]).toEqual([path, width, 0]);
        }
      }
    });
  });
});

const helpPages = ["/shipping", "/support", "/contact"];

test("the sections are in one row on a wide screen and else in the menu, which has delivery, support and contact, too", async () => {
  for (const width of [320, 1280, 1440])
    await withPage({ viewport: { width, height: 640 } }, async (page) => {
      for (const path of KINDS) {
        await page.goto(url + path);
        const links = page.locator(".site-header nav a").filter({ visible: true });
        if (width === 1440) {
          const tops = await links.evaluateAll((shown) => shown.map((link) => link.getBoundingClientRect().top));
          expect([path, tops.length, new Set(tops).size]).toEqual([path, 8, 1]);
          const header = await page.locator(".site-header").boundingBox();
          expect([path, (header?.height ?? 999) <= 64]).toEqual([path, true]);
        } else {
          expect(await links.count()).toBe(0);
          await page.getByRole("button", { name: "Menu" }).click();
          const addresses = await links.evaluateAll((shown) => shown.map((link) => link.getAttribute("href")));
          expect([path, addresses.slice(-3)]).toEqual([path, helpPages]);
        }
      }
    });
});

test.each([...KINDS, "/products/marlstead-harbour-15", "/shipping"])(
  "%s fits every width with text of twice the size",
  async (path) => {
    await withPage({}, async (page) => {
      const browser = await page.context().newCDPSession(page);
      // The browser's own setting, which media queries in rem follow as well.
      await browser.send("Page.setFontSizes", { fontSizes: { standard: 32, fixed: 26 } });
      await page.goto(url + path);
      expect(await page.evaluate("getComputedStyle(document.documentElement).fontSize")).toBe("32px");
      for (const width of [320, 768, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        expect([width, await page.evaluate(OVERFLOW)]).toEqual([width, 0]);
      }
    });
  },
);
