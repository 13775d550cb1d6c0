import type { FeedProduct } from "../../../api/contract/built-files/products.ts";
import type { Variant } from "../../content-schema/product.ts";
import type { Shop } from "../../content-schema/shop.ts";
import { homeRate } from "../../content-schema/tax.ts";
import { absoluteUrl } from "../../urls/paths.ts";
import type { Product } from "../shop/catalogue.ts";
import { variantTitle } from "../shop/display-text.ts";
import { largestPath, thumbnailPath } from "../shop/raster-image.ts";
import { ownSpecifications } from "../shop/version-specifications.ts";
import { writeJson } from "./answer-in-pieces.ts";

/** The public catalogue in products.json, which the API imports. */
export const writeProductFeed = (products: readonly Product[], shop: Shop): AsyncGenerator<string> =>
  writeJson({}, "products", products, (product) => describeProduct(product, shop));

async function describeProduct(product: Product, shop: Shop): Promise<FeedProduct> {
  const { slug, formerly, title, brand, summary, category, images, specifications, variants } = product;
  return {
    slug,
    formerly,
    url: absoluteUrl(product.path, shop.base_url),
    title,
    description: summary,
    brand,
    category: category.slug,
    images: await Promise.all(
      images.map(async ({ src, alt }) => {
        const [url, thumbnail] = await Promise.all([largestPath(src), thumbnailPath(src)]);
        return { url: absoluteUrl(url, shop.base_url), alt, thumbnail: absoluteUrl(thumbnail, shop.base_url) };
      }),
    ),
    specifications,
    variants: variants.map((variant) => describeVariant(product, variant, shop)),
  };
}

function describeVariant(product: Product, variant: Variant, shop: Shop): FeedProduct["variants"][number] {
  const { sku, gtin, barcode, options, price, availability, available_from, image } = variant;
  return {
    sku,
    gtin,
    barcode,
    title: variantTitle(variant, product),
    options,
    specifications: ownSpecifications(product, variant),
    price,
    currency: shop.currency,
    prices_include_tax: shop.prices_include_tax,
    tax_rate: homeRate(shop.tax),
    availability,
    available_from,
    image,
  };
}
