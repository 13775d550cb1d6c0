import type { ShopFacts } from "../../api/contract/built-files/store.ts";
import type { WordTree } from "../../api/contract/words.ts";
import { methodsOf } from "../content-schema/shipping.ts";
import type { Shop } from "../content-schema/shop.ts";
import { wordsIn } from "../words/words-in.ts";

/**
 * What the API must know of the shop, for .session/store.json. Every field is always present; null where it doesn't apply.
 * `takesCards`: whether cards can be charged, which the environment says; `ownWords`: those of content/words.yaml.
 */
export function shopFacts(shop: Shop, takesCards: boolean, ownWords?: WordTree): ShopFacts {
  const { name, base_url, locale, currency, prices_include_tax, tax, shipping, payment, company, keep } = shop;
  const { sales_email, phone, erp, few_left, most_per_order } = shop;
  const transfer = payment?.transfer;
  return {
    name,
    base_url,
    locale,
    currency,
    prices_include_tax,
    tax: { ...tax, registration: tax.registration ?? null, reasons: wordsIn(locale, ownWords).private_pages.untaxed },
    shipping: shipping
      ? {
          handling_days: shipping.handling_days,
          zones: shipping.zones.map((zone) => ({ countries: zone.countries, methods: methodsOf(zone) })),
          pickup: shipping.pickup ? { ...shipping.pickup, hours: shipping.pickup.hours ?? null } : null,
        }
      : null,
    transfer: transfer
      ? {
          ...transfer,
          bank: transfer.bank ?? null,
          iban: transfer.iban ?? null,
          bic: transfer.bic ?? null,
          cancel_after_days: transfer.cancel_after_days ?? null,
        }
      : null,
    card: takesCards,
    erp: { owns: erp.owns, books_placed: erp.books === "placed" },
    few_left: few_left ?? null,
    most_per_order: most_per_order ?? null,
    sales_email,
    phone,
    company,
    keep,
  };
}
