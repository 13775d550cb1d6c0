import { expect, test } from "vitest";
import { kestrel, type Mistake, osprey, problemsAfter, problemsWith } from "./content-problems.ts";
import { validContent } from "./content-tree.ts";

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

/** What the check says of a shop whose store.yaml has these policies, after a text of them was replaced. */
async function policyProblems(text: string, replacement: string): Promise<string[]> {
  expect(policies).toContain(text);
  return problemsWith({ "store.yaml": validContent["store.yaml"] + policies.replace(text, replacement) });
}

test("a shop may state its deliveries and returns, a free one too", async () => {
  expect(await policyProblems("", "")).toEqual([]);
});

test.each([
  [
    '"12.50"',
    "12.50",
    '25: shipping, zone 2, price must be text in quotes: 12.50 would become 12.5. Write `price: "12.50"`.',
  ],
  ['"12.50"', '"12,50"', '25: shipping, zone 2, price "12,50" has a comma. Write "12.50".'],
  ['"500.00"', '"500"', '26: shipping, zone 2, free_from "500" has 0 decimals; EUR has 2. Write "500.00".'],
  [
    "[FR, DE]",
    "[FR, GB]",
    "24: shipping, zone 2, country 2 GB stands in zone 1 already: every country belongs to one zone.",
  ],
  [
    "[FR, DE]",
    "[FR, UK]",
    '24: shipping, zone 2, country 2 "UK" is no country. Write its two capital letters, such as `GB`.',
  ],
  ["[FR, DE]", "France", '24: shipping, zone 2, countries is "France", not a list. Write `countries: [NL, BE]`.'],
  [
    "{ min: 1, max: 2 }",
    "{ min: 2, max: 1 }",
    "23: shipping, zone 1, transit_days, max is less than `min`: write the smaller number first.",
  ],
  [
    "{ min: 0, max: 1 }",
    "1 day",
    '19: shipping, handling_days is "1 day", not a group of fields. Below it, indented, must stand: min, max.',
  ],
  ["paid_by: shop", "paid_by: us", '30: returns, paid_by "us" is none of the two. Write `customer` or `shop`.'],
  ["  paid_by: shop\n", "", "28: returns, paid_by is missing. Write `customer` or `shop`."],
  ["days: 30", "days:", "29: returns, days is empty. Write a whole number, such as `30`."],
  [
    "{ min: 1, max: 2 }",
    "{ min: 1 }",
    "23: shipping, zone 1, transit_days, max is missing. Write a whole number, such as `2`.",
  ],
  ["days: 30", "days: 0", "29: returns, days must be 1 or more. A shop that takes nothing back leaves `returns` out."],
  [
    policies.slice(0, policies.indexOf("returns")),
    "",
    "18: returns needs `countries: [GB]`, or a `shipping` that says where the shop delivers.",
  ],
])("%s written as %s in store.yaml is named with its line and what to write", async (text, replacement, problem) => {
  expect(await policyProblems(text, replacement)).toEqual([`content/store.yaml:${problem}`]);
});

const asked = (answer: string) => `questions:\n  - question: Does it read?\n    answer: ${answer}\nupdated:`;

