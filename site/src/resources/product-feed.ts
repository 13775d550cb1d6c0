import type { FeedProduct } from "../../../api/contract/built-files/products.ts";
import type { Variant } from "../../content-schema/product.ts";
import type { Shop } from "../../content-schema/shop.ts";
import { homeRate } from "../../content-schema/tax.ts";
import { absoluteUrl, buyPath } from "../../urls/paths.ts";
import { type Product, versionsPath } from "../shop/catalogue.ts";
import { variantTitle } from "../shop/display-text.ts";
import { isOrderable, sellsOnline } from "../shop/ordering.ts";
import { largestPath, thumbnailPath } from "../shop/raster-image.ts";
import { unitPrice } from "../shop/tax.ts";
import { ownSpecifications } from "../shop/version-specifications.ts";
import { writeJson } from "./answer-in-pieces.ts";

/** The public catalogue in products.json, which the API imports. */
export const writeProductFeed = (products: readonly Product[], shop: Shop): AsyncGenerator<string> =>
  writeJson({}, "products", products, (product) => describeProduct(product, shop));

async function describeProduct(product: Product, shop: Shop): Promise<FeedProduct> {
  const { slug, formerly, title, brand, summary, category, images, specifications, variants, updated } = product;
  const urlOf = ({ path }: Product) => absoluteUrl(path, shop.base_url);
  return {
    slug,
    formerly,
    url: urlOf(product),
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
    works_with: product.worksWith.map((relation) => ({
      url: urlOf(relation.product),
      skus: skusAmong(relation.product, relation.variants),
      own_skus: skusAmong(product, relation.own),
      together_with: relation.third ? urlOf(relation.third) : null,
      reason: relation.reason,
    })),
    does_not_work_with: product.doesNotWorkWith.map((other) => ({ url: urlOf(other.product), reason: other.reason })),
    similar: product.similar.map(urlOf),
    updated: updated ?? null,
    categories: product.listedIn.map((each) => each.slug),
  };
}

/** Null for all of a product's variants, which may be hundreds. */
const skusAmong = ({ variants }: Product, some: readonly Variant[]): string[] | null =>
  some.length < variants.length ? some.map(({ sku }) => sku) : null;

function describeVariant(product: Product, variant: Variant, shop: Shop): FeedProduct["variants"][number] {
  const { sku, gtin, barcode, options, price, availability, available_from, when_sold_out, image } = variant;
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
    tax_rate: homeRate(shop.tax, variant.tax_class),
    availability,
    available_from,
    image,
    price_net: unitPrice(variant, shop).net,
    order_url:
      sellsOnline && isOrderable(variant)
        ? absoluteUrl(buyPath(sku, variant.order_quantity.least), shop.base_url)
        : null,
    when_sold_out,
    url: absoluteUrl(versionsPath(product, [variant]), shop.base_url),
    weight_g: variant.weight_g,
    tax_class: variant.tax_class,
    condition: variant.condition,
    content: variant.content,
    order_quantity: variant.order_quantity,
  };
}
