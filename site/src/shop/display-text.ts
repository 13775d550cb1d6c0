import type { Availability } from "../../../api/contract/availability.ts";
import { displayMoney, displayRate, withoutMarks } from "../../../api/contract/money.ts";
import { pricePerUnit, unitShown } from "../../../api/contract/price-per-unit.ts";
import { compareAmounts } from "../../content-schema/money.ts";
import type { Variant } from "../../content-schema/product.ts";
import { homeRate } from "../../content-schema/tax.ts";
import { productsPerPage } from "../../urls/pagination.ts";
import { shop } from "../settings/shop.ts";
import { isolate } from "../words/isolate.ts";
import { element } from "../words/markup.ts";
import { words } from "../words/words.ts";
import type { Category } from "./catalogue.ts";
import type { ProductDocument } from "./documents.ts";
import { groupByOffer, MAX_LISTED_VERSIONS, offerOf, pricesOf } from "./offer.ts";
import type { PriceRange } from "./price-ranges.ts";
import { unitPrice } from "./tax.ts";

/** Availability in words, never by colour alone. */
export const describeAvailability = (availability: Availability): string => words.availability[availability];

/**
 * A variant's availability, with the day if it is known: `On back-order (expected 2 October 2026)`, or with what is left:
 * `In stock, last pieces`.
 */
export function describeStock({ availability, available_from, few_left }: Variant): string {
  const stock = describeAvailability(availability);
  if (few_left) return words.fewLeft({ availability: stock });
  return available_from === null
    ? stock
    : words.expected({ availability: stock, day: isolate(describeDate(available_from)) });
}

/** The description of a page of a category, counted from 1, different for each page. */
export function describeCategoryPage({ title, summary, products }: Category, page: number): string {
  if (page === 1) return summary;
  const [first, last] = [(page - 1) * productsPerPage + 1, Math.min(page * productsPerPage, products.length)];
  const values = { title, min: first, max: last, count: products.length };
  return first === last ? words.category.oneOnPage(values) : words.category.severalOnPage(values);
}

/** The title of a page of a category's comparison. */
export function describeComparison({ title }: Category, page: number): string {
  const comparison = words.comparison.title({ category: title });
  return page === 1 ? comparison : words.category.page({ title: comparison, page });
}

/** A price as shown, in the shop's currency and locale: `€1,189.00`. */
export const describePrice = (amount: string): string => displayMoney(amount, shop.currency, shop.locale);

/** A range of prices as a filter: `€50 to €100`, `Under €50`. */
export function describePriceRange({ from, to }: PriceRange): string {
  const describe = (amount: number) => withoutMarks(roundPrice.format(amount));
  if (to === undefined) return words.price.atLeast({ price: describe(from ?? 0) });
  return from === undefined
    ? words.price.under({ price: describe(to) })
    : words.price.between({ from: describe(from), to: describe(to) });
}

const roundPrice = new Intl.NumberFormat(shop.locale, {
  style: "currency",
  currency: shop.currency,
  maximumFractionDigits: 0,
});

/**
 * The price that is read first, without tax: `€123.14`, or `from €123.14` if others of the variants cost more; of many
 * variants `€123.14 to €150.00`.
 */
export function describeOfferPrice(variants: readonly Variant[], areMany?: boolean): string {
  const [from = "", to] = pricesOf(variants, areMany).map((priced) => describePrice(unitPrice(priced, shop).net));
  if (to !== undefined) return words.price.between({ from, to });
  return offerOf(variants).isFrom ? words.price.from({ price: from }) : from;
}

/** The rate at home of goods of a class: `21%`. */
const describeTaxRate = (taxClass: string | null) => displayRate(homeRate(shop.tax, taxClass), shop.locale);

/** The tax that prices of a class include or exclude in content/: `incl. 21% VAT`. */
const taxNoteOf = (taxClass: string | null) =>
  words.price[shop.prices_include_tax ? "taxed" : "untaxed"]({
    rate: describeTaxRate(taxClass),
    tax: shop.tax.name,
  });

