import type { Variant } from "../../content-schema/product.ts";
import { shippingRate, workingDays } from "../../content-schema/shipping.ts";
import { store } from "../settings/shop.ts";
import { priceWithTax } from "../shop/tax.ts";

/**
 * What the delivery of one piece costs, tax included, and how long it takes, one OfferShippingDetails a zone; undefined where store.yaml
 * says nothing. The time until a parcel leaves holds for what is in stock, and is not said of anything else.
 */
export function shippingDetails({ price, availability }: Pick<Variant, "price" | "availability">) {
  const { shipping, currency } = store;
  return shipping?.zones.map((zone) => ({
    "@type": "OfferShippingDetails",
    shippingRate: { "@type": "MonetaryAmount", value: priceWithTax(shippingRate(zone, price), store), currency },
    shippingDestination: zone.countries.map((code) => ({ "@type": "DefinedRegion", addressCountry: code })),
    deliveryTime: {
      "@type": "ShippingDeliveryTime",
      ...(availability === "in_stock" && { handlingTime: days(shipping.handling_days) }),
      transitTime: days(zone.transit_days),
      businessDays,
    },
  }));
}

const businessDays = {
  "@type": "OpeningHoursSpecification",
  dayOfWeek: workingDays.map((day) => `https://schema.org/${day}`),
};

const days = ({ min, max }: { min: number; max: number }) => ({
  "@type": "QuantitativeValue",
  minValue: min,
  maxValue: max,
  unitCode: "DAY",
});
