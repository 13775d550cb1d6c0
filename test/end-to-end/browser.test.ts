import axe from "axe-core";
import { expect, inject, test } from "vitest";
import { KINDS, withPage } from "./with-page.ts";

const url = inject("shopUrl");

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
    const outline = await page.evaluate("getComputedStyle(document.activeElement).outlineStyle");
    expect(outline).not.toBe("none");
  });
});
