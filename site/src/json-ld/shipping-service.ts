import { payableDigits } from "../../../api/contract/currencies.ts";
import { formatMoney, parseMoney } from "../../../api/contract/money.ts";
import { addressCountry, placeCode } from "../../../api/contract/territories.ts";
import { methodsOf, workingDays } from "../../content-schema/shipping.ts";
import { shop } from "../settings/shop.ts";
import { priceWithTax } from "../shop/tax.ts";

/**
 * `shipping` of store.yaml as a ShippingService of the shop: the price, including tax, and time of delivering an order, by its value
 * and country; undefined if it isn't there. Territories without a country code of their own are left out, since search engines
 * would take their price for the country's.
 *
 * @see https://developers.google.com/search/docs/appearance/structured-data/shipping-policy
 */
export function shippingService() {
  const { shipping } = shop;
  return (
    shipping && {
      "@type": "ShippingService",
      handlingTime: period(shipping.handling_days),
      shippingConditions: shipping.zones.flatMap((zone) =>
        methodsOf(zone).flatMap((method) => {
          const countries = zone.countries.map(placeCode).filter((code) => addressCountry(code) === code);
          if (countries.length === 0) return [];
          const {
            tiers: [{ price } = { price: "0" }],
            free_from,
            transit_days,
          } = method;
          const condition = (rate: string, orderValue?: { minValue: string } | { maxValue: string }) => ({
            "@type": "ShippingConditions",
            shippingDestination: countries.map((code) => ({ "@type": "DefinedRegion", addressCountry: code })),
            ...(orderValue && { orderValue: { ...money, ...orderValue } }),
            shippingRate: { ...money, value: priceWithTax({ price: rate, tax_class: null }, shop) },
            transitTime: period(transit_days),
          });
          if (free_from === null) return condition(price);
          const least = priceWithTax({ price: free_from, tax_class: null }, shop);
          return [
            condition(price, { maxValue: justBelow(least) }),
            condition(price.replace(/\d/g, "0").replace(/^0+(?=0)/, ""), { minValue: least }),
          ];
        }),
      ),
    }
  );
}

const money = { "@type": "MonetaryAmount", currency: shop.currency };

/** The next lower amount that can be paid. */
function justBelow(amount: string): string {
  const digits = payableDigits(shop.currency);
  return formatMoney(parseMoney(amount) - 10n ** BigInt(4 - digits), digits);
}

/** A span of working days. */
const period = ({ min, max }: { min: number; max: number }) => ({
  "@type": "ServicePeriod",
  duration: { "@type": "QuantitativeValue", minValue: min, maxValue: max, unitCode: "DAY" },
  businessDays: workingDays.map((day) => `https://schema.org/${day}`),
});
