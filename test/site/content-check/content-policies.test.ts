import { expect, test } from "vitest";
import { problemsWith } from "./content-problems.ts";
import { mails, validContent } from "./content-tree.ts";

const policies = `shipping:
  handling_days: { min: 0, max: 1 }
  zones:
    - countries: [GB]
      price: "0.00"
      transit_days: { min: 1, max: 2 }
    - countries: [FR, DE]
      price: "12.50"
      free_from: "500.00"
      transit_days: { min: 3, max: 3 }
returns:
  days: 30
  paid_by: shop
  sent_to: GB
`;

test("copies of the program's pages in content/ aren't read, and what a shop adds to them has no headings", async () => {
  const page = validContent["pages/contact.md"] ?? "";
  expect(await problemsWith({ "pages/developers.md": page })).toEqual([]);
  const copies = { "pages/developers.mdx": `${page}\n<Nothing />`, "pages/developers-fields.mdx": page };
  const isReplaced =
    /This page comes with the program now, so the file isn't read\. Delete it\. .*content\/pages\/developers\.md\.$/;
  expect(await problemsWith(copies)).toEqual([
    expect.stringMatching(/^content\/pages\/developers-fields\.mdx:1: /),
    expect.stringMatching(isReplaced),
  ]);
  expect(await problemsWith({ "pages/developers.md": `${page}\n## Access\n` })).toEqual([
    expect.stringMatching(
      /^content\/pages\/developers\.md:\d+: This text stands above the program's, which has the headings\./,
    ),
  ]);
});

/** The problems of a shop with these policies in its store.yaml, after one text in them is replaced. */
async function policyProblems(text: string, replacement: string): Promise<string[]> {
  expect(policies).toContain(text);
  return problemsWith({ "store.yaml": validContent["store.yaml"] + policies.replace(text, replacement) });
}

test("a shop may state its shipping and returns, free ones included", async () => {
  expect(await policyProblems("", "")).toEqual([]);
});

const inEu = (home: string) =>
  `is in the EU's VAT area with ${home}, the shop's \`home\`, so goods for it are no exports. Write its rate in \`rates\` instead.`;

test.each([
  [
    '"12.50"',
    "12.50",
    '25: shipping, zone 2, price must be text in quotes: 12.50 would become 12.5. Write `price: "12.50"`.',
  ],
  ['"12.50"', '"12,50"', '25: shipping, zone 2, price "12,50" has a comma. Write "12.50".'],
  ['"500.00"', '"500"', '26: shipping, zone 2, free_from "500" has 0 decimals; EUR has 2. Write "500.00".'],
  ["[FR, DE]", "[FR, GB]", "24: shipping, zone 2, country 2 GB is already in zone 1. List each country once."],
  [
    "[FR, DE]",
    "[FR, UK]",
    "24: shipping, zone 2, country 2 \"UK\" isn't a valid country. Write its two-letter code, such as `GB`, or a territory's, such as `ES-CN`, or `XI` for Northern Ireland.",
  ],
  [
    "[FR, DE]",
    "[ES-TF]",
    "24: shipping, zone 2, country 1 \"ES-TF\" isn't a valid country. Write its two-letter code, such as `GB`, or a territory's: `ES-CN` Canary Islands, `ES-CE` Ceuta, `ES-ML` Melilla.",
  ],
  ["[FR, DE]", "[AX, FI-01]", "24: shipping, zone 2, country 2 FI-01 is already in zone 2. List each country once."],
  ["[FR, DE]", "France", '24: shipping, zone 2, countries is "France", not a list. Write `countries: [NL, BE]`.'],
  [
    "{ min: 1, max: 2 }",
    "{ min: 2, max: 1 }",
    "23: shipping, zone 1, transit_days, max is less than `min`: write the smaller number first.",
  ],
  [
    "{ min: 0, max: 1 }",
    "1 day",
    '19: shipping, handling_days is "1 day", not a group of fields. Indent these fields below it: min, max.',
  ],
  ["paid_by: shop", "paid_by: us", '30: returns, paid_by "us" isn\'t valid. Write `customer` or `shop`.'],
  ["  paid_by: shop\n", "", "28: returns, paid_by is missing. Write `customer` or `shop`."],
  ["days: 30", "days:", "29: returns, days is empty. Write a whole number, such as `30`."],
  [
    "{ min: 1, max: 2 }",
    "{ min: 1 }",
    "23: shipping, zone 1, transit_days, max is missing. Write a whole number, such as `2`.",
  ],
  ["days: 30", "days: 0", "29: returns, days must be 1 or more. Leave `returns` out if the shop takes nothing back."],
])("%s written as %s in store.yaml is reported with its line and what to write", async (text, replacement, problem) => {
  expect(await policyProblems(text, replacement)).toEqual([`content/store.yaml:${problem}`]);
});

