import type { Product } from "./catalogue.ts";
import type { Availability, Variant } from "./content/product.ts";
import { absoluteUrl } from "./paths.ts";
import { store } from "./store.ts";
import { variantTitle } from "./wording.ts";

const schemaAvailability: Record<Availability, string> = {
  in_stock: "https://schema.org/InStock",
  preorder: "https://schema.org/PreOrder",
  backorder: "https://schema.org/BackOrder",
  out_of_stock: "https://schema.org/OutOfStock",
};

/** A product as schema.org describes it: one Offer a variant. Prices are decimal strings, as they are in content/. */
export function productJsonLd(product: Product): object {
  const [only, second] = product.variants;
  const { sku, gtin13 } = only && !second ? identify(only) : {};
  return {
    "@context": "https://schema.org",
    "@type": "Product",
    name: product.title,
    description: product.summary,
    url: absoluteUrl(product.path, store.base_url),
    image: product.images.map(({ src }) => absoluteUrl(src.src, store.base_url)),
    brand: { "@type": "Brand", name: product.brand },
    category: product.category.title,
    sku,
    gtin13,
    additionalProperty: product.specifications.map((property) => ({ "@type": "PropertyValue", ...property })),
    offers: product.variants.map((variant) => offer(product, variant)),
  };
}

/** JSON that may stand in a `<script>`: no `<` in it can end the element (HTML standard, 4.12.1.3). */
export function scriptJson(value: object): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}

const identify = ({ sku, gtin }: Variant) => ({ sku, ...(gtin !== null && { gtin13: gtin }) });

function offer(product: Product, variant: Variant): object {
  const { price, availability } = variant;
  return {
    "@type": "Offer",
    name: variantTitle(variant, product),
    ...identify(variant),
    price,
    priceCurrency: store.currency,
    priceSpecification: {
      "@type": "UnitPriceSpecification",
      price,
      priceCurrency: store.currency,
      valueAddedTaxIncluded: store.prices_include_tax,
    },
    availability: schemaAvailability[availability],
    url: absoluteUrl(product.path, store.base_url),
  };
}
