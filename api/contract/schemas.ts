import Type from "typebox";
import { AVAILABILITIES } from "./availability.ts";
import { AMOUNT, COUNTRY, CURRENCY, MAX_SLUG_BYTES, PLACE, RATE, SLUG } from "./patterns.ts";
import { WAYS_TO_PAY } from "./ways-to-pay.ts";

// What the schemas of the build's files and of the API's pages are made of. The site imports types of these alone.

/** No other fields than those of the schema. */
export const strict = { additionalProperties: false };

export const Text = Type.String({ minLength: 1 });
export const TextOrNull = Type.Union([Text, Type.Null()]);
export const Slug = Type.String({ pattern: SLUG, maxLength: MAX_SLUG_BYTES });
export const Amount = Type.String({ pattern: AMOUNT });
export const Rate = Type.String({ pattern: RATE });
export const Currency = Type.String({ pattern: CURRENCY });
export const Country = Type.String({ pattern: COUNTRY });
export const Place = Type.String({ pattern: PLACE });
export const Availability = Type.Enum([...AVAILABILITIES]);
export const WayToPay = Type.Enum([...WAYS_TO_PAY]);