/** The tax that prices of delivery in content/ include or exclude: `incl. 21% VAT`, or `incl. VAT` where it goes by the goods. */
export const deliveryTaxNote =
  Object.keys(shop.tax.classes).length === 0
    ? taxNoteOf(null)
    : words.price[shop.prices_include_tax ? "taxedBy" : "untaxedBy"]({ tax: shop.tax.name });

/**
 * What follows the price that is read first: `net (€149.00 with VAT)`, with the rate where a product is ordered, `net (€149.00
 * with 21% VAT)`; or `incl. 0% VAT` where no tax is charged. Then the price of a unit, where it is known. `areMany`: as of
 * describeOfferPrice().
 */
export function describePriceNote(
  variants: readonly Variant[],
  { areMany, hasRate = false }: { areMany?: boolean | undefined; hasRate?: boolean } = {},
): string {
  const price = describeGrossPrice(variants, areMany);
  // Versions of a product are taxed alike.
  const taxClass = variants[0]?.tax_class ?? null;
  const tax = hasRate ? `${describeTaxRate(taxClass)} ${shop.tax.name}` : shop.tax.name;
  const note = price === undefined ? isolate(taxNoteOf(taxClass)) : netAnd(price, tax);
  return [note, ...perUnit(variants)].join(", ");
}

const netAnd = (price: string, tax: string): string =>
  words.price.netAnd({ withTax: words.price.withTax({ price, tax: isolate(tax) }) });

/**
 * What a unit of what a piece holds costs, by Directive 98/6/EC: `€2.18 / m net (€2.64 with VAT)`, of versions that differ the
 * lowest, `from €2.18 / m …`; none where no version says what it holds.
 */
function perUnit(variants: readonly Variant[]): string[] {
  const all = variants.flatMap((variant) => {
    const { content } = variant;
    if (content === null) return [];
    const { net, gross } = unitPrice(variant, shop);
    const { many, text: unit } = unitShown(net, content, shop.currency);
    const priceOf = (price: string) => pricePerUnit(price, content, shop.currency, many);
    return { net: priceOf(net), gross: gross && priceOf(gross), unit };
  });
  const alike = all.filter(({ unit }) => unit === all[0]?.unit).sort((a, b) => compareAmounts(a.net, b.net));
  const [lowest, highest] = [alike[0], alike.at(-1)];
  if (lowest === undefined) return [];
  const price = words.price.perUnit({ price: describePrice(lowest.net), unit: isolate(lowest.unit) });
  const from = lowest.net === highest?.net ? price : words.price.from({ price });
  return [lowest.gross ? `${from} ${netAnd(describePrice(lowest.gross), shop.tax.name)}` : from];
}

/** `Refurbished`; undefined for what is new. */
export const describeCondition = ({ condition }: Variant): string | undefined =>
  condition === "new" ? undefined : words.product.conditions[condition];

/** A product's title, with its condition where it isn't new: lists and links have no other place for it. */
export function listTitle({ title, variants: [first] }: { title: string; variants: readonly Variant[] }): string {
  const condition = first?.condition ?? "new";
  return condition === "new" ? title : words.product.inCondition[condition]({ title });
}

/** The same price with tax, without a word; undefined where no tax is charged. */
function describeGrossPrice(variants: readonly Variant[], areMany?: boolean): string | undefined {
  const [from, to] = pricesOf(variants, areMany)
    .flatMap((priced) => unitPrice(priced, shop).gross ?? [])
    .map(describePrice);
  return from !== undefined && to !== undefined ? words.price.between({ from, to }) : from;
}

/** A cheaper variant that one has to wait for: `Cheaper version at €139.67 net (€169.00 with VAT): On back-order`; undefined if there is none. */
export function describeCheaper(variants: readonly Variant[]): string | undefined {
  const { cheaper } = offerOf(variants);
  if (cheaper === undefined) return undefined;
  const price = `${describeOfferPrice([cheaper])} ${describePriceNote([cheaper])}`;
  return words.price.cheaper({ price, availability: describeStock(cheaper) });
}

