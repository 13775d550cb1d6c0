import Type, { type Static } from "typebox";
import { Amount, Availability } from "../schemas.ts";

/**
 * .session/content-offers.json: what content/ says of the versions of which products.json says otherwise, since they are
 * counted, or the ERP has sent their price; by SKU.
 */
export const ContentOffers = Type.Record(
  Type.String(),
  Type.Object({
    availability: Availability,
    /** YYYY-MM-DD. */
    available_from: Type.Union([Type.String(), Type.Null()]),
    price: Amount,
  }),
);
export type ContentOffers = Static<typeof ContentOffers>;
