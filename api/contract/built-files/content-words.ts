import Type, { type Static } from "typebox";
import { Availability } from "../schemas.ts";

/**
 * .session/content-words.json: what content/ says of the versions whose availability is otherwise in products.json, since
 * they are counted; by SKU.
 */
export const ContentWords = Type.Record(
  Type.String(),
  Type.Object({
    availability: Availability,
    /** YYYY-MM-DD. */
    available_from: Type.Union([Type.String(), Type.Null()]),
  }),
);
export type ContentWords = Static<typeof ContentWords>;
