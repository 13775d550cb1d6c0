import { z } from "astro/zod";
import { date, quoted, strict, text } from "./fields.ts";

/** Whom to tell about a weakness of the site: /.well-known/security.txt (RFC 9116). */
export const security = strict({
  /** A `mailto:` or `https:` address (§2.5.3). */
  contact: text("contact: mailto:security@shop.example").refine(isContact, {
    error: ({ input }) =>
      `${quoted(input)} is neither an e-mail address after \`mailto:\` nor an https address. Write, for example, \`mailto:security@shop.example\`.`,
  }),
  /** The last day on which the contact may be relied on (§2.5.5). */
  expires: date,
});

/** How many days are left of a day, by UTC: 0 on the day itself, below that when it is over. */
export const daysLeft = (day: string, now: Date): number => Math.ceil((Date.parse(day) - now.getTime()) / 86_400_000);

// One line of printable ASCII: a line break in it would begin another field of the file.
function isContact(text: string): boolean {
  if (!/^[!-~]+$/.test(text)) return false;
  if (text.startsWith("mailto:")) return z.email().safeParse(text.slice("mailto:".length)).success;
  return text.startsWith("https://") && URL.canParse(text);
}
