import Type, { type Static, type TSchema } from "typebox";
import type { ShopFacts } from "../../contract/built-files/store.ts";
import { PICKUP } from "../../contract/delivery-methods.ts";
import { WayToPay } from "../../contract/schemas.ts";
import { placeOf } from "../../contract/territories.ts";
import { nullable } from "../../platform/http/schema-types.ts";
import { showEmail } from "../../platform/mail/email-address.ts";
import { boundsOf } from "../../selling/catalogue/variants.ts";
import { AddressView, viewAddress } from "../../selling/order-view/order-view.ts";
import { groupIban } from "../../selling/order-view/transfer.ts";
import { describeDeliveries, type Quote, workingDayAfter } from "../../selling/quote/quote.ts";
import { staysInEu } from "../../selling/quote/tax.ts";
import { includesTax, netOf, TaxLineView, viewTaxLines } from "../../selling/quote/tax-line-view.ts";
import { PerUnitView, PriceView, perUnit, pricePieces } from "../../selling/quote/unit-price.ts";
import { PickupView, viewPickup, viewWay, WayView } from "../../selling/quote/way-view.ts";
import { type Asked, priceItems } from "../basket/priced-items.ts";
import { Totals } from "../basket/views.ts";
import { PieceRuleView } from "../product/views.ts";
import {
  allCountries,
  DetailsForm,
  type FieldFault,
  type FieldFaults,
  type FieldName,
  isCollecting,
} from "./details.ts";
import {
  availabilityKey,
  changedParts,
  lineKey,
  type Offer,
  type OrderableLine,
  PARTS,
  type Part,
  pricesWhenAdded,
  type Shown,
  waysToPayOffer,
} from "./offer.ts";
import type { Checkout } from "./queries.ts";

const text = Type.String();
const textOrNull = nullable(text);

/**
 * Why nothing can be ordered: the basket is empty, nothing in it is available, something isn't sold in this number of pieces, the
 * shop doesn't sell online, or no way of delivery takes it to the address.
 */
const Obstacle = nullable(Type.Enum(["empty", "sold_out", "pieces", "closed", "undeliverable"]));
export type Obstacle = Static<typeof Obstacle>;

/** `message` is the key of a word; `field` the id of what it is about. */
const Errors = Type.Array(Type.Object({ field: text, message: text }));

const names = Object.keys(DetailsForm.properties) as FieldName[];
const everyField = <T extends TSchema>(schema: T) => Type.Record(Type.KeyOf(DetailsForm), schema);

const CountryParts = Type.Object({ country: text, parts: Type.Array(text) });

export const checkoutPage = {
  template: "checkout",
  view: Type.Object({
    obstacle: Obstacle,
    sales_email: text,
    errors: Errors,
    /** False in a shop outside the EU and where goods are collected: no VAT number changes their tax. */
    vat_id_matters: Type.Boolean(),
    /** What was entered; a box is "yes" or empty. */
    values: everyField(text),
    /** The keys of words, as in `errors`. */
    faults: everyField(textOrNull),
    /** ISO 3166, by name. */
    countries: Type.Array(text),
    /** Whether the form is of who collects the goods, so that its address is the invoice's. */
    collects: Type.Boolean(),
    /** Where goods can be collected; null if nowhere. */
    pickup: nullable(PickupView),
    /** Territories of these that the shop doesn't deliver to. */
    unserved: Type.Array(CountryParts),
    /** Territories alone that the shop delivers to, of those that it doesn't deliver to itself. */
    served_only: Type.Array(CountryParts),
    /** It's heavier, or more, than any delivery to the country of the form takes. */
    is_undeliverable: Type.Boolean(),
    /** What will be ordered, for the country of the form as far as it is known; null with an obstacle. */
    summary: nullable(
      Type.Object({
        lines: Type.Array(Type.Object({ name: text, version: textOrNull, quantity: text, total: nullable(PriceView) })),
        country: text,
        /** Where the goods are collected; null where they are delivered. */
        pickup: nullable(PickupView),
        totals: Totals,
      }),
    ),
  }),
};

interface CheckoutState {
  shop: ShopFacts;
  obstacle: Obstacle;
  /** What will be ordered. */
  lines: readonly OrderableLine[];
}

