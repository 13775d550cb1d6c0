import { z } from "astro/zod";
import { describeInput, describeWrongInput, quoted, strict, text } from "./fields.ts";
import { amountProblem, compareAmounts } from "./money.ts";

/** An ISO 3166-1 alpha-2 code of a country that has a name. */
export const country = text("GB").refine(isCountry, {
  error: ({ input }) => `${quoted(input)} isn't a valid country. Write its two-letter code, such as \`GB\`.`,
});

/** A list of countries, none of them twice. */
export const countries = z
  .array(country, {
    error: ({ input }) => `${describeInput(input, "a list")} Write \`countries: [NL, BE]\`.`,
  })
  .min(1, "needs at least one country.");

const dayCount = z
  .int({
    error: ({ input }) =>
      `${describeWrongInput(input, "isn't a number of days.")} Write a whole number, such as \`2\`.`,
  })
  .min(0, "can't be below zero.");

/** What every count of days here means. */
export const workingDays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"] as const;

/** Working days, from the fewest to the most. */
const days = strict({ min: dayCount, max: dayCount }).refine(({ min, max }) => min <= max, {
  path: ["max"],
  error: "is less than `min`: write the smaller number first.",
});

/** The countries that one delivery price holds for. */
const zone = strict({
  countries,
  /** What the delivery of one order costs, in the shop's currency and with the taxes of its prices: "0.00" is free. */
  price: text('price: "7.50"'),
  /** From this value of the goods on, delivery is free. */
  free_from: text('free_from: "500.00"').optional(),
  /** From the warehouse to the door. */
  transit_days: days,
});

/** Where the shop delivers, for how much, and how fast. */
export const shipping = strict({
  /** From the order to the parcel's way out, for what is in stock. */
  handling_days: days,
  zones: z
    .array(zone, { error: "must be a list: `- countries: [NL, BE]` and what belongs to it." })
    .min(1, "needs at least one zone."),
});

export type Shipping = z.infer<typeof shipping>;
type Zone = Shipping["zones"][number];

/** What delivering goods worth `value` to a zone costs, a decimal string: nothing from `free_from` on. */
export function shippingRate({ price, free_from }: Zone, value: string): string {
  const isFree = free_from !== undefined && compareAmounts(value, free_from) >= 0;
  return isFree ? price.replace(/\d/g, "0").replace(/^0+(?=0)/, "") : price;
}

/** Every country of every zone. */
export const shippingCountries = ({ zones }: Shipping): string[] => zones.flatMap((zone) => zone.countries);

/** What is wrong between the fields of `shipping`: amounts, of which the currency says the digits, and countries named twice. */
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
      const earlier = zoneOf.get(code);
      zoneOf.set(code, index);
      const message = `${code} is already in zone ${(earlier ?? 0) + 1}. List each country once.`;
      return earlier === undefined ? [] : [{ path: [...at, "countries", place], message }];
    });
    return [...amounts, ...twice];
  });
}

// Codes that have a name without being ISO's for a country: the European Union, the United Nations, islands, unknown.
const noCountries = /^(?:AC|CP|CQ|DG|EA|EU|EZ|IC|Q[M-Z]|TA|UN|X[A-Z]|ZZ)$/;

const countryNames = new Intl.DisplayNames("en", { type: "region", fallback: "none" });

function isCountry(code: string): boolean {
  if (!/^[A-Z]{2}$/.test(code) || noCountries.test(code)) return false;
  // An alias such as UK has the name of the country, and becomes its code.
  const isCode = new Intl.Locale(`und-${code}`).region === code;
  return isCode && countryNames.of(code) !== undefined;
}
