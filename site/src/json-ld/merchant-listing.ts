import type { Availability } from "../../../api/contract/availability.ts";
import type { Condition } from "../../../api/contract/conditions.ts";
import { amountOf, baseUnit } from "../../../api/contract/price-per-unit.ts";
import type { Specification, Variant } from "../../content-schema/product.ts";
import { absoluteUrl } from "../../urls/paths.ts";
import { merchantId } from "../resources/merchant-id.ts";
import { shop } from "../settings/shop.ts";
import { fullTitle, type Product, versionsPath } from "../shop/catalogue.ts";
import { describeOptions, variantTitle } from "../shop/display-text.ts";
import { mediaTypes, type ProductDocument } from "../shop/documents.ts";
import { offerOf, pricesOf } from "../shop/offer.ts";
import { optionProperty } from "../shop/option-property.ts";
import { priceWithTax } from "../shop/tax.ts";
import { ownSpecifications } from "../shop/version-specifications.ts";

const schemaAvailability: Record<Availability, string> = {
  in_stock: "https://schema.org/InStock",
  preorder: "https://schema.org/PreOrder",
  backorder: "https://schema.org/BackOrder",
  out_of_stock: "https://schema.org/OutOfStock",
};

const schemaCondition: Record<Condition, string> = {
  new: "https://schema.org/NewCondition",
  used: "https://schema.org/UsedCondition",
  refurbished: "https://schema.org/RefurbishedCondition",
};

/** Of more versions the lowest and the highest price are given. */
const MAX_OFFERS = 60;

/**
 * A Product of schema.org for Google's merchant listings; with several variants a ProductGroup of one Product each. Prices are
 * decimal strings including tax. Delivery and returns are the shop's (organization.ts).
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
    ...(product.maker && { manufacturer: manufacturer(product.maker) }),
    category: fullTitle(product.category, " > "),
    additionalProperty: product.specifications.map(toProperty),
    ...(product.documents.length > 0 && { subjectOf: product.documents.map(documentJsonLd) }),
    ...(only && (second ? variantsOf(product, pictures) : offered(product, only))),
  };
}

const manufacturer = ({ name, address, email, web }: NonNullable<Product["maker"]>) => ({
  "@type": "Organization",
  ...{ name, address, email, url: web },
});

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
  const { slug, variants } = product;
  return {
    productGroupID: merchantId(slug),
    variesBy: Object.keys(variants[0]?.options ?? {}).map((name) => {
      const property = optionProperty(name);
      return property === undefined ? name : `https://schema.org/${property}`;
    }),
    ...(variants.length > MAX_OFFERS
      ? { offers: rangeOf(variants) }
      : { hasVariant: variants.map((variant) => variantOf(product, variant, pictures)) }),
  };
}

const variantOf = (product: Product, variant: Variant, pictures: readonly string[]) => ({
  "@type": "Product",
  name: `${product.title}, ${describeOptions(variant)}`,
  image: pictures[variant.image],
  ...optionsOf(product, variant),
  ...offered(product, variant),
});

/** The offers of many variants as one. */
function rangeOf(variants: readonly Variant[]): object {
  const prices = pricesOf(variants).map((priced) => priceWithTax(priced, shop));
  return {
    "@type": "AggregateOffer",
    lowPrice: prices.at(0),
    highPrice: prices.at(-1),
    priceCurrency: shop.currency,
    offerCount: variants.length,
    availability: schemaAvailability[offerOf(variants).best.availability],
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
  const { availability, available_from, condition, content, order_quantity } = variant;
  const price = priceWithTax(variant, shop);
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
      ...(content && { referenceQuantity: referenceQuantity(content) }),
    },
    ...(order_quantity.least > 1 && {
      eligibleQuantity: { "@type": "QuantitativeValue", minValue: order_quantity.least },
    }),
    priceCurrency: shop.currency,
    availability: schemaAvailability[availability],
    ...(available_from !== null && { availabilityStarts: available_from }),
    itemCondition: schemaCondition[condition],
    url: absoluteUrl(versionsPath(product, [variant]), shop.base_url),
    seller: { "@type": "Organization", name: shop.name, url: absoluteUrl("/", shop.base_url) },
  };
}

/** UN/CEFACT's codes of units; another is named. */
const unitCodes: Readonly<Record<string, string>> = {
  ...{ mg: "MGM", g: "GRM", kg: "KGM", ml: "MLT", cl: "CLT", dl: "DLT", l: "LTR" },
  ...{ mm: "MMT", cm: "CMT", m: "MTR", "cm²": "CMK", "m²": "MTK", "m³": "MTQ", piece: "C62" },
};

/** What a piece holds, and of how much of it pages say the price. */
function referenceQuantity(content: NonNullable<Variant["content"]>): object {
  const quantity = (value: string, unit: string) => {
    const code = unitCodes[unit];
    return { "@type": "QuantitativeValue", value, ...(code ? { unitCode: code } : { unitText: unit }) };
  };
  return {
    ...quantity(amountOf(content), content.unit),
    valueReference: quantity("1", baseUnit(content.unit)),
  };
}
