import type { Availability } from "../../../api/contract/availability.ts";
import { addressCountry, placeCode } from "../../../api/contract/territories.ts";
import type { Specification, Variant } from "../../content-schema/product.ts";
import { shippingRate, workingDays } from "../../content-schema/shipping.ts";
import { absoluteUrl } from "../../urls/paths.ts";
import { merchantId } from "../resources/merchant-id.ts";
import { shop } from "../settings/shop.ts";
import { type Product, versionsPath } from "../shop/catalogue.ts";
import { describeOptions, variantTitle } from "../shop/display-text.ts";
import { mediaTypes, type ProductDocument } from "../shop/documents.ts";
import { optionProperty } from "../shop/option-property.ts";
import { priceWithTax } from "../shop/tax.ts";
import { ownSpecifications } from "../shop/version-specifications.ts";
import { returnPolicy } from "./organization.ts";

const schemaAvailability: Record<Availability, string> = {
  in_stock: "https://schema.org/InStock",
  preorder: "https://schema.org/PreOrder",
  backorder: "https://schema.org/BackOrder",
  out_of_stock: "https://schema.org/OutOfStock",
};

/**
 * A Product of schema.org for Google's merchant listings; with several variants a ProductGroup of one Product each. Prices are
 * decimal strings including tax.
 *
 * @param pictures the absolute URLs of its pictures
 * @see https://developers.google.com/search/docs/appearance/structured-data/merchant-listing
 * @see https://developers.google.com/search/docs/appearance/structured-data/product-variants
 */
export function productJsonLd(product: Product, pictures: readonly string[]): object {
  const [only, second] = product.variants;
  return {
    "@context": "https://schema.org",
    "@type": second ? "ProductGroup" : "Product",
    name: product.title,
    description: product.summary,
    url: absoluteUrl(product.path, shop.base_url),
    image: pictures,
    brand: { "@type": "Brand", name: product.brand },
    category: product.category.title,
    additionalProperty: product.specifications.map(toProperty),
    ...(product.documents.length > 0 && { subjectOf: product.documents.map(documentJsonLd) }),
    ...(only && (second ? variantsOf(product, pictures) : offered(product, only))),
  };
}

const toProperty = (specification: Specification) => ({ "@type": "PropertyValue", ...specification });

const documentJsonLd = ({ title, href, language, file }: ProductDocument) => ({
  "@type": "DigitalDocument",
  name: title,
  url: absoluteUrl(href, shop.base_url),
  inLanguage: language,
  ...(file && { encodingFormat: mediaTypes[file.type] }),
});

/** The variants of a ProductGroup. Its id is the `item_group_id` of the merchant feed. */
function variantsOf(product: Product, pictures: readonly string[]): object {
  const { slug, title, variants } = product;
  return {
    productGroupID: merchantId(slug),
    variesBy: Object.keys(variants[0]?.options ?? {}).map((name) => {
      const property = optionProperty(name);
      return property === undefined ? name : `https://schema.org/${property}`;
    }),
    hasVariant: variants.map((variant) => ({
      "@type": "Product",
      name: `${title}, ${describeOptions(variant)}`,
      image: pictures[variant.image],
      ...optionsOf(product, variant),
      ...offered(product, variant),
    })),
  };
}

function optionsOf(product: Product, variant: Variant): object {
  const all = Object.entries(variant.options).map(([name, value]) => ({ name, value, property: optionProperty(name) }));
  const own = ownSpecifications(product, variant);
  const others = all.filter(({ name, property }) => property === undefined && own.every((each) => each.name !== name));
  const properties = [...others.map(({ name, value }) => ({ name, value })), ...own];
  return {
    ...Object.fromEntries(all.flatMap(({ property, value }) => (property === undefined ? [] : [[property, value]]))),
    ...(properties.length > 0 && { additionalProperty: properties.map(toProperty) }),
  };
}

const offered = (product: Product, variant: Variant) => ({ ...identify(variant), offers: [offer(product, variant)] });

// Content has only GTIN-13.
const identify = ({ sku, gtin }: Variant) => ({ sku, ...(gtin !== null && { gtin13: gtin }) });

function offer(product: Product, variant: Variant): object {
  const { availability, available_from } = variant;
  const price = priceWithTax(variant.price, shop);
  return {
    "@type": "Offer",
    name: variantTitle(variant, product),
    ...identify(variant),
    price,
    priceSpecification: {
      "@type": "UnitPriceSpecification",
      price,
      priceCurrency: shop.currency,
      valueAddedTaxIncluded: true,
    },
    priceCurrency: shop.currency,
    availability: schemaAvailability[availability],
    ...(available_from !== null && { availabilityStarts: available_from }),
    itemCondition: "https://schema.org/NewCondition",
    url: absoluteUrl(versionsPath(product, [variant]), shop.base_url),
    seller: { "@type": "Organization", name: shop.name, url: absoluteUrl("/", shop.base_url) },
    shippingDetails: shippingDetails(variant),
    hasMerchantReturnPolicy: returnPolicy(),
  };
}

/**
 * The price, including tax, and time of delivering one piece, one OfferShippingDetails for each zone; undefined if
 * store.yaml has no `shipping`. Territories without a country code of their own are left out, since search engines
 * would take their price for the country's. The handling time is stated only for variants in stock.
 */
function shippingDetails({ price, availability }: Pick<Variant, "price" | "availability">) {
  const { shipping, currency } = shop;
  return shipping?.zones.flatMap((zone) => {
    const countries = zone.countries.map(placeCode).filter((code) => addressCountry(code) === code);
    if (countries.length === 0) return [];
    return {
      "@type": "OfferShippingDetails",
      shippingRate: { "@type": "MonetaryAmount", value: priceWithTax(shippingRate(zone, price), shop), currency },
      shippingDestination: countries.map((code) => ({ "@type": "DefinedRegion", addressCountry: code })),
      deliveryTime: {
        "@type": "ShippingDeliveryTime",
        ...(availability === "in_stock" && { handlingTime: days(shipping.handling_days) }),
        transitTime: days(zone.transit_days),
        businessDays,
      },
    };
  });
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
