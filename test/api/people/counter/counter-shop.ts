import type { ShopFacts } from "../../../../api/contract/built-files/store.ts";
import { mailFiles } from "../../../../site/private-pages/mails.ts";
import { buildSessionFolder } from "../../../../site/private-pages/session-folder.ts";
import { shops } from "../../../workspace.ts";
import { assistantFile } from "../../assistant/assistant-file.ts";
import { buildTemplates, frame, makeCustomer, startShopApi } from "../../platform/private-pages/pages.ts";
import { shopFacts } from "../../selling/quote/shop.ts";
import { storeVariants } from "../basket/variants.ts";
import { searchFile, searchIndexOf } from "../search/search-file.ts";

const goods = {
  oven: ["OVEN-S", "OVEN-L"],
  stove: ["STOVE"],
  tray: ["TRAY"],
  pan: ["PAN"],
  hood: ["HOOD"],
  fan: ["FAN"],
  salt: ["SALT"],
  foil: ["FOIL-1", "FOIL-2"],
};
type Slug = keyof typeof goods;

const product = (slug: Slug) => ({ summary: `About ${slug}.`, skus: goods[slug] });

/** A relation of all versions of two products. */
export const between = (one: Slug, other: Slug, reason: string) => ({ between: [goods[one], goods[other]], reason });

/**
 * A shop that sells ovens, and trays and hoods for them: the hood goes with the tray alone. Salt goes with the oven, and
 * foil with tray and hood.
 */
export const kitchen = {
  steps: [
    {
      slug: "ovens",
      title: "Ovens",
      fits: [],
      products: [product("oven"), product("stove")],
    },
    { slug: "trays", title: "Trays", fits: ["ovens"], products: [product("tray"), product("pan")] },
    {
      slug: "hoods",
      title: "Hoods",
      fits: ["ovens", "trays"],
      products: [product("hood"), product("fan")],
    },
  ],
  extras: [{ slug: "extras", title: "Extras", products: [product("salt"), product("foil")] }],
  relations: [
    between("oven", "tray", "same width"),
    between("pan", "stove", "flat bottom"),
    between("hood", "tray", "closes over it"),
    between("fan", "stove", "hangs above"),
    between("fan", "pan", "takes its steam"),
    between("oven", "salt", "for cleaning"),
    between("foil", "tray", "30 cm wide"),
    between("foil", "hood", "keeps it clean"),
  ],
  cautions: [],
};

type Variant = Parameters<typeof storeVariants>[1];

/** An API of a shop with the kitchen as its counter, or another, and a browser. Every version is in stock for 10.00. */
export async function startKitchen(
  changes: Record<string, Partial<Variant>> = {},
  { counter = kitchen, facts: changed = {} }: { counter?: unknown; facts?: Partial<ShopFacts> } = {},
) {
  const facts = shopFacts(changed);
  const sessionPages = await buildTemplates(facts, undefined, { counter: JSON.stringify(counter) });
  const api = await startShopApi({ facts, sessionPages });
  await api.db.deleteFrom("product_variants").execute();
  const rows = Object.entries(goods).flatMap(([slug, skus]) =>
    skus.map((sku) => ({
      ...{ sku, product_title: `The ${slug}`, title: skus.length > 1 ? `Version ${sku}` : `The ${slug}` },
      ...{ path: `/products/${slug}`, price: "10.00", ...changes[sku] },
    })),
  );
  await storeVariants(api.db, ...rows);
  return { ...api, visitor: makeCustomer(api.app), facts, sessionPages };
}

/** Replaces the counter, as a new build of the site does. */
export const rebuildCounter = async (out: string, facts: ShopFacts, counter: unknown): Promise<void> =>
  buildSessionFolder({
    ...{ frame, shop: { locale: facts.locale, currency: facts.currency, name: facts.name }, out },
    files: { ...mailFiles(shops.demo, facts), "counter.json": JSON.stringify(counter) },
    search: await searchIndexOf(searchFile()),
    assistant: JSON.stringify(assistantFile()),
  });

/** What can be chosen on a page: the SKUs of its buttons. */
export const offered = (html: string): string[] =>
  [...html.matchAll(/<button class="quiet" type="submit" name="add" value="([^"]*)"/g)].map(([, sku = ""]) => sku);