test("a zone may name territories, which are exports or have a rate of their own without being in `tax`", async () => {
  const problems = (countries: string, tax = 'GB: "0.21" }, export: [DE, FR]') => {
    const store = (validContent["store.yaml"] ?? "").replace('GB: "0.21" }, export: [DE, FR]', tax);
    return problemsWith({ "store.yaml": store + policies.replace("[FR, DE]", countries) });
  };
  expect(await problems("[FR, DE, ES-CN, FI-01, GP, DE-HELGOLAND, JE, PT-20, AT-JUNGHOLZ, MC, IM]")).toEqual([]);
  expect(await problems("[DE, LI]")).toEqual([
    "content/store.yaml:8: tax, rates lack LI, where the shop delivers. Write the rate of each, or add it to `export`.",
  ]);
  expect(await problems("[FR, FR-RE]")).toContain(
    "content/store.yaml:24: shipping, zone 2, country 2 \"FR-RE\" isn't a valid country. Write its two-letter code, such as `GB`, or a territory's: `RE` Réunion.",
  );
  expect(await problems("[FR, NO-21]")).toContain(
    "content/store.yaml:24: shipping, zone 2, country 2 \"NO-21\" isn't a valid country. Write its two-letter code, such as `GB`, or a territory's: `SJ` Svalbard & Jan Mayen.",
  );
  expect(await problems("[FR, AX]", 'GB: "0.21", AX: "0.255", FI-01: "0.24" }, export: [FR, ES-CN]')).toEqual([
    "content/store.yaml:8: tax, rates, FI-01 is AX, which has a rate already. Remove one of them.",
  ]);
  expect(await problems("[FR, AX]", 'GB: "0.21", AX: "0.255" }, export: [FR, FI-01]')).toEqual([
    "content/store.yaml:8: tax, export, item 2 FI-01 has a rate in `rates` too. Remove one of them.",
  ]);
});

test.each([
  ["GB", 'rates: { GB: "0.20" }', "[GB], [XI]", []],
  ["IM", 'rates: { IM: "0.20" }', "[GB], [XI, IM]", []],
  [
    "NL",
    'rates: { NL: "0.21" }, export: [GB]',
    "[GB]",
    [
      "rates lack XI, where the shop delivers. Write the rate of each. XI is Northern Ireland, which goods for GB may go to.",
    ],
  ],
  [
    "NL",
    'rates: { NL: "0.21" }',
    "[DE, CH]",
    ["rates lack DE, CH, where the shop delivers. Write the rate of each, or add CH to `export`."],
  ],
  ["NL", 'rates: { NL: "0.21" }, export: [GB, GB-NIR]', "[GB]", [`export, item 2 GB-NIR ${inEu("NL")}`]],
  [
    "NL",
    'rates: { NL: "0.21" }, export: [DE, MC, AX]',
    "[DE, FI-01]",
    [`export, item 1 DE ${inEu("NL")}`, `export, item 2 MC ${inEu("NL")}`],
  ],
  ["CH", 'rates: { CH: "0.081" }, export: [DE, GB, XI]', "[CH, DE, GB]", []],
] as const)("with %s as home and %s, zones %s have the problems %j", async (home, rest, zones, found) => {
  const store = (validContent["store.yaml"] ?? "").replace(
    /tax: \{.*\}\n/,
    `tax: { name: VAT, home: ${home}, ${rest} }\n`,
  );
  const each = zones.split(/(?<=\]), /).map(
    (countries) => `    - countries: ${countries}
      price: "0.00"
      transit_days: { min: 1, max: 2 }
`,
  );
  const shipping = policies.replace(/( {2}zones:\n)[\s\S]*(?=returns:)/, `$1${each.join("")}`);
  const problems = await problemsWith({ "store.yaml": store + shipping });
  expect(problems.filter((problem) => problem.includes(" tax, "))).toEqual(
    found.map((problem) => `content/store.yaml:8: tax, ${problem}`),
  );
});

test("returns need their own countries when store.yaml has no shipping", async () => {
  expect(await policyProblems(policies.slice(0, policies.indexOf("returns")), "")).toEqual([
    "content/store.yaml:18: returns needs `countries: [GB]`, or a `shipping` with the countries that the shop delivers to.",
  ]);
});

const transfer = "payment: { transfer: { account_holder: A Ltd, due_days: 14 } }\n";

test.each([
  [
    "without shipping",
    transfer,
    ":18: payment needs `shipping`: without prices of delivery nothing can be ordered. Add it, or remove `payment`.",
  ],
  [
    "that is empty",
    `${policies}payment: {}\n`,
    ":32: payment has no way to pay. Add `transfer: { account_holder: Counterwell Ltd, due_days: 14 }`, or remove `payment`.",
  ],
])("a payment %s is reported with what to do", async (_what, lines, problem) => {
  const problems = (added: string) => problemsWith({ ...mails, "store.yaml": validContent["store.yaml"] + added });
  expect(await problems(policies + transfer)).toEqual([]);
  expect(await problems(lines)).toEqual([`content/store.yaml${problem}`]);
});

test("a component whose settings are missing from store.yaml is reported with its line", async () => {
  const shipping = validContent["pages/shipping.md"]?.replace("Nothing.", "<ShippingTable />") ?? "";
  const changes = { "pages/shipping.md": null, "pages/shipping.mdx": shipping };
  expect(await problemsWith(changes)).toEqual([
    "content/pages/shipping.mdx:9: <ShippingTable /> needs `shipping` in content/store.yaml. Add it there, or delete this line.",
  ]);
  expect(await problemsWith({ ...changes, "store.yaml": validContent["store.yaml"] + policies })).toEqual([]);
});
