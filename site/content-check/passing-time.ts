import { factOf } from "./content-files.ts";
import type { Problem } from "./problem.ts";

/** Words that become untrue, and what to write instead. */
interface Passing {
  index: number;
  found: string;
  advice: string;
}

type Rule = (text: string, today: string) => Passing[];

/**
 * Finds words that become untrue while nobody changes the file: days that have passed, promises without a day, and a product's
 * stock in its text. Warnings, because they may mean something else.
 */
export const findPassingTime = factOf("passingTime", ({ page: { file, kind, text } }): Problem[] => {
  const today = new Date().toISOString().slice(0, 10);
  const rules = kind === "product" ? [...anywhere, stock] : anywhere;
  return rules
    .flatMap((rule) => rule(text, today))
    .map(({ index, found, advice }) => {
      const line = text.slice(0, index).split("\n").length;
      return { file, line, message: `“${found.replaceAll(/\s+/g, " ")}” ${advice}`, isWarning: true };
    });
});

const find = (text: string, pattern: RegExp, advice: string): Passing[] =>
  Array.from(text.matchAll(pattern), ({ index, 0: found }) => ({ index, found, advice }));

const momentary: Rule = (text) =>
  find(
    text,
    /\b(?:as of (?:today|now|this (?:morning|week|month))|currently|at present|right now|for the time being|at the moment(?! (?:of|that|when)\b)|Stand heute|derzeit|zurzeit|momentan|im Moment(?! de[rs]\b))\b/gi,
    "is true only while it is new. Delete it, or name the day.",
  );

const soon =
  "(?:soon|shortly|any day|tomorrow|(?:this|next) (?:week|month|quarter|year|spring|summer|autumn|winter)|bald|demnächst|in Kürze|nächste[nrs]? (?:Woche|Monat|Jahr))";
const coming = "(?:expected|due|available|arriv(?:es?|ing)|coming|back|ships?|delivered|erwartet|lieferbar|verfügbar)";

const vague: Rule = (text) =>
  find(
    text,
    new RegExp(
      [
        `\\b${coming} (?:again )?${soon}\\b`,
        `\\b${soon} (?:wieder )?(?:lieferbar|verfügbar)\\b`,
        "\\b(?:arrives?|returns?|(?:is|are|be) back) in (?:about )?[\\w-]+ (?:days|weeks|months)\\b",
        "\\b[\\w-]+ (?:days|weeks|months) away\\b",
        "\\b(?:is|are) expected(?=[.,;!]| again)",
      ].join("|"),
      "gi",
    ),
    "names no day. Write `available_from` in the fields above, or how long it takes from an order: “about two weeks from order”.",
  );

const monthNames = ["en", "de"].flatMap((locale) =>
  Array.from({ length: 12 }, (_, month): [string, number] => [
    new Intl.DateTimeFormat(locale, { month: "long", timeZone: "UTC" }).format(Date.UTC(2026, month)),
    month,
  ]),
);
const months = new Map(monthNames);
const month = `(?:${[...months.keys()].join("|")})`;
const promise = "(?:[Ee]xpected|[Dd]ue|[Aa]vailable|[Aa]rrives?|[Ss]hips?|[Bb]ack|[Ee]rwartet|[Ll]ieferbar)";

const withoutYear: Rule = (text) =>
  find(
    text,
    new RegExp(`\\b${promise}\\b[^.\\n]{0,40}?\\b${month}\\b(?!,? \\d)`, "g"),
    "has no year, so it reads the same a year later. The day belongs in `available_from`, which the shop drops when it has passed.",
  );

const passed: Rule = (text, today) =>
  [
    ...text.matchAll(
      new RegExp(
        `\\b(?:${promise}\\b[^.\\n]{0,40}?|[Uu]ntil |[Bb]y |[Bb]is )(?:the end of |Ende )?((?:(\\d{1,2})\\.? )?(${month}) )?(20\\d\\d)(-\\d\\d-\\d\\d)?\\b`,
        "g",
      ),
    ),
  ].flatMap(({ index, 0: found, 2: day, 3: name, 4: year = "", 5: rest }) => {
    const last = rest === undefined ? lastDay(Number(year), months.get(name ?? ""), day) : year + rest;
    return last < today ? [{ index, found, advice: "has passed. Say what is true now." }] : [];
  });

/** The last day, YYYY-MM-DD, of a day, a month or a year. */
function lastDay(year: number, month = 11, day: string | undefined): string {
  const time = day === undefined ? Date.UTC(year, month + 1, 0) : Date.UTC(year, month, Number(day));
  return new Date(time).toISOString().slice(0, 10);
}

const stock: Rule = (text) =>
  find(
    text,
    /\b(?:(?:is|are) (?:now )?(?:sold out|out of stock|in stock again|back in stock)|(?:ist|sind) (?:ausverkauft|vergriffen|nicht lieferbar))\b/gi,
    "is true only until the stock changes, which `availability` shows. Delete it.",
  ).filter(({ index }) => !/\b(?:if|when|while|whatever|wenn|falls|solange)\b[^.\n]*$/i.test(text.slice(0, index)));

const anywhere: readonly Rule[] = [momentary, vague, withoutYear, passed];
