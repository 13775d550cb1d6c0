import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findBarriers } from "../../accessibility.ts";
import { buildOnce } from "../../built-shops.ts";
import { copyWorkspace, shops } from "../../workspace.ts";
import { openBuilt } from "./open-built.ts";
import { shareOnePage } from "./with-page.ts";

const KINDS = [
  "/",
  "/categories/brushes",
  "/categories/brushes/compare",
  "/products/sonic",
  "/guides/choosing",
  "/shipping",
  "/404",
];
/** Of Unicode: they would be in what people and programs copy. */
const MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

let root = "";
let dist = "";

beforeAll(async () => {
  root = copyWorkspace(shops.hebrew);
  ({ dist } = await buildOnce(root));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const withHebrew = shareOnePage({ reducedMotion: "reduce", viewport: { width: 390, height: 844 } });

const open = async (page: Page, path: string) => {
  await page.unrouteAll();
  await openBuilt(page, dist, path);
};

/** By how many pixels the page is too wide. */
const OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth";

/** An element's letters as they're seen, line by line from left to right. */
const AS_SEEN = `(selector) => {
  const element = document.querySelector(selector);
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const seen = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    for (let index = 0; index < node.length; index++) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + 1);
      const { left, top } = range.getBoundingClientRect();
      if (node.data[index].trim()) seen.push([Math.round(top / 8), left, node.data[index]]);
    }
  return seen.sort(([a, b], [c, d]) => a - c || b - d).map(([, , letter]) => letter).join("");
}`;
const asSeen = (page: Page, selector: string): Promise<string> =>
  page.evaluate(`(${AS_SEEN})(${JSON.stringify(selector)})`);

test.each(KINDS)(
  "a page of a Hebrew shop runs from right to left and fits phones, with text of twice the size too: %s",
  async (path) => {
    await withHebrew(async (page) => {
      const browser = await page.context().newCDPSession(page);
      await page.setViewportSize({ width: 390, height: 844 });
      await open(page, path);
      expect(await page.evaluate("[document.documentElement.lang, document.documentElement.dir]")).toEqual([
        "he-IL",
        "rtl",
      ]);
      expect(await findBarriers(page)).toEqual([]);
      const sizes = (standard: number) => ({ fontSizes: { standard, fixed: 13 } });
      for (const [width, standard] of [
        [390, 16],
        [320, 16],
        [390, 32],
      ] as const) {
        await browser.send("Page.setFontSizes", { fontSizes: { standard, fixed: 13 } });
        await page.setViewportSize({ width, height: 844 });
        expect({ width, standard, overflow: await page.evaluate(OVERFLOW) }).toEqual({ width, standard, overflow: 0 });
      }
      await browser.send("Page.setFontSizes", sizes(16));
      await browser.detach();
    });
  },
);

test("titles, prices, measures and numbers among Hebrew read as they are written", async () => {
  await withHebrew(async (page) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await open(page, "/categories/brushes");
    expect(await asSeen(page, ".card-facts li")).toBe("58mm,42mm:ךרוא");
    expect(await asSeen(page, ".card:nth-of-type(2) .card-title a")).toBe("תינדיתשרבמ,BasicSoft");
    expect(await asSeen(page, ".card .price")).toBe("from211.78₪");
    await open(page, "/products/sonic");
    expect(await asSeen(page, ".versions li:not([hidden]) .sku")).toBe("3000-SONIC-BL");
    expect(await asSeen(page, "dd a[href='/returns']")).toBe("14-dayreturns;youpayreturnpostage");
    expect(await asSeen(page, ".site-footer a[href^='tel:']")).toBe("+97240000000");
    const aligned = (selector: string) =>
      page.evaluate(`getComputedStyle(document.querySelector("${selector}")).textAlign`);
    expect(await Promise.all([".product-head h1", ".specifications h2"].map(aligned))).toEqual(["right", "right"]);
  });
});

test("values in our English sentences don't carry off the numbers beside them", async () => {
  await withHebrew(async (page) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await open(page, "/shipping");
    expect(await asSeen(page, ".zones td:nth-child(3)")).toContain("uptoג״ק1:25.00₪;overג״ק1,uptoג״ק20:39.00₪");
    await open(page, "/");
    expect(await asSeen(page, ".reasons li span")).toBe("לארשי:deliveryin2to5workingdays,from25.00₪,freeover250.00₪");
    await open(page, "/categories/brushes/compare");
    expect(await asSeen(page, "h1")).toBe("םיינישתושרבמcompared");
    expect(await asSeen(page, ".lead")).toMatch(/^םיינישתושרבמsidebyside.*specification\.$/);
  });
});

test("the button of a product is at most 12 Tabs from the link to the content, and each step is seen in forced colours", async () => {
  await withHebrew(async (page) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ forcedColors: "active" });
    await open(page, "/products/sonic");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    const isThere = () => page.evaluate<boolean>("document.activeElement.matches('.send .button')");
    const unseen: string[] = [];
    let tabs = 0;
    for (; tabs <= 12 && !(await isThere()); tabs++) {
      await page.keyboard.press("Tab");
      // A radio button shows its focus on the label beside it.
      const outline: string = await page.evaluate(`(() => {
        const focused = document.activeElement;
        const shown = focused.type === "radio" ? focused.nextElementSibling : focused;
        const { outlineStyle, outlineWidth } = getComputedStyle(shown);
        return outlineStyle + " " + outlineWidth + " " + shown.outerHTML.slice(0, 60);
      })()`);
      if (!/^(?:solid|auto) [1-9]/.test(outline)) unseen.push(outline);
    }
    expect(unseen).toEqual([]);
    expect(tabs).toBeLessThanOrEqual(12);
    const edge = (selector: string) =>
      page.evaluate(`(() => {
        const { borderTopWidth, borderTopColor } = getComputedStyle(document.querySelector("${selector}"));
        return borderTopWidth + " " + (borderTopColor !== getComputedStyle(document.body).backgroundColor);
      })()`);
    expect(await edge(".send .button")).toBe("1px true");
    expect(await edge("fieldset input:checked + label")).toBe("3px true");
    expect(await edge("fieldset input:not(:checked) + label")).toBe("1px true");
    await page.emulateMedia({ forcedColors: "none" });
  });
});

test("no file of a Hebrew shop has marks of direction, and private pages and mails run as its pages do", () => {
  const read = (path: string) => readFileSync(join(dist, path), "utf8");
  for (const path of [
    "products/sonic.html",
    "products/sonic.md",
    "categories/brushes.md",
    "merchant-feed.xml",
    "products.json",
  ])
    expect([path, MARKS.exec(read(path))]).toEqual([path, null]);
  expect(read("products/sonic.md")).toContain("211.78\u00a0₪");
  const marked = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter(
    (path) => /\.(?:html|md|txt|json|xml)$/.test(path) && MARKS.test(read(path)),
  );
  expect(marked).toEqual([]);
  expect(read("shipping.html")).toContain("Working days are <bdi>יום ראשון</bdi> to <bdi>יום חמישי</bdi>.");
  expect(read("index.html")).toContain('"https://schema.org/Sunday","https://schema.org/Monday"');
  expect(read("index.html")).not.toContain("https://schema.org/Friday");
  for (const template of ["basket", "checkout", "problem", "mails/order_received.html"])
    expect(read(`.session/${template}.liquid`)).toContain('<html lang="he-IL" dir="rtl">');
});
