import type { Shop } from "../content-schema/shop.ts";

/**
 * What the API must know of the shop, for .session/store.json. Every field is always present; null where it doesn't apply.
 * `takesCards`: whether cards can be charged, which the environment says. The API reads it strictly (api/selling/shop/facts.ts), so both change together.
 */
export function shopFacts(shop: Shop, takesCards: boolean): object {
  const { name, base_url, locale, currency, prices_include_tax, tax, shipping, payment, company, keep } = shop;
  const { sales_email, phone } = shop;
  const { handling_days, zones = [] } = shipping ?? {};
  const transfer = payment?.transfer;
  return {
    name,
    base_url,
    locale,
    currency,
    prices_include_tax,
    tax: { ...tax, registration: tax.registration ?? null },
    shipping: shipping
      ? { handling_days, zones: zones.map((zone) => ({ ...zone, free_from: zone.free_from ?? null })) }
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
    sales_email,
    phone,
    company,
    keep,
  };
}
