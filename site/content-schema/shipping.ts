import { z } from "astro/zod";
import { type DeliveryMethod, MEASURES, STANDARD } from "../../api/contract/delivery-methods.ts";
import { placeCode, TERRITORIES, territoryOf } from "../../api/contract/territories.ts";
import { english } from "../words/languages.ts";
import { describeInput, describeWrongInput, editedAs, line, quoted, strict, text } from "./fields.ts";
import { amountProblem } from "./money.ts";

/** An ISO 3166-1 alpha-2 country code. */
export const country = text("GB").refine(isCountry, {
  error: ({ input }) =>
    territoryOf(String(input)) === undefined
      ? `${quoted(input)} isn't a valid country. Write its two-letter code, such as \`GB\`.`
      : `${quoted(input)} is only a part of a country, which isn't supported here.`,
});

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

/** The days that delivery times count. */
export const workingDays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"] as const;

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
  up_to: z
    .union([z.int(), z.string()], {
      error: ({ input }) =>
        `${describeWrongInput(input, "isn't a measure.")} Write grams or pieces as \`up_to: 2000\`, a value as \`up_to: "100.00"\`.`,
    })
    .transform(String)
    .optional(),
  price: deliveryPrice,
});

/** A way of delivery that customers choose from. */
const method = strict({
  /** How orders and programs name it. */
  code: text("code: express").regex(/^[a-z0-9]+(?:[_-][a-z0-9]+)*$/, {
    error: ({ input }) => `${quoted(input)} isn't a code. Use letters a to z, digits and single hyphens: \`express\`.`,
  }),
  name: line("name: Express delivery", 60),
  by: z.enum(MEASURES, {
    error: ({ input }) => `${describeWrongInput(input, "isn't one of weight, value, pieces.")}`,
  }),
  tiers: z
    .array(tier, { error: ({ input }) => `${describeInput(input, "a list")} Write \`- price: "7.50"\` below it.` })
    .min(1, 'needs at least one price: `- price: "7.50"`.'),
  free_from: freeFrom.optional(),
  /** From the warehouse to the door. */
  transit_days: days,
});

/** Countries with the same delivery prices: one for all orders (`price`), or a choice of `methods`. */
const zone = strict({
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
      tiers: tiers.map(({ up_to, price }) => ({ up_to: up_to ?? null, price })),
      free_from: free_from ?? null,
    }));
  if (price === undefined || transit_days === undefined) throw new Error("an unchecked zone");
  return [{ ...STANDARD, by: "value", tiers: [{ up_to: null, price }], free_from: free_from ?? null, transit_days }];
}

type ShopMethod = DeliveryMethod & { tiers: { up_to: string | null; price: string }[]; transit_days: Days };

/** Working days until a product in stock arrives by a method, as the basket says it too. */
export const deliveryDays = ({ handling_days }: Shipping, { transit_days }: { transit_days: Days }): Days => ({
  min: handling_days.min + transit_days.min,
  max: handling_days.max + transit_days.max,
});

/** The countries and territories of all zones. */
export const shippingPlaces = ({ zones }: Pick<Shipping, "zones">): string[] =>
  zones.flatMap((zone) => zone.countries.map(placeCode));

/** Finds amounts with the wrong decimals for the currency, and countries or territories in two zones. */
export function shippingProblems(
  written: Shipping,
  currency: string,
): { path: (string | number)[]; message: string }[] {
  const zoneOf = new Map<string, number>();
  return written.zones.flatMap((zone, index) => {
    const at = ["shipping", "zones", index];
    const amounts = (["price", "free_from"] as const).flatMap((field) => {
      const amount = zone[field];
      const problem = amount === undefined ? undefined : amountProblem(amount, currency);
      return problem === undefined ? [] : [{ path: [...at, field], message: `${quoted(amount)} ${problem}` }];
    });
    const twice = zone.countries.flatMap((code, place) => {
      const earlier = zoneOf.get(placeCode(code));
      zoneOf.set(placeCode(code), index);
      const message = `${code} is already in zone ${(earlier ?? 0) + 1}. List each country once.`;
      return earlier === undefined ? [] : [{ path: [...at, "countries", place], message }];
    });
    return [...amounts, ...twice];
  });
}

// Codes with a name in Intl that aren't ISO countries: the European Union, the United Nations, islands, unknown.
const noCountries = /^(?:AC|CP|CQ|DG|EA|EU|EZ|IC|Q[M-Z]|TA|UN|X[A-Z]|ZZ)$/;

const countryNames = new Intl.DisplayNames("en", { type: "region", fallback: "none" });

function isCountry(code: string): boolean {
  if (!/^[A-Z]{2}$/.test(code) || noCountries.test(code)) return false;
  // Intl resolves aliases such as UK to the country's code.
  const isCode = new Intl.Locale(`und-${code}`).region === code;
  return isCode && countryNames.of(code) !== undefined;
}
