import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkContent } from "../../../site/content-check/check.ts";
import { shops } from "../../workspace.ts";
import { problemsWith } from "./content-problems.ts";
import { validContent } from "./content-tree.ts";

test("a second shop with the first one's pages gets a warning for each fact about the first", async () => {
  const copy = mkdtempSync(join(tmpdir(), "twinfront-second-"));
  cpSync(shops.demo, join(copy, "content"), { recursive: true });
  cpSync(join(shops.second, "store.yaml"), join(copy, "content/store.yaml"));
  const problems = (await checkContent(copy)).filter(({ file }) => file.startsWith("content/pages/"));
  rmSync(copy, { recursive: true });
  expect(problems.every(({ isWarning }) => isWarning)).toBe(true);
  const fields = problems.flatMap(({ message }) => /`(.+)` of content\/store\.yaml is “/.exec(message)?.[1] ?? []);
  expect(fields).toHaveLength(problems.length);
  expect(new Set(fields)).toEqual(
    new Set(["name", "company, legal_name", "company, street", "sales_email", "phone", "tax", "currency"]),
  );
});

const about = "pages/about.md";
const contradiction = (found: string, field: string, value: string) =>
  `content/${about}:7: “${found}”: \`${field}\` of content/store.yaml is “${value}”. Change it, unless you mean another one.`;

/** The problems of a page with this text, in the valid shop with its settings altered by `change`. */
const problemsOf = (text: string, change = (store: string) => store) =>
  problemsWith({
    "store.yaml": change(validContent["store.yaml"] ?? ""),
    [about]: (validContent[about] ?? "").replace("We test.", text),
  });

const excludeTax = (store: string) => store.replace("prices_include_tax: true", "prices_include_tax: false");

test.each([
  ["Write to [us](mailto:info@old.example).", contradiction("info@old.example", "sales_email", "sales@test.example")],
  ["Ring +44 113 496 0123.", contradiction("+44 113 496 0123", "phone", "+44 20 7946 0123")],
  ["Old Counter GmbH sells it.", contradiction("Old Counter GmbH", "company, legal_name", "Testcounter Ltd")],
  [
    "Testcounter Ltd, 14 Old Yard, Leeds LS1 9CK.",
    contradiction("14 Old Yard, Leeds LS1 9CK", "company, street", "1 Test Street, London EC1A 1AA"),
  ],
  ["Prices include 19 % VAT.", contradiction("19 % VAT", "tax", "21% VAT")],
  ["Prices include 8.1% MWST.", contradiction("8.1% MWST", "tax", "21% VAT")],
  [
    "Our prices are per piece, excluding VAT.",
    contradiction("prices are per piece, excluding VAT", "prices_include_tax", "true"),
  ],
  ["All prices are in Swiss francs.", contradiction("francs", "currency", "EUR")],
  ["It costs $12.50.", contradiction("$12.50", "currency", "EUR")],
  ["It costs CHF 12.50.", contradiction("CHF 12.50", "currency", "EUR")],
])("a page that says “%s” gets a warning", async (text, problem) => {
  const named = (store: string) => store.replace("tax: {", "tax: { name: VAT,");
  expect(await problemsOf(text, named)).toEqual([problem]);
});

test("rates of regions of the shop's countries, and rates written for them, are the shop's own", async () => {
  const rated = (rates: string) => (store: string) =>
    store.replace("tax: {", "tax: { name: VAT,").replace(/rates: \{[^}]*\}/, `rates: { GB: "0.21", ${rates} }`);
  const text = "In the Azores it is 16% VAT, in Madeira 22% VAT.";
  expect(await problemsOf(text, rated('PT: "0.23"'))).toEqual([]);
  expect(await problemsOf(text, rated('PT: "0.23", PT-20: "0.18"'))).toEqual([
    contradiction("16% VAT", "tax", "21% VAT"),
  ]);
  expect(await problemsOf(text, rated('IE: "0.23"'))).toHaveLength(2);
});

test("the warning writes the address as its country does", async () => {
  const dutch = (store: string) =>
    store.replace("London", "Venlo").replace("EC1A 1AA", "5911 AA").replace("country_code: GB", "country_code: NL");
  const [warning] = await problemsOf("Testcounter Ltd, 14 Old Yard, Leeds.", dutch);
  expect(warning).toContain("“1 Test Street, 5911 AA Venlo”");
});

test("a page that says prices include tax gets a warning where they exclude it", async () => {
  expect(await problemsOf("All prices include 21% tax.", excludeTax)).toEqual([
    contradiction("prices include 21% tax", "prices_include_tax", "false"),
  ]);
});

test("a page that says prices are shown net and with tax gets no warning, whether they include it or not", async () => {
  for (const store of [String, excludeTax])
    expect(await problemsOf("Prices are in euros, net and with 21% tax.", store)).toEqual([]);
});

test("a page about another shop gets a warning for its title and for every mention", async () => {
  const page = (validContent[about] ?? "")
    .replace("title: About us", "title: About Old Counter")
    .replace("We test.", "Old Counter is old.");
  const problems = await problemsWith({
    [about]: page,
    "pages/terms.md": `${page.replace("About Old", "Old")}Old Counter Ltd\n`,
  });
  expect(problems).toEqual([
    `content/${about}:2: “Old Counter”, 2 times: \`name\` of content/store.yaml is “Testcounter”. Change it, unless you mean another one.`,
    expect.stringContaining("content/pages/terms.md:2: “Old Counter”, 2 times: `name`"),
    expect.stringContaining("content/pages/terms.md:8: “Old Counter Ltd”: `company, legal_name`"),
  ]);
});

test("the shop's own details, a partner company and code get no warning", async () => {
  const text = `Testcounter Ltd, 1 Test Street, London EC1A 1AA, [sales@test.example](mailto:sales@test.example) or
data@test.example, +44 (0)20 7946 0123. Prices are in euros, €12.50, and include 21% VAT. Where none is due, we invoice
without VAT. Carried by Fast Parcels GmbH. Add 20 % glycol.

\`\`\`sh
mail old@old.example "+44 113 496 0123 $12.50"
\`\`\``;
  expect(await problemsOf(text)).toEqual([]);
});
