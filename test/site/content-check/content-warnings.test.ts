import { execFileSync } from "node:child_process";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { checkContent } from "../../../site/content-check/check.ts";
import { formatProblem } from "../../../site/content-check/problem.ts";
import { kestrel, osprey } from "./content-problems.ts";
import { newProduct, validContent, writeContent } from "./content-tree.ts";

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true });
});

function newShop(changes: Record<string, string>): string {
  const root = writeContent(changes);
  roots.push(root);
  return root;
}

/** The warnings about a shop without errors. */
async function warningsAbout(root: string): Promise<string[]> {
  const problems = await checkContent(root);
  expect(problems.filter(({ isWarning }) => !isWarning)).toEqual([]);
  return problems.map(formatProblem);
}

test("SKUs that differ only in capitals get a warning", async () => {
  const text = (validContent[osprey] ?? "").replace("OSP-WH", "kes-c2");
  expect(await warningsAbout(newShop({ [osprey]: text }))).toEqual([
    `content/${osprey}:14: SKU kes-c2 differs from KES-C2 in content/${kestrel}:8 in capitals only. Many ERPs treat them as the same. Check it for a typo.`,
  ]);
});

const shelf = "products/barcode-scanners";

test.each([
  ["18900.00", "100 times"],
  ["9450.00", "50 times"],
  ["1.89", "1/100 of"],
])("a price of %s among prices of 189.00 gets a warning", async (price, ratio) => {
  const others = ["a", "b", "c"].map((slug) => [`${shelf}/${slug}.md`, newProduct(slug)] as const);
  const root = newShop({ ...Object.fromEntries(others), [`${shelf}/odd.md`]: newProduct("odd", price) });
  expect(await warningsAbout(root)).toEqual([
    `content/${shelf}/odd.md:9: price "${price}" is ${ratio} the usual price in its category, 189.00. Is the decimal point in the right place?`,
  ]);
});

test("a price is compared with others in its category and with the product's other versions", async () => {
  const text = (validContent[osprey] ?? "").replace("1319.00", "131900.00");
  expect(await warningsAbout(newShop({ [osprey]: text }))).toEqual([
    `content/${osprey}:15: price "131900.00" is 101 times the usual price of its versions, 1299.00. Is the decimal point in the right place?`,
  ]);
  const category = (validContent["categories/barcode-scanners.md"] ?? "").replace("Barcode scanners", "Rolls");
  const rolls = { "categories/rolls.md": category, "products/rolls/roll.md": newProduct("roll", "0.90") };
  expect(await warningsAbout(newShop(rolls))).toEqual([]);
});

test("a price far from the product's other versions gets a warning", async () => {
  const others = ["a", "b", "c"].map((slug) => [`${shelf}/${slug}.md`, newProduct(slug, "42.00")] as const);
  const third = '    options: { Colour: White }\n  - sku: "OSP-RD"\n    price: "22.00"\n    availability: in_stock\n';
  const cards = (validContent[osprey] ?? "")
    .replace("1299.00", "1600.00")
    .replace("1319.00", "18.00")
    .replace("    options: { Colour: White }\n", `${third}    options: { Colour: Red }\n`);
  const root = newShop({ ...Object.fromEntries(others), [osprey]: cards });
  expect(await warningsAbout(root)).toEqual([
    `content/${osprey}:10: price "1600.00" is 72 times the usual price of its versions, 22.00. Is the decimal point in the right place?`,
  ]);
});

test.each([
  ["990.00", "50 times"],
  ["0.25", "1/79 of"],
])("a price of %s gets a warning beside products of its type at 19.80", async (price, ratio) => {
  const category = (validContent["categories/barcode-scanners.md"] ?? "").replace("Barcode scanners", "Accessories");
  const typed = (slug: string, amount: string, type: string) => [
    `products/accessories/${slug}.md`,
    newProduct(slug, amount).replace("Reads: 1D and 2D codes", `Type: ${type}`),
  ];
  const root = newShop({
    "categories/accessories.md": category.replace("order: 10", "order: 11\nfilters: [Type]"),
    ...Object.fromEntries(["a", "b", "c", "d"].map((slug) => typed(slug, "45.00", "Stand"))),
    ...Object.fromEntries(["e", "f"].map((slug) => typed(slug, "19.80", "Cable"))),
    ...Object.fromEntries([typed("odd", price, "Cable")]),
  });
  expect(await warningsAbout(root)).toEqual([
    `content/products/accessories/odd.md:9: price "${price}" is ${ratio} the usual price of similar products, 19.80. Is the decimal point in the right place?`,
  ]);
});

/** Commits everything in a shop's folder. */
function commit(root: string): void {
  const identity = ["-c", "user.name=Test", "-c", "user.email=test@test.example", "-c", "commit.gpgsign=false"];
  for (const args of [
    ["init", "-q"],
    ["add", "-A"],
    [...identity, "commit", "-q", "--allow-empty", "-m", "Change"],
  ])
    execFileSync("git", args, { cwd: root });
}

const rename = (root: string, from: string, to: string) =>
  renameSync(join(root, "content", from), join(root, "content", to));

const about = "pages/about.md";
const renamed = (file: string, old: string, all: string) =>
  `content/${file}:1: This page was renamed: links to \`${old}\` lead nowhere. Write \`formerly: ["${all}"]\`.`;

