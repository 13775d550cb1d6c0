import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");
/**
 * A day from the first of these on, the day of this rule, and before the last may be ahead when a test is written and
 * past when it runs. Both are fixed: with bounds that move along, this test itself would fail one day.
 */
const [FROM, TO] = ["2026-11-25", "2099-01-01"];

/** Such days that are compared with a given day, or with none, never with today. */
const MAY = {
  // The names of migrations.
  "api/partners/orders/order-changes.test.ts": ["2026-11-25"],
  "api/partners/orders/payments.test.ts": ["2026-11-25"],
  "api/staff/order-list/find-orders.test.ts": ["2026-11-26"],
  "api/staff/sign-in/links.test.ts": ["2026-11-26"],
  // The day to pay by follows from the order's day.
  "api/people/account/account.test.ts": ["2026-12-04"],
  // The day follows from the order's.
  "api/operation/erasure/erase-command.slow.test.ts": ["2033-01-31"],
  // Random days of requests.
  "api/platform/http/fuzz-values.ts": ["2030-01-01"],
  // The day to pay by follows from the order's day.
  "api/selling/mail/mails.test.ts": ["2026-12-04"],
  // Each case gives the time at which it counts days.
  "api/selling/quote/quote.test.ts": ["2026-12-31", "2027-01-08"],
  // Each case gives the time.
  "site/resources/resources-security.test.ts": ["2027-10-31", "2027-11-01"],
};

const MONTHS = ["jan", "feb", "m[aä]r", "apr", "ma[iy]", "jun", "jul", "aug", "sep", "o[ck]t", "nov", "de[cz]"];
const month = `(?<word>${MONTHS.join("|")})[a-z]*\\.?`;
/** 2027-03-02, 2.3.2027, 2 March 2027, Mar 2 09:31:00 2027, March 2, 2027 and Date.UTC(2027, 2, 2). */
const FORMS = [
  /(?<!\d)(?<year>20\d\d)([-/.])(?<month>\d\d?)\2(?<day>\d\d?)(?!\d)/g,
  /(?<!\d)(?<year>20\d\d)-(?<month>\d\d)(?![-\d])/g,
  /(?<!\d)(?<day>\d\d?)([-/.])(?<month>\d\d?)\2(?<year>20\d\d)(?!\d)/g,
  new RegExp(`(?<!\\d)(?<day>\\d\\d?)\\.?[ -]${month}[ -](?<year>20\\d\\d)(?!\\d)`, "gi"),
  new RegExp(`\\b${month} (?<day>\\d\\d?),?(?: \\d\\d:\\d\\d(?::\\d\\d)?)? (?<year>20\\d\\d)(?!\\d)`, "gi"),
  /\b(?:Date|UTC)\((?<year>20\d\d), ?(?<index>\d\d?)(?:, ?(?<day>\d\d?))?/g,
];

/** The days that a text names, as 2027-03-02; the first of the month where only that is named. */
function daysIn(text: string): string[] {
  return FORMS.flatMap((form) =>
    Array.from(text.matchAll(form), ({ groups = {} }) => {
      const { year, month, word, index, day = "1" } = groups;
      const named = word === undefined ? Number(month ?? Number(index) + 1) : monthOf(word);
      return `${year}-${String(named).padStart(2, "0")}-${day.padStart(2, "0")}`;
    }),
  );
}

const monthOf = (word: string) => MONTHS.findIndex((each) => new RegExp(each, "i").test(word)) + 1;

test("the rule reads every form in which tests write days", () => {
  const forms = [
    ...["2027-03-02", "2027-03-02T09:31:00Z", "2027/03/02", "2.3.2027", "02/03/2027", "2 March 2027", "2. März 2027"],
    ...["Tue, 02 Mar 2027 09:31:00 GMT", "Tue Mar 2 09:31:00 2027", "March 2, 2027", "Date.UTC(2027, 2, 2)"],
  ];
  expect(forms.map((form) => [form, daysIn(form)])).toEqual(forms.map((form) => [form, ["2027-03-02"]]));
  expect(daysIn("until 2027-03, 20270302, 2027.50, 2027")).toEqual(["2027-03-01"]);
});

test("no test or frozen shop has a day that comes true, unless it's judged by a given time", () => {
  const files = globSync(["**/*.{ts,mts,tsv}", "fixtures/**/*.*"], {
    cwd: ROOT,
    exclude: ["**/node_modules/**", "**/.*/**", "project/dates.test.ts"],
  });
  expect(files.length).toBeGreaterThan(500);
  const found = files.flatMap((file) => {
    const days = daysIn(readFileSync(join(ROOT, file), "utf8")).filter((day) => day >= FROM && day < TO);
    return days.length > 0 ? [[file, [...new Set(days)].sort()] as const] : [];
  });
  expect(Object.fromEntries(found)).toEqual(MAY);
});
