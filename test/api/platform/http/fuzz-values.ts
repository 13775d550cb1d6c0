import fc from "fast-check";
import type { ValueSchema } from "../openapi/openapi-document.ts";

/** Text that a header value can hold. */
export const ascii = fc.string({ unit: fc.constantFrom(..."aZ09 -_.,;:=%&+/\\'\"<>{}[]()*!~^|`$#@?"), maxLength: 40 });

/** Invalid integers, words and tokens that lenient parsers accept. */
const broken = fc.oneof(
  fc.constantFrom("", " ", "-1", "1.0", "1e2", "0x10", "05", "+1", " 50", "50 ", "1e400", "NaN", "null", "true", "1,2"),
  fc.constantFrom("9007199254740992", "9007199254740993", "99999999999999999999", "' or 1=1 --", "../..", "__proto__"),
  fc.constantFrom("\u0000", "\r\nX-Evil: 1", "💥", "\ud800", "ａ", "x".repeat(9_000)),
  ascii,
  fc.string({ unit: "binary", maxLength: 20 }),
);

const recent = fc.date({ min: new Date("2020-01-01"), max: new Date("2030-01-01"), noInvalidDate: true });

/** A value that the schema allows, often a boundary. Other integers are small, because stored orders have small ids. */
export function valid({
  type,
  format,
  pattern,
  enum: words,
  minimum = 0,
  maximum = 0,
  example,
}: ValueSchema): fc.Arbitrary<string> {
  if (words) return fc.constantFrom(...words);
  if (type === "boolean") return fc.constantFrom("true", "false");
  if (type === "integer") {
    const boundaries = fc.constantFrom(minimum, minimum + 1, maximum - 1, maximum);
    return fc
      .oneof({ weight: 3, arbitrary: fc.integer({ min: minimum, max: Math.min(maximum, 180) }) }, boundaries)
      .map(String);
  }
  // A time's pattern alone mostly gives days that no calendar has.
  if (format === "date-time") return recent.map((date) => date.toISOString());
  const shaped = pattern ? fc.stringMatching(new RegExp(pattern)) : fc.oneof(ascii, fc.constant("*"));
  return fc.oneof(shaped, fc.constant(String(example ?? "")));
}

/** Mostly valid values, so that most requests get past the first parameter. */
export const value = (schema: ValueSchema) =>
  fc.oneof({ weight: 6, arbitrary: valid(schema) }, { weight: 1, arbitrary: broken });
