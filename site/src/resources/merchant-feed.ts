import type { ImageMetadata } from "astro";
import { formatMoney, parseMoney } from "../../../api/contract/money.ts";
import { amountOf, baseUnit } from "../../../api/contract/price-per-unit.ts";
import type { Specification, Variant } from "../../content-schema/product.ts";
import { leastParcel } from "../../content-schema/shipping.ts";
import type { Shop } from "../../content-schema/shop.ts";
import { LEAST_FEED_SIDE_PX, publishedSize } from "../../pictures/picture-sizes.ts";
import { absoluteUrl, homePath } from "../../urls/paths.ts";
import { fullTitle, type Product, versionsPath } from "../shop/catalogue.ts";
import { optionProperty } from "../shop/option-property.ts";
import { rasterImageUrl } from "../shop/raster-image.ts";
import { deliveryAtHome } from "../shop/shipping-and-returns.ts";
import { priceWithTax } from "../shop/tax.ts";
import { ownSpecifications } from "../shop/version-specifications.ts";
import { escapeXml } from "../words/markup.ts";
import { merchantId } from "./merchant-id.ts";

/**
 * Writes the catalogue for Google Merchant Center: RSS 2.0 with the namespace g, one item for each variant. Prices include tax and
 * have a currency, `189.00 EUR`; attributes that don't apply to a variant are omitted, and `product_detail` has only what tells a
 * variant from its product. A pre-order or back-order without an expected day is left out, since Google requires one
 * (`availability_date`). Delivery prices are set in the Merchant Center account, because repeating those of every country in each item
 * would multiply the size of the feed; only the choice of methods at home is in it.
 *
 * @see https://support.google.com/merchants/answer/7052112
 */
export async function* writeMerchantFeed(products: readonly Product[], shop: Shop): AsyncGenerator<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">\n<channel>\n`;
  yield `<title>${escapeXml(shop.name)}</title>\n<link>${absoluteUrl(homePath, shop.base_url)}</link>\n<description>${escapeXml(shop.description)}</description>\n`;
  for (const product of products) {
    const pictures = await Promise.all(product.images.map(({ src }) => feedPicture(src)));
    for (const variant of product.variants.filter(canBeListed))
      yield `<item>\n${writeItem(product, variant, pictures, shop)}</item>\n`;
  }
  yield "</channel>\n</rss>\n";
}

const canBeListed = ({ availability, available_from }: Variant) =>
  available_from !== null || (availability !== "preorder" && availability !== "backorder");

/** The address of a picture; undefined for one that is too small for Google, which the content check names. */
const feedPicture = (picture: ImageMetadata): Promise<string> | undefined => {
  const { width, height } = publishedSize(picture);
  return Math.min(width, height) < LEAST_FEED_SIDE_PX ? undefined : rasterImageUrl(picture);
};

function writeItem(product: Product, variant: Variant, pictures: (string | undefined)[], shop: Shop): string {
  const { title, summary, brand, category, slug, variants } = product;
  const { sku, gtin, availability, available_from, options } = variant;
  const { weight_g } = leastParcel(variant);
  const picture = pictures[variant.image] ?? pictures.find((url) => url !== undefined);
  const others = pictures.filter((url) => url !== picture);
  const own = Object.entries(options).filter(([name]) => optionProperty(name) !== undefined);
  const named = Object.entries(options).filter(([name]) => optionProperty(name) === undefined);
  return [
    write("id", merchantId(sku)),
    write("item_group_id", variants.length > 1 ? merchantId(slug) : undefined),
    write("title", [title, ...named.map(([, value]) => value)].join(", ")),
    write("description", summary),
    write("link", absoluteUrl(versionsPath(product, [variant]), shop.base_url)),
    write("image_link", picture),
    // Google accepts ten additional pictures.
    ...others.slice(0, 10).map((url) => write("additional_image_link", url)),
    write("availability", availability),
    // Google requires a time with its zone.
    write("availability_date", available_from === null ? undefined : `${available_from}T00:00Z`),
    // Google wants the price of the least that can be ordered (https://support.google.com/merchants/answer/6324371).
    write("price", `${timesLeast(priceWithTax(variant, shop), variant)} ${shop.currency}`),
    ...writeMeasure(variant),
    write("brand", brand),
    write("gtin", gtin ?? undefined),
    write("identifier_exists", gtin === null ? "no" : undefined),
    write("condition", variant.condition),
    // Of as many pieces as the price is of. Google takes up to 1,000 kg. By them, Merchant Center can reckon what delivery costs elsewhere.
    write("shipping_weight", weight_g === null || weight_g > 1_000_000 ? undefined : `${weight_g} g`),
    // Without methods the account's settings hold: so they do for other countries, whose prices aren't in this feed either.
    ...deliveryAtHome(variant).map((way) => writeDelivery(way, shop)),
    write("product_type", fullTitle(category, " > ")),
    ...own.map(([name, value]) => write(optionProperty(name) ?? name, value)),
    ...ownSpecifications(product, variant).map(writeDetail),
  ].join("");
}

const timesLeast = (price: string, { order_quantity: { least } }: Variant): string =>
  least === 1 ? price : formatMoney(parseMoney(price) * BigInt(least), price.split(".")[1]?.length ?? 0);

/** Google's names of the units in which prices are given; it knows no others. */
const googleUnits: Readonly<Record<string, string>> = {
  mg: "mg",
  g: "g",
  kg: "kg",
  ml: "ml",
  cl: "cl",
  l: "l",
  cm: "cm",
  m: "m",
  "m²": "sqm",
  "m³": "cbm",
  piece: "ct",
};

/**
 * How much the price is for, and of how much pages say it; of pieces that are sold by several their number, where nobody wrote
 * what they hold.
 */
function writeMeasure({ content, order_quantity: { least } }: Variant): string[] {
  const held = content ?? (least > 1 ? { amount: "1", unit: "piece", pieces: 1 } : undefined);
  const [unit, base] = held ? [googleUnits[held.unit], googleUnits[baseUnit(held.unit)]] : [];
  if (held === undefined || unit === undefined || base === undefined) return [];
  const amount = amountOf({ ...held, pieces: held.pieces * least });
  return [write("unit_pricing_measure", `${amount} ${unit}`), write("unit_pricing_base_measure", `1 ${base}`)];
}

const writeDelivery = ({ service, price }: { service: string; price: string }, { tax, currency }: Shop) =>
  `<g:shipping>\n${write("country", tax.home)}${write("service", service)}${write("price", `${price} ${currency}`)}</g:shipping>\n`;

const write = (name: string, text: string | undefined) =>
  text === undefined ? "" : `<g:${name}>${escapeXml(text)}</g:${name}>\n`;

const writeDetail = ({ name, value }: Specification) =>
  `<g:product_detail>\n${write("attribute_name", name)}${write("attribute_value", value)}</g:product_detail>\n`;