const mistakes: Mistake[] = [
  [
    "a day for what is in stock",
    kestrel,
    "availability: in_stock",
    "availability: in_stock\navailable_from: 2027-01-11",
    `content/${kestrel}:12: available_from is for \`preorder\` and \`backorder\`: take the line out, or write one of these as availability.`,
  ],
  [
    "a day beside variants",
    osprey,
    "specifications:",
    "available_from: 2027-01-11\nspecifications:",
    `content/${osprey}:18: available_from belongs to each of the \`variants\`: move it there.`,
  ],
  [
    "an answer's link to nothing",
    kestrel,
    "updated:",
    asked('"[Yes](/products/ospry)."'),
    `content/${kestrel}:17: No page \`/products/ospry\`. Did you mean \`/products/osprey\`?`,
  ],
  [
    "a heading in an answer",
    "pages/about.md",
    "updated:",
    asked('"## Yes"'),
    "content/pages/about.md:6: An answer has no headings. Write a second question instead.",
  ],
  [
    "HTML in an answer",
    kestrel,
    "updated:",
    asked('"<div>Yes</div>"'),
    `content/${kestrel}:17: An answer has no HTML, not even what a text may have, such as <br>. Write Markdown.`,
  ],
  [
    "HTML in an answer that a text may have",
    kestrel,
    "updated:",
    asked('"H<sub>2</sub>O and a<br>b and <kbd>F1</kbd>"'),
    `content/${kestrel}:17: An answer has no HTML, not even what a text may have, such as <br>. Write Markdown.`,
  ],
  [
    "a footnote in an answer",
    "pages/about.md",
    "updated:",
    asked('"Yes.[^1]\\n\\n[^1]: Nearly always."'),
    "content/pages/about.md:6: An answer has no footnotes. Write what they say into the answer.",
  ],
  [
    "a heading with the address of the questions",
    "pages/about.md",
    "updated: 2026-10-01\n---\n",
    `${asked("Yes.")} 2026-10-01\n---\n## Questions and answers\n`,
    "content/pages/about.md:9: The heading “Questions and answers” has the address #questions-and-answers, which the page's `questions` have. Use other words.",
  ],
  [
    "a heading with the address of a question, in a product",
    kestrel,
    "updated: 2026-10-02\n---\n",
    `${asked("Yes.")} 2026-10-02\n---\n## Q: Does it read?\n`,
    `content/${kestrel}:20: The heading “Q: Does it read?” has the address #q-does-it-read, which the page's \`questions\` have. Use other words.`,
  ],
  [
    "a question without an answer",
    kestrel,
    "updated:",
    asked(""),
    `content/${kestrel}:17: question 1, answer is empty. Write, for example, \`answer: Yes, from any angle.\`.`,
  ],
  [
    "a link to a question that is not there",
    "pages/returns.md",
    "Send it back.",
    "See [this](/about#q-does-it-red).",
    "content/pages/returns.md:7: The page `/about` has no heading `#q-does-it-red`.",
  ],
];

test.each(mistakes)(
  "%s is named with its file, its line and what to write",
  async (_what, file, text, replacement, problem) => {
    expect(await problemsAfter(file, text, replacement)).toEqual([problem]);
  },
);

test("a heading may be called as the questions are where the page has none", async () => {
  expect(await problemsAfter("pages/about.md", "We test.", "## Questions and answers\n\nWe test.")).toEqual([]);
});

test("a link may lead to a question of another page", async () => {
  const about = validContent["pages/about.md"]?.replace("updated:", asked("Yes.")) ?? "";
  const returns =
    validContent["pages/returns.md"]?.replace("Send it back.", "See [this](/about#q-does-it-read).") ?? "";
  expect(await problemsWith({ "pages/about.md": about, "pages/returns.md": returns })).toEqual([]);
});

test("a component without anything to show in store.yaml is named with its line", async () => {
  const shipping = validContent["pages/shipping.md"]?.replace("Nothing.", "<ShippingTable />") ?? "";
  const changes = { "pages/shipping.md": null, "pages/shipping.mdx": shipping };
  expect(await problemsWith(changes)).toEqual([
    "content/pages/shipping.mdx:9: <ShippingTable /> shows `shipping` of content/store.yaml, which has none. Write it there, or take this line out.",
  ]);
  expect(await problemsWith({ ...changes, "store.yaml": validContent["store.yaml"] + policies })).toEqual([]);
});

test("a title may have a sign that is no HTML", async () => {
  expect(await problemsAfter(kestrel, "title: Kestrel C2", "title: 2 < 3 Kestrel C2")).toEqual([]);
});