/** The page of the form, filled with `form`. `place` is the country or territory of delivery, if it isn't the form's. */
export function viewCheckout(
  { shop, obstacle, lines }: CheckoutState,
  form: DetailsForm,
  faults: FieldFaults = {},
  place = placeOf(form.country_code, form.postal_code) ?? form.country_code,
): Static<typeof checkoutPage.view> {
  const { countries, unserved, only } = describeDeliveries(shop);
  const collects = isCollecting(form);
  const view = (parts: Map<string, string[]>) => [...parts].map(([country, codes]) => ({ country, parts: codes }));
  const messageOf = (name: FieldName) => faults[name] && faultWord(collects ? billingName(name) : name, faults[name]);
  return {
    obstacle,
    sales_email: shop.sales_email,
    errors: names.flatMap((field) => {
      const message = messageOf(field);
      return message ? [{ field, message }] : [];
    }),
    vat_id_matters: !collects && isInEu(shop.tax),
    values: forEveryField((name) => form[name] ?? ""),
    faults: forEveryField((name) => messageOf(name) ?? null),
    countries: collects ? allCountries(shop.locale) : countries,
    collects,
    pickup: viewPickup(shop),
    unserved: collects ? [] : view(unserved),
    served_only: collects ? [] : view(only),
    ...(obstacle === null
      ? viewSummary(shop, lines, { country: place, method: form.method })
      : { is_undeliverable: false, summary: null }),
  };
}

function viewSummary(shop: ShopFacts, orderable: readonly OrderableLine[], asked: Asked) {
  const { items, delivery } = priceItems(shop, orderable, asked);
  const lines = items.map(({ offered: { name, version, quantity, total } }) => ({ name, version, quantity, total }));
  const { totals, country, pickup, is_undeliverable } = delivery;
  return { is_undeliverable, summary: totals && { lines, country, pickup, totals } };
}

const forEveryField = <T>(read: (name: FieldName) => T) =>
  Object.fromEntries(names.map((name) => [name, read(name)])) as Record<FieldName, T>;

/** `checkout.missing.city`; what is wrong in the same way with every field has one word. */
const faultWord = (name: FieldName, fault: FieldFault) =>
  fault === "unreadable" ? "checkout.unreadable" : `checkout.${fault}.${name}`;

/** The name of the same field of a billing address, whose words say so. */
const billingName = (name: FieldName): FieldName =>
  (name !== "company" && names.find((other) => other === `billing_${name}`)) || name;

const Line = Type.Object({
  name: text,
  /** The version's title where the product has several. */
  version: textOrNull,
  sku: text,
  path: text,
  picture: textOrNull,
  availability: text,
  /** YYYY-MM-DD. */
  available_from: textOrNull,
  quantity: Type.Integer(),
  /** As `total`, with tax where the shop's prices include it. */
  unit_price: text,
  per_unit: PerUnitView,
  total: text,
  /** What the customer saw before, where it differs. */
  was_quantity: nullable(Type.Integer()),
  was_price: textOrNull,
  availability_changed: Type.Boolean(),
  is_new: Type.Boolean(),
  /** As Bounds has them (selling/catalogue/variants.ts). */
  left: nullable(Type.Integer()),
  most: nullable(Type.Integer()),
  pieces: PieceRuleView,
});

