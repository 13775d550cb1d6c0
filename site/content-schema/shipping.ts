import { z } from "astro/zod";
import { isCountry } from "../../api/contract/countries.ts";
import {
  type DeliveryMethod,
  MEASURES,
  type Measure,
  type Parcel,
  PICKUP,
  STANDARD,
} from "../../api/contract/delivery-methods.ts";
import { formatMoney, parseMoney } from "../../api/contract/money.ts";
import { namesPlace, placeCode, TERRITORIES, territoryOf } from "../../api/contract/territories.ts";
import { english } from "../words/languages.ts";
import { countryAs } from "./country.ts";
import { describeInput, describeWrongInput, editedAs, line, quoted, strict, text } from "./fields.ts";
import { amountProblem, withDigits } from "./money.ts";
import type { Variant } from "./product.ts";

/** An ISO 3166-1 alpha-2 country code. */
export const country = countryAs("GB");

/** A country, or a territory that goods are priced, taxed or delivered to in its own way (api/contract/territories.ts). */
export const place = text("GB").refine((code) => isCountry(code) || territoryOf(code) !== undefined, {
  error: ({ input }) =>
    `${quoted(input)} isn't a valid country. Write its two-letter code, such as \`GB\`${ofCountry(String(input))}.`,
});

/** What else may be written: for `FR-RE` Réunion, and for `ES-TF` all territories of Spain, by their names. */
function ofCountry(code: string): string {
  const [country = "", part] = code.toUpperCase().split("-");
  const known = TERRITORIES.filter((each) => part !== undefined && each.country === country);
  const meant = known.filter((each) => each.code === part);
  if (known.length === 0) return ", or a territory's, such as `ES-CN`, or `XI` for Northern Ireland";
  const listed = (meant.length > 0 ? meant : known).map((each) => `\`${each.code}\` ${nameOf(each.code)}`);
  return `, or a territory's: ${listed.join(", ")}`;
}

const nameOf = (code: string) =>
  (english.private_pages.places as Readonly<Record<string, string>>)[code] ?? countryNames.of(code) ?? code;

const listOf = (code: typeof country) =>
  z
    .array(code, {
      error: ({ input }) => `${describeInput(input, "a list")} Write \`countries: [NL, BE]\`.`,
    })
    .min(1, "needs at least one country.");

/** A list of countries. */
export const countries = listOf(country);

const dayCount = z
  .int({
    error: ({ input }) =>
      `${describeWrongInput(input, "isn't a number of days.")} Write a whole number, such as \`2\`.`,
  })
  .min(0, "can't be below zero.");

/** A range of working days. */
const days = strict({ min: dayCount, max: dayCount }).refine(({ min, max }) => min <= max, {
  path: ["max"],
  error: "is less than `min`: write the smaller number first.",
});

/** The price of delivering one order, in the shop's currency, with tax as in its other prices. "0.00" is free. */
const deliveryPrice = editedAs("amount", text('price: "7.50"'));
/** The value of goods from which delivery is free. */
const freeFrom = editedAs("amount", text('free_from: "500.00"'));

/** Goods up to so many grams or pieces, or such a value, inclusive; without `up_to` any. */
const tier = strict({
  /** A number, or text in quotes as a form in /admin writes it. */
  up_to: editedAs(
    "measure",
    z.union([z.int(), z.string()], {
      error: ({ input }) =>
        `${describeWrongInput(input, "isn't a measure.")} Write grams or pieces as a whole number, \`up_to: 2000\`, and a value as text in quotes, \`up_to: "100.00"\`.`,
    }),
  ).optional(),
  price: deliveryPrice,
});

const measures = z.enum(MEASURES, {
  error: ({ input }) =>
    `${describeWrongInput(input, `isn't one of ${MEASURES.join(", ")}.`)} Write \`by: weight\` where the price depends on the weight, \`value\` on the value of the goods, \`pieces\` on their number.`,
});

/** A way of delivery that customers choose from. */
const method = strict({
  /** How orders and programs name it. */
  code: text("code: express")
    .regex(/^(?=.{1,40}$)[a-z0-9]+(?:[_-][a-z0-9]+)*$/, {
      error: ({ input }) =>
        `${quoted(input)} isn't a code. Use letters a to z, digits and single hyphens: \`express\`.`,
    })
    .refine((code) => code !== PICKUP, `"${PICKUP}" is the code of goods that are collected. Choose another one.`),
  name: line("name: Express delivery", 60),
  by: measures,
  tiers: z
    .array(tier, { error: ({ input }) => `${describeInput(input, "a list")} Write \`- price: "7.50"\` below it.` })
    .min(1, 'needs at least one price: `- price: "7.50"`.'),
  free_from: freeFrom.optional(),
  /** From the warehouse to the door. */
  transit_days: days,
});

