import Type, { type Static } from "typebox";
import type { Asked } from "./priced-items.ts";

const code = Type.Optional(Type.String());

/**
 * What the form of the cost sends where its button leads on, beside any other parameter: `default` has the codes that it showed of
 * itself, as `NL,parcel`.
 */
export const CostQuery = Type.Object({ country: code, method: code, default: code });

/** What was chosen: not what stayed as the form had it of itself. */
export function readAsked({ country, method, default: shown = "" }: Static<typeof CostQuery>): Asked {
  const [shownCountry, shownMethod] = shown.split(",");
  return {
    country: country === shownCountry ? undefined : country,
    method: method === shownMethod ? undefined : method,
  };
}