export const reviewPage = {
  template: "review",
  view: Type.Object({
    obstacle: Obstacle,
    /** Whether goods can be collected. */
    can_collect: Type.Boolean(),
    sales_email: text,
    errors: Errors,
    /** What is in the basket and can't be ordered, so not part of the order. */
    unavailable: Type.Array(
      Type.Object({
        name: text,
        /** Whether the page before offered it. */
        was_shown: Type.Boolean(),
      }),
    ),
    /** Null with an obstacle. */
    offer: nullable(
      Type.Object({
        lines: Type.Array(Line),
        /** What differs from the page before. */
        changed: Type.Record(Type.Enum(PARTS), Type.Boolean()),
        /** Whether there are more pieces of something than can be ordered, so that the offer can't be accepted. */
        is_too_many: Type.Boolean(),
        /** How many of the articles that were on the page before are neither here nor among what is unavailable. */
        removed: Type.Integer(),
        /** `goods` and `shipping` are with tax. */
        includes_tax: Type.Boolean(),
        goods: text,
        shipping: text,
        was_shipping: textOrNull,
        /** Goods and delivery without tax. */
        net: text,
        tax_lines: Type.Array(TaxLineView),
        total: text,
        was_total: textOrNull,
        /** The key of the sentence about the VAT number; null without one. */
        vat_note: textOrNull,
        all_in_stock: Type.Boolean(),
        /** Working days from payment to arrival, where all is in stock. */
        days_min: Type.Integer(),
        days_max: Type.Integer(),
        /** The last of them, if it's paid today. */
        arrives_by: Type.String(),
        email: text,
        phone: textOrNull,
        vat_id: textOrNull,
        buyer_reference: textOrNull,
        note: textOrNull,
        /** Null where the goods are collected. */
        shipping_address: nullable(AddressView),
        /** The way of delivery in the sums, what else there is to choose, if anything, and where goods are collected. */
        method: text,
        methods: Type.Array(WayView),
        pickup: nullable(PickupView),
        /** The key of a sentence on why it's this one; null where it was chosen, or there is no other. */
        method_note: textOrNull,
        /** Null where it's the delivery address. */
        billing_address: nullable(AddressView),
        /** The ways to pay, the one that is chosen first; none where cards alone are taken, and not for this total. */
        ways_to_pay: Type.Array(WayToPay),
        /** Whether cards are taken, but not for this total. */
        no_card: Type.Boolean(),
        /** Null where transfers aren't taken. */
        transfer: nullable(
          Type.Object({
            account_holder: text,
            bank: textOrNull,
            iban: textOrNull,
            bic: textOrNull,
            due_days: Type.Integer(),
          }),
        ),
        checkout: text,
        quote: text,
        shown: text,
      }),
    ),
  }),
};
export type ReviewView = Static<typeof reviewPage.view>;

/** Nobody knows yet whether the order was stored. */
export const outcomePage = {
  template: "outcome",
  view: Type.Object({
    /** Shows the order if there is one, or else the review page. */
    path: text,
  }),
};

/** The order to come, with what differs from `shown`, or from the prices when it was put into the basket. */
export function viewOffer(
  shop: ShopFacts,
  checkout: Checkout,
  offer: Offer,
  shown: Shown | undefined,
  unavailable: ReviewView["unavailable"],
): NonNullable<ReviewView["offer"]> {
  const { quote, hash } = offer;
  const { details } = checkout;
  const { totals, shipping } = quote;
  const isCollected = shipping.code === PICKUP;
  const differs = shown ? changedParts(offer, shown) : [];
  // Amounts of another currency can't be shown as the price before.
  const before = differs.includes("currency") ? undefined : shown;
  const lines = viewLines(shop, checkout, offer, shown, before !== undefined || shown === undefined);
  const ways = waysToPayOffer(shop, offer);
  const known = lines.filter(({ is_new }) => !is_new).length;
  const missing = shown ? shown.lines.size - known : 0;
  const removed = missing - unavailable.filter(({ was_shown }) => was_shown).length;
  // The names of other items are no other names.
  const hasSameItems = missing === 0 && known === lines.length;
  const changed = differs.filter((part) => part !== "names" || hasSameItems);
  return {
    lines,
    is_too_many: lines.some(({ most }) => most !== null),
    changed: Object.fromEntries(PARTS.map((part) => [part, changed.includes(part)])) as Record<Part, boolean>,
    removed,
    includes_tax: includesTax(quote, totals),
    goods: quote.goods,
    shipping: shipping.price,
    was_shipping: differing(before?.shipping, shipping.price),
    net: netOf(totals, quote.currency),
    tax_lines: viewTaxLines(quote.tax_lines),
    total: totals.total,
    was_total: differing(before?.total, totals.total),
    vat_note: findVatNote(shop, checkout, quote),
    all_in_stock: quote.all_in_stock,
    days_min: shipping.days.min,
    days_max: shipping.days.max,
    arrives_by: workingDayAfter(shop, shipping.days.max),
    email: showEmail(details.email),
    phone: details.phone,
    vat_id: details.vat_id,
    buyer_reference: details.buyer_reference,
    note: details.note,
    shipping_address: isCollected || !details.shipping_address ? null : viewAddress(details.shipping_address),
    method: shipping.code,
    methods: quote.ways.length > 1 ? quote.ways.map((way) => viewWay(shop, way)) : [],
    pickup: isCollected ? viewPickup(shop) : null,
    method_note: noteMethod(details.method ?? null, quote),
    billing_address: viewBilling(details, isCollected),
    ways_to_pay: ways,
    no_card: Boolean(shop.card) && !ways.includes("card"),
    transfer: shop.transfer && { ...shop.transfer, iban: shop.transfer.iban && groupIban(shop.transfer.iban) },
    checkout: String(checkout.id),
    quote: hash,
    shown: offer.shown,
  };
}

