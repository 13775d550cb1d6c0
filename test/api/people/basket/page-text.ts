import { workingDayAfter } from "../../../../api/selling/quote/quote.ts";
import { shopFacts } from "../../selling/quote/shop.ts";

/** The text of a page's main part as a person reads it: without tags, with blanks as one. */
export function readMain(html: string): string {
  const [, main = ""] = /<main>([\s\S]*)<\/main>/.exec(html) ?? [];
  return main
    .replace(/<[^>]*>/g, " ")
    .replace(/&(lt|gt|quot|#39|#34|amp);/g, (_, name: string) => ENTITIES[name] ?? "")
    .replace(/\s+/g, " ")
    .trim();
}

const ENTITIES: Record<string, string> = { lt: "<", gt: ">", quot: '"', "#34": '"', "#39": "'", amp: "&" };

/** The day after so many working days from today, as an English page writes it: "Tue 24 Nov". */
export const arrivalDay = (workingDays: number): string =>
  new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" }).format(
    new Date(workingDayAfter(shopFacts(), workingDays)),
  );