/** Countries with the same delivery prices: one for all orders (`price`), or a choice of `methods`. */
const zoneFields = strict({
  /** Territories too that aren't delivered to with their country, or have a price of their own. */
  countries: listOf(place),
  price: deliveryPrice.optional(),
  free_from: freeFrom.optional(),
  /** From the warehouse to the door. */
  transit_days: days.optional(),
  methods: z
    .array(method, {
      error: ({ input }) => `${describeInput(input, "a list")} Write \`- code: express\` and what belongs to it.`,
    })
    .min(1, "needs at least one method.")
    .optional(),
});

/** Allows either a price with its days, or methods, which have their own. */
const zone = zoneFields.superRefine(({ price, free_from, transit_days, methods }, context) => {
  const report = (field: string, message: string) => context.addIssue({ code: "custom", path: [field], message });
  if (methods === undefined) {
    if (price === undefined)
      report("price", 'is missing. Write `price: "7.50"`, or `methods` for customers to choose from.');
    else if (transit_days === undefined) report("transit_days", missingDays);
    return;
  }
  if (price !== undefined)
    report("price", "stands beside `methods`. Keep one of them: each method has prices of its own.");
  for (const [field, value] of Object.entries({ free_from, transit_days }))
    if (value !== undefined) report(field, "stands beside `methods`. Move it into each method that it is true of.");
});

const missingDays = "is missing. Indent these fields below it: min, max.";

/** Where customers collect what they have ordered; it is taxed there. */
const pickup = strict({
  /** As customers choose it. */
  name: line("name: Collect in Leeds", 60),
  street: line("street: 12 Example Street"),
  city: line("city: Leeds"),
  postal_code: line('postal_code: "LS1 9CK"', 20),
  country_code: country,
  /** When somebody is there. */
  hours: line("hours: Monday to Friday, 9 to 17", 120).optional(),
});

/** Delivery: countries, prices and times. */
export const shipping = strict({
  /** From order to dispatch, for products in stock. */
  handling_days: days,
  zones: z
    .array(zone, { error: "must be a list: `- countries: [NL, BE]` and what belongs to it." })
    .min(1, "needs at least one zone."),
  pickup: pickup.optional(),
});

export type Shipping = z.infer<typeof shipping>;
type Zone = Shipping["zones"][number];
type Days = Shipping["handling_days"];

/** A zone's methods, in its order, with what their prices depend on (api/contract/delivery-methods.ts). */
export function methodsOf({ price, free_from, transit_days, methods }: Zone): ShopMethod[] {
  if (methods)
    return methods.map(({ tiers, free_from, ...method }) => ({
      ...method,
      tiers: tiers.map(({ up_to, price }) => ({ up_to: up_to === undefined ? null : String(up_to), price })),
      free_from: free_from ?? null,
    }));
  if (price === undefined || transit_days === undefined) throw new Error("an unchecked zone");
  return [{ ...STANDARD, by: "value", tiers: [{ up_to: null, price }], free_from: free_from ?? null, transit_days }];
}

export type ShopMethod = DeliveryMethod & { tiers: { up_to: string | null; price: string }[]; transit_days: Days };

/** What has to be delivered of a version at least. */
export const leastParcel = ({ price, weight_g, order_quantity: { least } }: Ordered): Parcel => ({
  weight_g: weight_g === null ? null : weight_g * least,
  value: least === 1 ? price : formatMoney(parseMoney(price) * BigInt(least), (price.split(".")[1] ?? "").length),
  pieces: least,
});

type Ordered = Pick<Variant, "price" | "weight_g" | "order_quantity">;

/** Gives amounts of deliveries the currency's digits, which files may leave out where nobody pays a fraction. */
export function giveShippingDigits({ zones }: Shipping, currency: string): void {
  for (const zone of zones) {
    giveDigits(zone, currency);
    for (const method of zone.methods ?? []) {
      giveDigits(method, currency);
      for (const tier of method.tiers) {
        giveDigits(tier, currency);
        if (method.by === "value" && tier.up_to !== undefined) tier.up_to = withDigits(String(tier.up_to), currency);
      }
    }
  }
}

function giveDigits(priced: { price?: string | undefined; free_from?: string | undefined }, currency: string): void {
  if (priced.price !== undefined) priced.price = withDigits(priced.price, currency);
  if (priced.free_from !== undefined) priced.free_from = withDigits(priced.free_from, currency);
}

/** Working days until a product in stock arrives by a method, as the basket says it too. */
export const deliveryDays = ({ handling_days }: Shipping, { transit_days }: { transit_days: Days }): Days => ({
  min: handling_days.min + transit_days.min,
  max: handling_days.max + transit_days.max,
});

/** The countries and territories of all zones. */
export const shippingPlaces = ({ zones }: Pick<Shipping, "zones">): string[] =>
  zones.flatMap((zone) => zone.countries.map(placeCode));

interface ShippingProblem {
  path: (string | number)[];
  message: string;
}

/**
 * Finds amounts with the wrong decimals for the currency, countries or territories in two zones, methods of a zone with one
 * code, and tiers whose measure isn't one or isn't above the one before.
 */
