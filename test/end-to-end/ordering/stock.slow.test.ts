import type { Locator, Page, Response } from "playwright-core";
import { expect, test } from "vitest";
import type { ShopFacts } from "../../../api/contract/built-files/store.ts";
import { readJson, writeJson } from "../../../api/platform/database/columns.ts";
import { changeOrder } from "../../../api/selling/orders/change-order.ts";
import { placeOrder } from "../../../api/selling/orders/place-order.ts";
import { boughtOrder } from "../../api/selling/mail/mail-shop.ts";
import { newLine } from "../../api/selling/orders/new-order.ts";
import { addDevice } from "../../api/staff/sign-in/device.ts";
import { buildForStart } from "../../built-shops.ts";
import { findHtmlFaults } from "../../html-faults.ts";
import { withPage } from "../visitors/with-page.ts";
import { database, openOrderingShop, runOrderCommand, startOutput } from "./ordering-shop.ts";
import { examine } from "./visit.ts";

// A copy, since its pages follow what is left after some seconds, and the shared ones are other files' too.
openOrderingShop(async (workspace) => {
  await buildForStart(workspace);
  return {};
});

const PHONE = { width: 390, height: 844 };

/** Goes on by Tab until an element has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 300; presses += 1) {
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`The keyboard doesn't reach ${target}.`);
}

async function enter(page: Page, target: Locator, text = ""): Promise<void> {
  await tabTo(page, target);
  if (text !== "") await page.keyboard.insertText(text);
}

/** Presses Enter, and waits for the page that it leads to. */
async function go(page: Page): Promise<void> {
  await Promise.all([page.waitForEvent("load"), page.keyboard.press("Enter")]);
}

/**
 * Looks at what a page got last in another one, `looker` of the same origin, which may run scripts: axe never ends where they
 * are off.
 */
function watch(page: Page, looker: Page): (state: string) => Promise<void> {
  let answer: Response | undefined;
  page.on("response", (response) => {
    if (response.request().isNavigationRequest() && response.status() !== 303) answer = response;
  });
  return async (state) => {
    const shown = (await answer?.text()) ?? "";
    await looker.setContent(shown);
    const html = (await findHtmlFaults(shown, state)).map(({ message }) => message);
    expect({ state, html, ...(await examine(looker)) }).toEqual({ state, html: [], violations: [], tooWide: [] });
  };
}

/** As if store.yaml had `cancel_after_days`, without which nothing can be counted. */
async function allowCounting(): Promise<void> {
  const { facts } = await database().selectFrom("shop_facts").select("facts").executeTakeFirstOrThrow();
  const shop = readJson(facts) as ShopFacts;
  const transfer = shop.transfer && { ...shop.transfer, cancel_after_days: 21 };
  await database()
    .updateTable("shop_facts")
    .set({ facts: writeJson({ ...shop, transfer }) })
    .execute();
}

/** The number of a new order of this version, which is to be sent. */
async function orderPieces(sku: string, quantity: number): Promise<string> {
  const { id } = await placeOrder(database(), boughtOrder({ lines: [newLine({ sku, quantity })] }));
  await changeOrder(database(), id, { status: "processing" });
  const { number } = await database()
    .selectFrom("orders")
    .select("number")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return number;
}

test("on a phone, by keyboard and without a script, somebody counts a version, is asked again after a parcel, and counts many by a list", async () => {
  await allowCounting();
  const number = await orderPieces("TAV-PIP-2D", 2);
  const [link = ""] = /http:\/\/localhost:\d+\/admin\/enrol#\S+/.exec(startOutput()) ?? [];
  const at = (path: string) => new URL(path, link).href;
  await withPage({ viewport: PHONE, reducedMotion: "reduce" }, async (looker) => {
    await addDevice(looker);
    await looker.goto(link);
    await tabTo(looker, looker.getByRole("button", { name: "Create a passkey" }));
    await looker.keyboard.press("Enter");
    await looker.waitForURL(at("/admin"));
    await tabTo(looker, looker.getByRole("link", { name: "Stock", exact: true }).first());
    await go(looker);
    expect(new URL(looker.url()).pathname).toBe("/admin/stock");
    const cookies = await looker.context().cookies();
    await withPage({ viewport: PHONE, javaScriptEnabled: false }, async (page) => {
      const expectSound = watch(page, looker);
      await page.context().addCookies(cookies);
      await page.goto(at("/admin/stock"));
      await expectSound("every version");
      await enter(page, page.getByLabel("Product or SKU"), "pip 2d");
      await go(page);
      const row = page.getByRole("row").filter({ hasText: "TAV-PIP-2D" });
      const field = row.getByRole("textbox");
      await enter(page, field, "five");
      await go(page);
      expect(await page.title()).toMatch(/^Error: Stock/);
      await expectSound("a field that isn't a number");
      await tabTo(page, field);
      await page.keyboard.press("Control+A");
      await enter(page, field, "7");
      await go(page);
      await page.getByText("1 count is stored.").waitFor();
      expect(await row.textContent()).toMatch(/7[\s\S]*2[\s\S]*5[\s\S]*In stock/);

      await runOrderCommand("sent", number, "--reference", "P-1");
      await enter(page, field, "7");
      await go(page);
      await page.getByText(`2 pieces left in a parcel of ${number}`).waitFor();
      await expectSound("a count that is asked about");
      expect(await field.inputValue()).toBe("7");
      await tabTo(page, field);
      await go(page);
      await page.getByText("1 count is stored.").waitFor();

      const other = await orderPieces("TAV-PIP-2D", 3);
      await tabTo(page, row.getByRole("link").first());
      await go(page);
      expect(await page.locator("h1").textContent()).toBe("Stock of TAV-PIP-2D");
      expect(await page.locator("main").textContent()).toContain(`${other}: 3 pieces to send`);
      await expectSound("a version");
      await tabTo(page, page.getByRole("button", { name: "Stop counting" }));
      await go(page);
      expect(await page.locator("main").textContent()).toContain("stopped counting it");

      await page.goto(at("/admin/stock"));
      await tabTo(page, page.getByRole("link", { name: "Count many at once" }));
      await go(page);
      await expectSound("many at once");
      await enter(page, page.getByLabel("Or the lines themselves"), "sku,pieces\nTAV-PIP-2D,9\nNO-SUCH,1");
      await tabTo(page, page.getByRole("button", { name: "Store" }));
      await go(page);
      await page.getByText("1 count is stored.").waitFor();
      expect(await page.locator("main").textContent()).toContain("NO-SUCH");
      await expectSound("a list of which a line is left");
    });
  });
  const { count, held } = await database()
    .selectFrom("stock")
    .select(["count", "held"])
    .where("sku", "=", "TAV-PIP-2D")
    .executeTakeFirstOrThrow();
  expect((count ?? 0) - held).toBe(6);
});