/** Null where the invoice goes to the delivery address. */
function viewBilling({ shipping_address, billing_address }: Checkout["details"], isCollected: boolean) {
  const address = billing_address ?? (isCollected ? shipping_address : null);
  return address && viewAddress(address);
}

/** Why the delivery is the one that is shown, where nobody chose it among several. */
function noteMethod(chosen: string | null, { shipping, ways }: Quote): string | null {
  if (chosen === shipping.code) return null;
  if (chosen !== null) return "review.method_gone";
  return ways.filter(({ code }) => code !== PICKUP).length > 1 ? "review.method_cheapest" : null;
}

function viewLines(
  shop: ShopFacts,
  checkout: Checkout,
  { lines, quote }: Offer,
  shown: Shown | undefined,
  hasSameCurrency: boolean,
) {
  const added = pricesWhenAdded(shop, checkout, lines);
  return quote.lines.map((line, index) => {
    const { variant, quantity, unit_price, net_total, total } = line;
    const before = shown?.lines.get(lineKey(variant.sku));
    return {
      name: variant.product_title,
      version: variant.title === variant.product_title ? null : variant.title,
      sku: variant.sku,
      path: variant.path,
      picture: variant.picture,
      availability: variant.availability,
      available_from: variant.available_from,
      quantity,
      unit_price,
      per_unit: perUnit(shop.currency, variant, pricePieces(quote, [line], line.tax.title)),
      total: quote.prices_include_tax ? total : net_total,
      was_quantity: before && before.quantity !== quantity ? before.quantity : null,
      was_price: hasSameCurrency ? differing(before?.unit_price ?? added[index], unit_price) : null,
      availability_changed: before !== undefined && before.availability !== availabilityKey(variant),
      is_new: shown !== undefined && before === undefined,
      ...boundsOf(shop, variant, quantity),
    };
  });
}

/** What has changed, and the id of where it stands on the page, in its order. */
const CHANGES = {
  items: "items",
  names: "items",
  currency: "totals",
  shipping: "totals",
  tax: "totals",
  method: "delivery",
  days: "delivery",
  address: "delivery",
  contact: "details",
  vat: "details",
  account: "transfer",
  terms: "transfer",
  ways: "order",
} as const;

/** The summary of a page that differs from an earlier one: the keys of words for each thing that has changed. */
export function viewChanges({ offer, unavailable }: Omit<ReviewView, "errors">): ReviewView["errors"] {
  const found: ReviewView["errors"] = [{ field: "order", message: "review.changed" }];
  if (offer === null) return found;
  if (offer.is_too_many) return [{ field: "items", message: "review.too_many" }];
  const { lines, removed, was_shipping, changed, transfer } = offer;
  const items =
    removed > 0 ||
    unavailable.some(({ was_shown }) => was_shown) ||
    lines.some((line) => line.is_new || line.was_price || line.was_quantity || line.availability_changed);
  const has = { ...changed, items, names: changed.names && !items, shipping: was_shipping !== null };
  for (const [name, field] of Object.entries(CHANGES))
    if (has[name as keyof typeof has] && (field !== "transfer" || transfer))
      found.push({ field, message: `review.changes.${name}` });
  return found;
}

const differing = (before: string | undefined, now: string) => (before === undefined || before === now ? null : before);

/** Why the VAT number changes the tax, or doesn't. */
function findVatNote(
  { tax }: ShopFacts,
  { details, vat_check }: Checkout,
  { treatment, shipping }: Quote,
): string | null {
  if (details.vat_id === null) return null;
  if (vat_check === null && isInEu(tax)) return "review.vat_unchecked";
  if (shipping.code === PICKUP || !details.shipping_address) return "review.vat_collected";
  if (treatment !== "destination") return `review.vat_${treatment}`;
  const { country_code: country, postal_code } = details.shipping_address;
  if (vat_check === null || !staysInEu(tax.home, { country, postal_code })) return "review.vat_not_applied";
  return vat_check.result === "valid" ? "review.vat_home" : `review.vat_${vat_check.result}`;
}

const isInEu = ({ home }: ShopFacts["tax"]) => staysInEu(home, { country: home, postal_code: null });
