import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FeedProduct } from "../../../../api/contract/built-files/products.ts";
import { importProducts } from "../../../../api/selling/catalogue/import.ts";
import { makeCustomer, startShopApi } from "../../platform/private-pages/pages.ts";
import { product, variant } from "../../selling/catalogue/catalogue.ts";

const tee = (sku: string, Colour: string, Size: string, more: Partial<FeedProduct["variants"][number]> = {}) =>
  variant(sku, {
    ...{ title: `${Colour} / ${Size}`, options: { Colour, Size } },
    url: `https://shop.example/products/tee?sku=${encodeURIComponent(sku)}`,
    ...more,
  });

/** The versions of the tee, in order. Black in L was sold once, and white in S was never made. */
const variants = [
  tee("RED-S", "Red", "S"),
  tee("RED-M", "Red", "M", { availability: "out_of_stock" }),
  tee("WHITE-M", "White", "M", { availability: "preorder", available_from: "2099-02-01" }),
  tee('B&W/"S"', 'Black & "white" checked > red', "S"),
];
const gone = tee("RED-L", "Red", "L");

const pill = (name: string, place: number, value: string, more = "") =>
  `<input type="radio" name="${name}" id="${name}-${place}" value="${value}" required${more}><label for="${name}-${place}">${value}</label>`;

/** The tee's page as a build writes it, but short. */
export const teePage = [
  "<!doctype html><html><head><title>Tee</title></head><body><main><h1>Tee</h1>",
  '<form class="order" id="add-to-basket" method="post" action="/cart/lines"><input type="hidden" name="product" value="tee">',
  pill("o1", 1, "Red", " checked") +
    pill("o1", 2, "White") +
    pill("o1", 3, "Black &#38; &#34;white&#34; checked > red"),
  pill("o2", 1, "S") + pill("o2", 2, "M"),
  "</form></main></body></html>",
].join("\n");

/** The values that are checked in a page, by option. */
export const checkedIn = (html: string): string[] =>
  Array.from(html.matchAll(/name="(o\d)" id="\S+" value="([^"]*)"[^>]* checked>/g), ([, name, value]) =>
    [name, value].join(" "),
  );

/** A shop with the tee, and with `mug`, which has one version; both have pages, beside the templates. */
export async function startTees(overrides: Parameters<typeof startShopApi>[0] = {}) {
  const shop = await startShopApi(overrides);
  await shop.db.deleteFrom("product_variants").execute();
  await shop.db.deleteFrom("products").execute();
  const mug = product("mug", { title: "Mug", variants: [variant("MUG")] });
  await importProducts(shop.db, [product("tee", { title: "Tee", variants: [...variants, gone] }), mug]);
  await importProducts(shop.db, [product("tee", { title: "Tee", variants }), mug]);
  const folder = join(shop.sessionPages, "..", "products");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "tee.html"), teePage);
  writeFileSync(join(folder, "mug.html"), "<html><h1>Mug</h1>");
  return { ...shop, visitor: makeCustomer(shop.app), folder };
}
