import { expect, test } from "vitest";
import { findHtmlFaults } from "../../../html-faults.ts";
import { startShop } from "./shop.ts";

test("the basket and a link's page are valid HTML, full, empty and with errors", async () => {
  const { db, visitor } = await startShop(
    { sku: "A", picture: "/a.webp" },
    { sku: "B", availability: "backorder", available_from: "2099-01-02" },
    { sku: "C" },
  );
  const pages = [await visitor.get("/cart"), await visitor.get("/buy/A:1,NONE:1"), await visitor.get("/buy/x")];
  pages.push(await visitor.get("/buy/NONE:1"));
  await visitor.post("/cart/lines", { items: "A:999,B:1,C:1" });
  await db.updateTable("product_variants").set({ price: "1.00" }).execute();
  await db.updateTable("product_variants").set({ availability: "archived" }).where("sku", "=", "C").execute();
  pages.push(await visitor.get("/cart"));
  pages.push(await visitor.post("/cart/quantities", { "quantity:A:999": "1e3", "quantity:B:1": "" }));
  pages.push(await visitor.post("/cart/lines", { sku: "B", quantity: "0" }));
  pages.push(await visitor.post("/cart/lines", { items: "A:1,C:1" }));
  for (const [index, { payload }] of pages.entries())
    expect(await findHtmlFaults(payload.replace("<!doctype", "<!DOCTYPE"), String(index))).toEqual([]);
});
