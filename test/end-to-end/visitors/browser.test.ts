import { expect, inject, test } from "vitest";
import { findBarriers } from "../../accessibility.ts";
import { KINDS, shareOnePage, withPage } from "./with-page.ts";

const url = inject("shopUrl");

const inCalmPage = shareOnePage({ reducedMotion: "reduce" });

test.each(KINDS)("%s passes axe's rules for WCAG 2.2 AA", async (path) => {
  await inCalmPage(async (page) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ colorScheme: "light" });
    await page.goto(url + path);
    const light = await findBarriers(page);
    await page.emulateMedia({ colorScheme: "dark" });
    const dark = await findBarriers(page, "colours");
    await page.setViewportSize({ width: 320, height: 800 });
    const narrow = await findBarriers(page, "narrow");
    expect({ light, dark, narrow }).toEqual({ light: [], dark: [], narrow: [] });
  });
});

test("a phone's open menu passes axe's rules for WCAG 2.2 AA", async () => {
  await inCalmPage(async (page) => {
    await page.setViewportSize({ width: 320, height: 800 });
    await page.emulateMedia({ colorScheme: "light" });
    await page.goto(url);
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("navigation", { name: "Categories" }).getByRole("link").first().waitFor();
    const light = await findBarriers(page);
    await page.emulateMedia({ colorScheme: "dark" });
    const dark = await findBarriers(page, "colours");
    expect({ light, dark }).toEqual({ light: [], dark: [] });
  });
});

test("links and buttons of a product with many versions are large enough to touch on phones", async () => {
  await inCalmPage(async (page) => {
    await page.goto(`${url}/products/marlstead-harbour-15`);
    for (const width of [320, 360, 390, 412]) {
      await page.setViewportSize({ width, height: 823 });
      expect([width, await findBarriers(page, "narrow")]).toEqual([width, []]);
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
