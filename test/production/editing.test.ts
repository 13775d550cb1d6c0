import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addDevice } from "../api/editors/device.ts";
import { startShop, stopShops } from "../end-to-end/shop-process.ts";
import { withPage } from "../end-to-end/visitors/with-page.ts";
import { eventually } from "../eventually.ts";
import { copyWithContent } from "../site/content-check/content-tree.ts";

let workspace: string;
beforeAll(() => {
  workspace = copyWithContent();
});
afterAll(async () => {
  await stopShops();
  rmSync(workspace, { recursive: true, force: true });
});

test("with the link of `npm start` an editor makes a passkey, changes a price and publishes it; the next start keeps it", async () => {
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
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved as drafts").waitFor();
    await page.getByRole("link", { name: "Publish" }).first().click();
    await page.getByRole("button", { name: "Publish the ticked files" }).click();
    await eventually(async () => {
      await page.goto(new URL("/admin/publish", link).href);
      expect(await page.getByRole("status").textContent()).toContain("is live");
    });
    expect(await pricesAt(shop.url)).toEqual(["201.50", "201.50"]);
  });
  expect([...requested]).toEqual([new URL(link).origin]);
  await shop.stop();
  const again = await startShop(workspace);
  expect(await pricesAt(again.url)).toEqual(["201.50", "201.50"]);
  expect(again.output()).not.toContain("/admin/enrol#");
  expect(readFileSync(join(workspace, "content/products/barcode-scanners/kestrel-c2.md"), "utf8")).toContain("189.00");
});
