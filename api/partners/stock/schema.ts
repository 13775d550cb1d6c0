import Type, { type Static } from "typebox";
import { nullable, oneOf, text, textOrNull, time, wholeNumber } from "../../platform/http/schema-types.ts";

/** What is free to sell of a SKU. */
export const Stock = Type.Object(
  {
    sku: text("The SKU of a version.", "TAV-PIP-2D"),
    count: nullable(
      Type.Integer({ description: "The last count: pieces free to sell by it. Null: it isn't counted.", example: 12 }),
    ),
    restock_on: textOrNull("The day on which more are expected, YYYY-MM-DD.", "2026-12-07"),
    available: nullable(
      Type.Integer({
        description:
          "Pieces free to sell now: the count less what was ordered since, plus what was given back. Null: it isn't counted.",
        example: 11,
      }),
    ),
    changed_after: nullable(wholeNumber("Up to where the count knew the orders.", 48213)),
    counted_at: nullable(time("When the count was taken.", "2026-10-19T08:13:02.000Z")),
    counted_by: textOrNull(
      "The first eight digits of the hash of the token that sent it; null for the shop itself.",
      "5f0d6a3a",
    ),
  },
  { $id: "Stock", description: "What is free to sell of a SKU." },
);
export type Stock = Static<typeof Stock>;

export const Rejected = Type.Object({
  sku: text("The SKU of the row that was left.", "TAV-PIP-9D"),
  type: oneOf(["unknown-sku", "stale", "confirm-needed"], {
    description:
      "`unknown-sku`: no version has it. `stale`: the shop has a count that knows more. `confirm-needed`: it has another count of the same moment.",
    example: "unknown-sku",
  }),
  detail: text("What to do.", "No version has this SKU: correct it, or leave the row out."),
});
