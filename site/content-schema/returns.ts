import { z } from "astro/zod";
import { saysWhatIsWrong, strict } from "./fields.ts";
import { countries, country, shippingCountries } from "./shipping.ts";
import type { Store } from "./store.ts";

const payers = ["customer", "shop"] as const;

/** Until when something may be sent back, and who pays for that. */
export const returns = strict({
  /** Counted from the day of delivery. */
  days: z
    .int({
      error: ({ input }) => `${saysWhatIsWrong(input, "is no number of days.")} Write a whole number, such as \`30\`.`,
    })
    .min(1, "must be 1 or more. A shop that takes nothing back leaves `returns` out."),
  /** Who pays for the parcel back, when nothing is wrong with what is in it. */
  paid_by: z.enum(payers, {
    error: ({ input }) => `${saysWhatIsWrong(input, "is none of the two.")} Write \`customer\` or \`shop\`.`,
  }),
  /** The country that parcels go back to. */
  sent_to: country,
  /** Where this holds, if not exactly where the shop delivers. */
  countries: countries.optional(),
});

/** The countries in which the shop's return policy holds. */
export function returnCountries({ returns, shipping }: Pick<Store, "returns" | "shipping">): string[] {
  return returns?.countries ?? (shipping ? shippingCountries(shipping) : []);
}
