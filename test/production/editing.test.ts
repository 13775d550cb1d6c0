import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addDevice } from "../api/staff/sign-in/device.ts";
import { buildForStart } from "../built-shops.ts";
import { startShop, stopShops } from "../end-to-end/shop-process.ts";
import { withPage } from "../end-to-end/visitors/with-page.ts";
import { eventually } from "../eventually.ts";
import { copyWithContent } from "../site/content-check/content-tree.ts";

let workspace: string;
beforeAll(async () => {
  workspace = copyWithContent();
  await buildForStart(workspace);
});
afterAll(async () => {
  await stopShops();
  rmSync(workspace, { recursive: true, force: true });
});

/** Checks that a preview has its style sheets and pictures, and that its links do nothing. */
async function expectWholePreview(page: Page, price: string): Promise<void> {
  const frame = page.frameLocator("iframe");
  await frame.getByText(price).first().waitFor();
  const inFrame = (expression: string) =>
    page.evaluate(`(({ document, location, getComputedStyle }) => ${expression})(frames[0])`);
  await eventually(async () =>
    expect(await inFrame("document.querySelector('main img').naturalWidth")).toBeGreaterThan(0),
  );
  expect(await inFrame("getComputedStyle(document.body).marginTop")).toBe("0px");
  await frame.getByRole("link", { name: "Home" }).first().click();
  expect(await inFrame("location.pathname")).toMatch(/^\/admin\/preview-face\/products\//);
  expect(page.context().pages()).toHaveLength(1);
}

test("with the link of `npm start` an editor makes a passkey, changes a price, also where the session ends meanwhile, publishes it, takes it back and signs out; the next start keeps it", async () => {
  const shop = await startShop(workspace);
  /** Of the Kestrel C2, in the page and in the API. */
  const pricesAt = async (url: string) => {
    const page = await fetch(`${url}/products/kestrel-c2`, { headers: { accept: "text/markdown" } });
    const api = await fetch(`${url}/api/products`, { headers: { authorization: `Bearer ${shop.token}` } });
    return [await page.text(), await api.text()].map((text) => /189\.00|201\.50/.exec(text)?.[0]);
  };
  const [link = ""] = /http:\/\/localhost:\d+\/admin\/enrol#\S+/.exec(shop.output()) ?? [];
  const requested = new Set<string>();
  await withPage({}, async (page) => {
    page.on("request", (request) => requested.add(new URL(request.url()).origin));
    await addDevice(page);
    await page.goto(link);
    await page.getByRole("button", { name: "Create a passkey" }).click();
    await page.getByRole("link", { name: "Prices and stock" }).first().click();
    await page.getByRole("row", { name: "KES-C2" }).getByRole("textbox").first().fill("201.50");
    // The session ends meanwhile.
    await page.context().clearCookies();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.getByText("Saved as drafts").waitFor();
    await page.getByRole("link", { name: "Publish" }).first().click();
    await page.getByRole("link", { name: "Preview" }).first().click();
    await expectWholePreview(page, "€201.50");
    await page.getByRole("link", { name: "Publish" }).first().click();
    await page.getByRole("button", { name: "Publish the ticked files" }).click();
    await page.locator("main").getByRole("status").filter({ hasText: "is live" }).waitFor({ timeout: 0 });
    expect(await pricesAt(shop.url)).toEqual(["201.50", "201.50"]);
    await page.getByRole("link", { name: "History" }).first().click();
    await page.getByRole("link", { name: /kestrel-c2/ }).click();
    await page.getByRole("button", { name: /^Take this file back: .*kestrel-c2\.md$/ }).click();
    await page.getByText('price: "189.00"').waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL(/\/admin\/sign-in$/);
    await page.goto(new URL("/admin/publish", link).href);
    expect(page.url()).toContain("/admin/sign-in?next=/admin/publish");
  });
  expect([...requested]).toEqual([new URL(link).origin]);
  await shop.stop();
  const again = await startShop(workspace);
  expect(await pricesAt(again.url)).toEqual(["201.50", "201.50"]);
  expect(again.output()).not.toContain("/admin/enrol#");
  expect(readFileSync(join(workspace, "content/products/barcode-scanners/kestrel-c2.md"), "utf8")).toContain("189.00");
});
