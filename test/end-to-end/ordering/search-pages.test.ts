import { test } from "vitest";
import { at, openOrderingShop } from "./ordering-shop.ts";
import { visit } from "./visit.ts";

openOrderingShop();

test("a search in every state", async () => {
  await visit(async (page, look) => {
    const search = async (state: string, fields: Record<string, string>) => {
      await page.goto(at(`/search?${new URLSearchParams(fields)}`));
      await look(state);
    };
    await search("with several pages and filters", { q: "usb" });
    await search("the second page of products", { q: "usb", page: "2" });
    await search("one category's products, after a slip", { q: "pritner", in: "label-printers" });
    await search("a maker that isn't sold", { q: "epson" });
    await search("pages alone", { q: "returns" });
    await search("nothing found, for a long word", { q: "x".repeat(200) });
  });
});
