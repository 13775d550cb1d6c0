import { expect, test } from "vitest";
import { scriptWords, words } from "../../site/words/words.ts";
import { category, scannersWith, visible } from "./scanners.ts";
import { shareOnePage, withPage } from "./with-page.ts";

const inPage = shareOnePage({});

test("two to four ticked products are compared side by side, and the address can be shared", async () => {
  await inPage(async (page) => {
    await page.goto(category);
    const boxes = page.getByRole("checkbox", { name: /^Compare / });
    await boxes.nth(0).check();
    expect(await page.getByRole("button", { name: words.category.compareChosen }).isDisabled()).toBe(true);
    // All of them have three years of warranty.
    for (const place of [3, 4, 5]) await boxes.nth(place).check();
    expect(await boxes.nth(1).isDisabled()).toBe(true);
    const chosen = (await visible(page)).filter((_, place) => [0, 3, 4, 5].includes(place));
    await page.getByRole("button", { name: "Compare 4 products" }).click();
    const heads = page.getByRole("columnheader").getByRole("link").filter({ visible: true, hasNotText: "Remove" });
    await expect.poll(() => heads.allTextContents().then((all) => all.map((text) => text.trim()))).toEqual(chosen);
    const properties = page.locator("tbody");
    const before = await properties.getByRole("row").count();
    await page.getByLabel("Differences only").check();
    const marks = await properties.getByRole("rowheader").filter({ visible: true }).allTextContents();
    expect(marks.length).toBeGreaterThan(0);
    expect(marks.length).toBeLessThan(before);
    for (const mark of marks) expect(mark).toContain("≠");
    await page
      .getByRole("link", { name: /^Remove/ })
      .first()
      .click();
    await expect.poll(() => heads.count()).toBe(3);
  });
});

test("without JavaScript all products of the category are compared", async () => {
  await withPage({ javaScriptEnabled: false }, async (page) => {
    await page.goto(`${category}/compare?p=tavrel-pip&p=tavrel-deck-60`);
    const heads = await page.locator("thead th a").allTextContents();
    expect(heads.map((text) => text.trim()).sort()).toEqual(await scannersWith({}));
  });
});

test("products in the address that the category doesn't have are reported", async () => {
  await inPage(async (page) => {
    const heads = page.locator("thead th a").filter({ visible: true });
    await page.goto(`${category}/compare?p=tavrel-pip&p=%3Cb%3Enothing`);
    const all = (await scannersWith({})).length;
    await page.getByText(`Not found in this category: “<b>nothing”. ${scriptWords.comparison.chooseMore}`).waitFor();
    expect(await heads.count()).toBe(all);
    await page.goto(`${category}/compare?p=tavrel-pip&p=nothing&p=tavrel-deck-60`);
    await page.getByText("“nothing”. Comparing 2 products: ").waitFor();
    expect(await heads.count()).toBe(2);
  });
});

test("on a phone two compared products fit side by side", async () => {
  await withPage({ viewport: { width: 320, height: 700 } }, async (page) => {
    await page.goto(`${category}/compare?p=tavrel-pip&p=tavrel-deck-60`);
    await page.getByText("Differences only").waitFor();
    const cells = page
      .getByRole("row", { name: /Weight/ })
      .getByRole("cell")
      .filter({ visible: true });
    const boxes = await Promise.all((await cells.all()).map((cell) => cell.boundingBox()));
    expect(boxes).toHaveLength(2);
    for (const box of boxes) expect((box?.x ?? 999) + (box?.width ?? 0)).toBeLessThanOrEqual(305);
    // The page scrolls, not a box in it, and the names stay visible.
    await page.evaluate("scrollTo(0, 600)");
    expect((await page.locator(".comparison thead").boundingBox())?.y).toBe(0);
  });
});
