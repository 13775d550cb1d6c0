import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { withPage } from "../visitors/with-page.ts";
import { at, changeVariant, openOrderingShop } from "./ordering-shop.ts";
import { visit } from "./visit.ts";

openOrderingShop();

/** The button of a version: Choose, Add, Change or Remove. */
const press = (page: Page, name: RegExp) => page.getByRole("button", { name }).first().click();
/** What the page shows once it's complete: a click returns when it begins. */
async function main(page: Page): Promise<string> {
  await page.waitForLoadState();
  return ((await page.locator("main").textContent()) ?? "").replace(/\s+/g, " ");
}

test("without JavaScript a counter is chosen from the home page to the basket", async () => {
  await withPage({ javaScriptEnabled: false, viewport: { width: 320, height: 640 } }, async (page) => {
    await page.goto(at("/"));
    await page.getByRole("main").getByRole("link", { name: "Build your counter" }).click();
    await press(page, /^Choose Ostrey Plover .* 4 GB/);
    expect(await main(page)).toContain("With Ostrey Plover 12″ Linux POS terminal: USB keyboard mode, no driver");
    expect(await page.getByRole("button", { name: /Brackwell B41/ }).count()).toBe(0);
    await press(page, /^Choose Tavrel C30 .* Scanner alone/);
    await press(page, /^Choose Pellcott R80 .* USB and LAN/);
    await press(page, /^Choose Brackwell B41 .* Black/);
    await page.getByText("Accessories: 3 products go with it").first().click();
    await press(page, /^Add Ferncote thermal rolls .* 20 rolls/);
    await page.getByRole("button", { name: /^Remove Tavrel C30/ }).click();
    expect(await main(page)).toContain("Total €519.84 net (€629.00 with VAT)");
    const link = await page.getByLabel("Link to this page").inputValue();
    await page.getByRole("button", { name: "Add all 4 to the basket" }).click();
    expect(await page.locator("h1").textContent()).toBe("Basket");
    for (const sku of ["OST-PLO12-4", "PEL-R80-LAN", "BRA-B41-BK", "FER-R80-80-20"])
      expect(await main(page)).toContain(sku);
    expect(await main(page)).toMatch(/Goods with tax ?€629.00/);
    const { pathname, search } = new URL(link);
    await page.goto(at(pathname + search));
    expect(await main(page)).toContain("Total €519.84 net (€629.00 with VAT)");
  });
});

test("another till leaves what doesn't go with it to be seen and removed", async () => {
  await withPage({ javaScriptEnabled: false }, async (page) => {
    await page.goto(at("/counter?chosen=MAR-HAR15-8-BK+TAV-T40-BK"));
    await press(page, /^Change Marlstead Harbour/);
    expect(await main(page)).toContain("Tavrel T40 cordless 2D scanner, Black is kept until you’ve chosen from");
    await press(page, /^Choose Ostrey Tern/);
    expect(await main(page)).toContain("Tavrel T40 cordless 2D scanner, Black isn’t known to go with the rest");
    expect(await main(page)).toContain("Total €304.96 net (€369.00 with VAT)");
    await press(page, /^Remove Tavrel T40/);
    expect(await main(page)).not.toContain("Tavrel T40");
  });
});

test("both faces of a counter are one address, by Accept or by .md", async () => {
  const path = "/counter?chosen=MAR-HAR15-8-BK+PEL-R80-LAN";
  for (const [address, accept] of [
    [path, "text/markdown"],
    [path.replace("?", ".md?"), "*/*"],
  ] as const) {
    const answer = await fetch(at(address), { headers: { accept } });
    expect([answer.status, answer.headers.get("content-type"), answer.headers.get("vary")]).toEqual([
      200,
      "text/markdown; charset=utf-8",
      "Accept, Accept-Encoding",
    ]);
    const text = await answer.text();
    expect(text).toContain("- Total: €915.71 net (€1,108.00 with VAT).");
    expect(text).toContain("/buy/MAR-HAR15-8-BK:1,PEL-R80-LAN:1\n");
  }
});

test("the counter in every state", async () => {
  await visit(async (page, look) => {
    await page.goto(at("/counter"));
    await look("nothing chosen");
    await page.goto(at("/counter?chosen=MAR-HAR15-8-BK"));
    await look("a till");
    await changeVariant("TAV-C30-STAND", { availability: "out_of_stock" });
    const all = ["MAR-HAR15-16-BK", "TAV-C30-STAND", "PEL-R80-LAN", "BRA-B41-WH", "FER-R80-80-50", "FER-DCE-30"];
    await page.goto(at(`/counter?chosen=${all.join("+")}`));
    for (const summary of await page.locator("summary").all()) await summary.click();
    await look("all chosen, one out of stock, with every extra in sight");
    await page.goto(at("/counter?chosen=OST-TERN6-4G+TAV-T40-BK+PEL-R80-LAN+NONE"));
    await look("what goes with the rest no more, and an unknown SKU");
    await page.goto(at("/counter?chosen=TAV-T40-BK"));
    await look("without a till");
    await page.goto(at("/counter?chosen=NONE"));
    await look("only an unknown SKU");
  });
});