test("a renamed page without its former slug gets a warning, before and after it is committed", async () => {
  const root = newShop({});
  commit(root);
  expect(await warningsAbout(root)).toEqual([]);
  rename(root, about, "pages/who-we-are.md");
  expect(await warningsAbout(root)).toEqual([renamed("pages/who-we-are.md", "/about", "about")]);
  expect(execFileSync("git", ["diff", "--cached", "--name-only"], { cwd: root, encoding: "utf8" })).toBe("");
  commit(root);
  expect(await warningsAbout(root)).toEqual([renamed("pages/who-we-are.md", "/about", "about")]);
  const text = validContent[about] ?? "";
  writeFileSync(join(root, "content/pages/who-we-are.md"), text.replace("updated:", "formerly: [about]\nupdated:"));
  expect(await warningsAbout(root)).toEqual([]);
});

test("the warning about a page renamed twice gives both former slugs", async () => {
  const root = newShop({});
  commit(root);
  rename(root, about, "pages/us.md");
  commit(root);
  rename(root, "pages/us.md", "pages/team.md");
  expect(await warningsAbout(root)).toEqual([
    `content/pages/team.md:1: This page was renamed: links to \`/us\` and \`/about\` lead nowhere. Write \`formerly: ["us", "about"]\`.`,
  ]);
});

test("moving a product to another category or renaming a former draft gets no warning", async () => {
  const category = (validContent["categories/barcode-scanners.md"] ?? "").replace("Barcode scanners", "Tills");
  const draft = (validContent[about] ?? "").replace("updated:", "draft: true\nupdated:");
  const root = newShop({
    "categories/tills.md": category,
    "pages/draft.md": draft,
    [`${shelf}/a.md`]: newProduct("a"),
  });
  commit(root);
  rename(root, `${shelf}/a.md`, `${shelf}/../kept.md`);
  execFileSync("mkdir", ["-p", join(root, "content/products/tills")]);
  rename(root, "products/kept.md", "products/tills/a.md");
  rename(root, "pages/draft.md", "pages/done.md");
  writeFileSync(join(root, "content/pages/done.md"), draft.replace("draft: true\n", ""));
  expect(await warningsAbout(root)).toEqual([]);
});

test.each([
  "> | A | B |\n> |---|---|\n> | c | d |",
  "- | A | B |\n  |---|---|\n  | c | d |",
  "1. Text\n\n   | A | B |\n   |---|---|\n   | c | d |",
  "- Red | blue | green\n- Black | grey | white",
])("a table in a quotation or a list, and bars in the items of a list, get no warning: %j", async (table) => {
  const text = (validContent[kestrel] ?? "").replace("It scans.", `\n${table}\n`);
  expect(await warningsAbout(newShop({ [kestrel]: text }))).toEqual([]);
});

test.each(["| A | B |\n| c | d |", "| A | B |\n|---|\n| c | d |", "Text.\n\n| c | d |\n| e | f |\n\nMore."])(
  "a table without a head row, which stays text, gets a warning: %j",
  async (table) => {
    const [text, row] = [validContent[kestrel] ?? "", table.split("\n").findIndex((line) => line.startsWith("|"))];
    expect(await warningsAbout(newShop({ [kestrel]: text.replace("It scans.", `\n${table}\n`) }))).toEqual([
      `content/${kestrel}:${21 + row}: A table without a head row stays text with bars. Write \`|---|---|\` below the row of column names. If it has none, put a row of names above this one first.`,
    ]);
  },
);

test.each([
  "| A | B |\n|---|---|\n| c | d |",
  "| A | B |\n| :- | -: |",
  "```\n| a | b |\n| c | d |\n```",
  "One | two.\nThree `|| a |`.",
])("a table with a head row, and bars in code or a sentence, are right: %j", async (text) => {
  const shop = newShop({ [kestrel]: (validContent[kestrel] ?? "").replace("It scans.", `\n${text}\n`) });
  expect(await warningsAbout(shop)).toEqual([]);
});

test("values and names of versions that visitors can't tell apart get a warning, once each", async () => {
  const versionsOf = (all: readonly (readonly [finish: string, edge: string])[]) => {
    const written = all.map(
      ([finish, edge], index) =>
        `  - { sku: "${index === 0 ? "KES-C2" : `A-${index}`}", price: "189.00", availability: in_stock, options: { Finish: "${finish}", Edge: "${edge}" } }`,
    );
    const text = (validContent[kestrel] ?? "").replace(/^(?:sku|gtin|barcode|price|availability): .*\n/gm, "");
    return newShop({
      [kestrel]: text.replace(/^specifications:/m, `variants:\n${written.join("\n")}\nspecifications:`),
    });
  };
  const odd = versionsOf([
    ["Red / matt", "round"],
    ["Red", "matt / round"],
    ["red", "round"],
    ["red", "square"],
    ["Cafe\u0301", "round"],
    ["Caf\u00e9", "square"],
    ["Wi-Fi", "round"],
    ["WiFi", "round"],
    ["10 mm", "round"],
    ["10mm", "square"],
  ]);
  expect((await warningsAbout(odd)).map((text) => text.replace(/^[^ ]+ /, ""))).toEqual([
    "options: another version is called “Red / matt / round”, too. Write a value without a slash.",
    ...[
      ["red", "Red"],
      ["Caf\u00e9", "Cafe\u0301"],
      ["WiFi", "Wi-Fi"],
      ["10mm", "10 mm"],
    ].map(
      ([value, like]) =>
        `options, Finish: “${value}” looks like “${like}” of another version, so visitors see two buttons for it. Write it in one way.`,
    ),
  ]);
  const plain = versionsOf([
    ["Red", "S"],
    ["Red", "M"],
    ["Black / Red", "S"],
    ["Reed", "5 m"],
    ["Reed", "5.5 m"],
    ["-5", "3-4"],
    ["5", "34"],
  ]);
  expect(await warningsAbout(plain)).toEqual([]);
});
