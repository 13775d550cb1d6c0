import axe from "axe-core";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";

const url = inject("shopUrl");

/** One page of every kind. */
const KINDS = [
  "/",
  "/categories/barcode-scanners",
  "/products/tavrel-t40-cordless",
  "/products/marlstead-cafe-10",
  "/guides",
  "/guides/fitting-out-a-counter",
  "/guides/choosing-a-barcode-scanner",
  "/contact",
  "/developers",
  "/nowhere",
];

let browser: Browser;
beforeAll(async () => {
  const flags = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ];
  browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: flags });
});
afterAll(() => browser.close());

async function withPage<T>(options: Parameters<Browser["newContext"]>[0], use: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext(options);
  try {
    return await use(await context.newPage());
  } finally {
    await context.close();
  }
}

test.each(KINDS)("%s fits every width, in both schemes, without an error in the console", async (path) => {
  for (const width of [320, 768, 1440]) {
    for (const colorScheme of ["light", "dark"] as const) {
      await withPage({ viewport: { width, height: 800 }, colorScheme }, async (page) => {
        const complaints: string[] = [];
        page.on("console", (message) => {
          // The 404 page is answered with its status, which the console notes.
          if (message.type() === "error" && !message.text().includes("404 (Not Found)"))
            complaints.push(message.text());
        });
        page.on("pageerror", (error) => complaints.push(error.message));
        page.on("requestfailed", (request) => complaints.push(request.url()));
        await page.goto(url + path, { waitUntil: "load" });
        const overflow = await page.evaluate(
          "document.documentElement.scrollWidth - document.documentElement.clientWidth",
        );
        expect({ width, colorScheme, overflow, complaints }).toEqual({
          width,
          colorScheme,
          overflow: 0,
          complaints: [],
        });
      });
    }
  }
});

test.each(KINDS)("%s breaks no rule of WCAG 2.2 AA that axe knows", async (path) => {
  for (const [width, colorScheme] of [
    [320, "light"],
    [1280, "dark"],
  ] as const) {
    // bypassCSP: axe is put into the page by the test, which the shop's policy rightly forbids.
    await withPage({ viewport: { width, height: 800 }, colorScheme, bypassCSP: true }, async (page) => {
      await page.goto(url + path);
      await page.addScriptTag({ content: axe.source });
      const violations = await page.evaluate<string[]>(
        `axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] })
          .then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" | ")))`,
      );
      expect(violations).toEqual([]);
    });
  }
});

test("pages read without JavaScript, and need none", async () => {
  await withPage({ javaScriptEnabled: false }, async (page) => {
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.resourceType()));
    await page.goto(`${url}/products/tavrel-t40-cordless`);
    expect(await page.locator("main h1").textContent()).toContain("Tavrel T40");
    expect(await page.locator("main").textContent()).toContain("€219.00");
    expect(requests).not.toContain("script");
  });
});

test("the keyboard reaches the content at once, and shows where it is", async () => {
  await withPage({}, async (page) => {
    await page.goto(`${url}/categories/barcode-scanners`);
    await page.keyboard.press("Tab");
    const skip = page.locator(":focus");
    expect(await skip.getAttribute("href")).toBe("#content");
    expect(await skip.isVisible()).toBe(true);
    await page.keyboard.press("Enter");
    expect(new URL(page.url()).hash).toBe("#content");
    await page.keyboard.press("Tab");
    const outline = await page.locator(":focus").evaluate("element => getComputedStyle(element).outlineStyle");
    expect(outline).not.toBe("none");
  });
});