/** A text about a product's variants; one that isn't the same for all is given for each, `USB: 1.5 m; RS-232: 2 m`. */
export function describeEach(variants: readonly Variant[], textOf: (variant: Variant) => string): string {
  const groups = [...Map.groupBy(variants, textOf)];
  const [first, ...others] = groups;
  if (first !== undefined && others.length === 0) return first[0];
  // `1D, 2D` may be two versions, or the name of one.
  const isClear = !variants.some((variant) => describeOptions(variant).includes(","));
  return (isClear ? groups : variants.map((variant) => [textOf(variant), [variant]] as const))
    .map(([value, versions]) => words.product.ofVersions({ versions: versions.map(describeOptions).join(", "), value }))
    .join("; ");
}

/** The stock of some versions: `In stock`, or if they can't all be had alike `In stock in 3 of 4 versions`, the best one's. */
export function describeStockOf(variants: readonly Variant[]): string {
  const { availability } = offerOf(variants).best;
  const [stock = "", ...others] = new Set(variants.map(describeStock));
  if (others.length === 0) return stock;
  const some = variants.filter((variant) => variant.availability === availability).length;
  const text = describeAvailability(availability);
  return some === variants.length ? text : words.someVersions({ availability: text, some, count: variants.length });
}

/**
 * What each of some versions costs, and whether it can be had: `Black: €99.17 net (€120.00 with VAT) · In stock; White: …`.
 * Versions that are alike are together; of a product with many, all are (`isOfMany`).
 */
export function describeOffers(variants: readonly Variant[], isOfMany: boolean): string {
  return (isOfMany ? [variants] : groupByOffer(variants))
    .map((alike) => {
      const value = `${describeOfferPrice(alike)} ${describePriceNote(alike)} · ${describeStockOf(alike)}`;
      return words.product.ofVersions({ versions: describeVersions(alike, isOfMany), value });
    })
    .join("; ");
}

/** How versions of a product are called: `Black / USB, White / USB`; of many the options' values, `Colour: Black, White; Size: S, M`. */
export const describeVersions = (
  variants: readonly Variant[],
  areMany = variants.length > MAX_LISTED_VERSIONS,
): string =>
  areMany
    ? optionValues(variants)
        .map(({ name, value }) => `${name}: ${value}`)
        .join("; ")
    : variants.map(describeOptions).join(", ");

/** The values of each option, to describe many variants: `Colour`, `Black, White`. */
export function optionValues(variants: readonly Variant[]): { name: string; value: string }[] {
  const names = Object.keys(variants[0]?.options ?? {});
  return names.map((name) => ({
    name,
    value: [...new Set(variants.flatMap(({ options }) => options[name] ?? []))].join(", "),
  }));
}

/** A variant's options: `Black / USB`; empty if it doesn't have any. */
export const describeOptions = ({ options }: Variant): string => Object.values(options).join(" / ");

/** A variant's name: its options, such as `Black / USB`, or the product's title if it doesn't have options. */
export const variantTitle = (variant: Variant, product: { title: string }): string =>
  describeOptions(variant) || product.title;

const languageNames = new Intl.DisplayNames(shop.locale, { type: "language" });
const kilobytes = new Intl.NumberFormat(shop.locale, { style: "unit", unit: "kilobyte", maximumFractionDigits: 0 });

/** What a document is: `Manual, English, PDF, 24 kB`, or the website instead of type and size. */
export function describeDocument({ kind, language, href, file }: ProductDocument): string {
  const place = file ? [file.type.toUpperCase(), kilobytes.format(Math.ceil(file.bytes / 1000))] : [new URL(href).host];
  return [words.product.documentKinds[kind], languageNames.of(language), ...place].join(", ");
}

const dateFormat = new Intl.DateTimeFormat(shop.locale, { dateStyle: "long", timeZone: "UTC" });

/** A day as shown: `2 October 2026` for `2026-10-02`. */
export const describeDate = (date: string): string => dateFormat.format(new Date(date));

/** The same as a `<time>`. */
export const timeElement = (date: string): string => element("time", { datetime: date })(describeDate(date));