export function shippingProblems(written: Shipping, currency: string): ShippingProblem[] {
  const zoneOf = new Map<string, number>();
  return written.zones.flatMap((zone, index) => {
    const at = ["shipping", "zones", index];
    const twice = zone.countries.flatMap((code, place) => {
      const earlier = zoneOf.get(placeCode(code));
      zoneOf.set(placeCode(code), index);
      const message = `${code} is already in zone ${(earlier ?? 0) + 1}. List each country once.`;
      return earlier === undefined ? [] : [{ path: [...at, "countries", place], message }];
    });
    const codes = (zone.methods ?? []).map(({ code }) => code);
    const names = (zone.methods ?? []).map(({ name }) => name);
    const methods = (zone.methods ?? []).flatMap((method, index) => {
      const path = [...at, "methods", index];
      const twice = { code: codes.indexOf(method.code), name: names.indexOf(method.name) };
      return [
        ...(["code", "name"] as const).flatMap((field) => {
          const message = `${quoted(method[field])} is already the ${field} of method ${twice[field] + 1}. Give each method of a zone its own.`;
          return twice[field] < index ? { path: [...path, field], message } : [];
        }),
        ...amountProblems(method, path, currency),
        ...tierProblems(method, path, currency),
      ];
    });
    return [...amountProblems(zone, at, currency), ...twice, ...methods];
  });
}

const amountProblems = (
  priced: { price?: string | undefined; free_from?: string | undefined },
  at: (string | number)[],
  currency: string,
): ShippingProblem[] =>
  (["price", "free_from"] as const).flatMap((field) => {
    const amount = priced[field];
    const problem = amount === undefined ? undefined : amountProblem(amount, currency);
    return problem === undefined ? [] : [{ path: [...at, field], message: `${quoted(amount)} ${problem}` }];
  });

function tierProblems({ by, tiers }: z.infer<typeof method>, at: (string | number)[], currency: string) {
  let last: { measure: bigint; tier: number } | undefined;
  return tiers.flatMap((tier, index): ShippingProblem[] => {
    const path = [...at, "tiers", index];
    const prices = amountProblems(tier, path, currency);
    const report = (message: string) => [...prices, { path: [...path, "up_to"], message }];
    if (tier.up_to === undefined)
      return index === tiers.length - 1
        ? prices
        : report("is missing. Only the last tier may lack it: that one has no limit.");
    const problem = measureProblem(by, tier.up_to, currency);
    if (problem !== undefined) return report(problem);
    const measure = parseMoney(String(tier.up_to));
    const before = last;
    last = { measure, tier: index };
    if (before === undefined || measure > before.measure) return prices;
    const isSame = measure === before.measure;
    return report(
      `${quoted(tier.up_to)} is ${isSame ? "the same as" : "less than"} that of tier ${before.tier + 1}. ${isSame ? "Write each once" : "Begin with the smallest"}.`,
    );
  });
}

/** Why `up_to` can't be a measure of this kind; undefined when it can. */
function measureProblem(by: Measure, written: string | number, currency: string): string | undefined {
  const text = String(written);
  if (by === "value") {
    const problem = amountProblem(text, currency);
    if (problem === undefined) return /[1-9]/.test(text) ? undefined : `${quoted(written)} is zero.`;
    return `${quoted(written)} ${problem.replace("a valid price", "a valid amount")}`;
  }
  if (/^[1-9]\d{0,8}$/.test(text)) return undefined;
  const [unit, example] = by === "weight" ? ["whole grams", 2000] : ["a whole number of pieces", 5];
  const [, whole, decimals = ""] = by === "weight" ? (/^(\d{1,5})(?:[.,](\d{1,3}))? ?kg$/i.exec(text) ?? []) : [];
  const grams = whole === undefined ? 0 : Number(whole) * 1000 + Number(decimals.padEnd(3, "0"));
  const bare = /^([1-9]\d{0,8}) ?(?:g|pieces?|pcs)$/i.exec(text)?.[1];
  return `${quoted(written)} isn't ${unit}. Write \`up_to: ${bare ?? (grams || example)}\`, without quotes or a unit.`;
}

/** Where goods are collected they are taxed: finds a place without a rate. */
export function pickupProblems(
  { pickup }: Pick<Shipping, "pickup">,
  { home, rates, export: exports }: { home: string; rates: Record<string, string>; export: string[] },
): ShippingProblem[] {
  if (pickup === undefined) return [];
  const { country_code: country } = pickup;
  const path = ["shipping", "pickup", "country_code"];
  const why = "Goods that customers collect are taxed where they do";
  if (namesPlace(Object.keys(rates), country) || country === home) return [];
  const advice = namesPlace(exports, country)
    ? `and ${country} is in \`export\` of \`tax\`. Choose a place in ${home}, or write the rate of ${country} in \`rates\` instead.`
    : `and \`rates\` of \`tax\` lack ${country}. Write its rate there.`;
  return [{ path, message: `is ${country}. ${why}, ${advice}` }];
}
const countryNames = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
