import axe from "axe-core";
import { expect, inject, test } from "vitest";
import { KINDS, withPage } from "./with-page.ts";

const url = inject("shopUrl");

test.each(KINDS)("%s passes axe's rules for WCAG 2.2 AA", async (path) => {
  for (const width of [320, 1280]) {
    // bypassCSP: axe is put into the page by the test, which the shop's policy rightly forbids. Colours must not be on
    // their way from one scheme to the other when axe looks.
    const options = { viewport: { width, height: 800 }, bypassCSP: true, reducedMotion: "reduce" } as const;
    await withPage(options, async (page) => {
      await page.goto(url + path);
      await page.addScriptTag({ content: axe.source });
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        const violations = await page.evaluate<string[]>(
          `axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] })
            .then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" | ")))`,
        );
        expect({ width, colorScheme, violations }).toEqual({ width, colorScheme, violations: [] });
      }
    });
  }
});

test("links and buttons of a product with many versions are large enough to touch on phones", async () => {
  await withPage({ bypassCSP: true }, async (page) => {
    await page.goto(`${url}/products/marlstead-harbour-15`);
    await page.addScriptTag({ content: axe.source });
    for (const width of [320, 360, 390, 412]) {
      await page.setViewportSize({ width, height: 823 });
      const small = await page.evaluate<string[]>(
        `axe.run({ runOnly: { type: "rule", values: ["target-size"] } })
          .then(({ violations }) => violations.flatMap(({ nodes }) => nodes.map(({ html }) => html)))`,
      );
      expect({ width, small }).toEqual({ width, small: [] });
    }
  });
});

test("pages work without JavaScript", async () => {
  await withPage({ javaScriptEnabled: false }, async (page) => {
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.resourceType()));
    await page.goto(`${url}/products/tavrel-t40-cordless`);
    expect(await page.locator("main h1").textContent()).toContain("Tavrel T40");
    expect(await page.locator("main").textContent()).toContain("€219.00");
    expect(requests).not.toContain("script");
  });
});

test("the keyboard reaches the content at once, with visible focus", async () => {
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

test("on a phone the menu opens by the keyboard, leads to a category, and closes with Escape", async () => {
  await withPage({ viewport: { width: 320, height: 640 } }, async (page) => {
    await page.goto(url);
    const menu = page.getByRole("button", { name: "Menu" });
    const category = page.getByRole("navigation", { name: "Categories" }).getByRole("link").first();
    expect(await category.isVisible()).toBe(false);
    await menu.focus();
    await page.keyboard.press("Enter");
    expect(await category.isVisible()).toBe(true);
    expect((await category.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    await page.keyboard.press("Escape");
    expect(await category.isVisible()).toBe(false);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/categories\//);
  });
});
