import Type from "typebox";
import { ApiError } from "../../platform/http/problem.ts";

/** Rows of a request. */
export const MOST_ROWS = 1_000;
/** Bytes of a request, as nginx has it, too (nginx/conf/api.conf). */
export const MOST_BYTES = 262_144;
/** Of the partner's clock. */
const CLOCK_SKEW_MS = 5 * 60_000;

export const SKU = Type.String({
  minLength: 1,
  maxLength: 64,
  title: "Write a SKU of 1 to 64 characters.",
  description: "The SKU of a version.",
  example: "TAV-PIP-2D",
});

/** Throws 400 for a field of the body. */
export function refuseField(field: string, detail: string): never {
  throw new ApiError("bad-request", "Parts of the request are invalid. See `errors` for each.", {
    errors: [{ in: "body", field, detail }],
  });
}

/** Throws 400 for a time that hasn't come. */
export function refuseFuture(field: string, time: Date): void {
  if (time.getTime() > Date.now() + CLOCK_SKEW_MS)
    refuseField(field, "This time hasn't come yet: set your clock, or write the time in its zone.");
}

/** Throws 400 where a SKU stands twice among the rows of a field. */
export function refuseTwice(field: string, rows: readonly { sku: string }[]): void {
  const seen = new Set<string>();
  for (const [place, { sku }] of rows.entries()) {
    if (seen.has(sku)) refuseField(`${field}.${place}.sku`, "This SKU stands twice: send one row for each.");
    seen.add(sku);
  }
}
