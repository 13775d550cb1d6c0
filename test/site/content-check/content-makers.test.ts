import { describe, expect, test } from "vitest";
import { kestrel, problemsWith } from "./content-problems.ts";
import { validContent } from "./content-tree.ts";

const maker = "makers/kestrel.md";
const written = `---
name: Kestrel Instruments B.V.
address: Kanaalweg 12, 3526 KL Utrecht, Netherlands
country: NL
email: safety@kestrel.example
---
`;

const responsible =
  "responsible:\n  name: Kestrel EU\n  address: Kade 1, 1012 AB Amsterdam\n  country: NL\n  web: https://kestrel.example/eu\n";

/** The valid shop, whose Kestrel has another line, and whose maker has changed. */
const problems = (line: string, text: string | null = written) =>
  problemsWith({
    [kestrel]: (validContent[kestrel] ?? "").replace("brand: Kestrel\n", `brand: Kestrel\n${line}\n`),
    ...(text !== null && { [maker]: text }),
  });

const named = "maker: kestrel";

test("a maker with an address and a way to write is right, and one outside the EU names who answers there", async () => {
  expect(await problems(named)).toEqual([]);
  const elsewhere = written.replace("country: NL\n", `country: GB\n${responsible}`);
  expect(await problems(named, elsewhere)).toEqual([]);
});

describe("what is wrong with makers is reported with what to write instead", () => {
  test.each([
    [
      "maker: kestral",
      written,
      `content/${kestrel}:4: maker, kestral isn't a maker: content/makers/kestral.md is missing. Did you mean \`kestrel\`?`,
    ],
    [
      named,
      written.replace(/email.*\n/, ""),
      "email is missing, and so is `web`. Write one of them: customers must reach them electronically.",
    ],
    [
      named,
      written.replace("safety@kestrel.example", "Kestrel"),
      '"Kestrel" isn\'t an e-mail address. Write one such as `safety@kestrel.example`.',
    ],
    [
      named,
      written.replace("country: NL", "country: Netherlands"),
      'country "Netherlands" isn\'t a valid country. Did you mean `NL`?',
    ],
    [named, written.replace("country: NL", "country: UK"), '"UK" isn\'t a valid country. Did you mean `GB`?'],
    [named, written.replace("country: NL", "country: el"), '"el" isn\'t a valid country. Did you mean `GR`?'],
    [
      named,
      written.replace("country: NL", "country: XX"),
      '"XX" isn\'t a valid country. Write its two-letter code, such as `country: NL`.',
    ],
    [
      named,
      written.replace("country: NL\n", `country: GB\n${responsible.replace("NL", "CN")}`),
      "makers/kestrel.md:8: responsible, country CN isn't in the EU, and pages say “Responsible in the EU”. Write who answers for the maker's products there, with its country.",
    ],
    [
      named,
      written.replace("country: NL\n", `country: NL\n${responsible}`),
      "makers/kestrel.md:5: responsible is for a maker outside the EU, and this one answers for its products itself. Delete it, or check the maker's `country`.",
    ],
    [
      named,
      `${written.replace(/---\n$/, "")}web: https://kestrél.example/a b\n---\n`,
      'web "https://kestrél.example/a b" has a blank or a letter beyond ASCII. Write `web: https://xn--kestrl-fva.example/a%20b`.',
    ],
    [
      named,
      written.replace("Kanaalweg 12,", "Kanaalweg # 12,"),
      'makers/kestrel.md:3: ` #` starts a comment, so `# 12, 3526 KL Utrecht, Netherlands` isn\'t read. If it belongs to the text, use quotes: `"Kanaalweg # 12, 3526 KL Utrecht, Netherlands"`.',
    ],
    [named, written.replace("address:", "adress:"), "adress isn't a known field. Did you mean `address`?"],
    [
      named,
      `${written}\nAn old house.\n`,
      "A maker has no text: products show its fields alone. Delete what is below them.",
    ],
    ["", written, "No product names this maker. Write `maker: kestrel` into its products."],
    [
      "warnings:\n  - Hot surface: let it cool.\n  - Sharp.",
      null,
      'warning 1 is text with a colon, which needs quotes: `- "Hot surface: let it cool."`.',
    ],
    ["warnings: Hot.", null, 'warnings is "Hot.", not a list. Write a dash before each warning: `- Hot surface.`.'],
  ])("%s", async (line, text, problem) => {
    expect((await problems(line, text)).join("\n")).toContain(problem);
  });

  test("once where a product doesn't name it by its file", async () => {
    expect(await problems("maker: makers/Kestrel.md", null)).toEqual([
      `content/${kestrel}:4: maker "makers/Kestrel.md" isn't a maker's file name. Write it without folder and .md: \`kestrel\`.`,
    ]);
  });
});

describe("what is wrong with packs, content and condition is reported with what to write instead", () => {
  test.each([
    ["order_quantity: 6", "Indent these fields below it: least, step."],
    ["order_quantity: { leest: 6 }", "order_quantity leest isn't a known field. Did you mean `least`?"],
    ["order_quantity: { least: 1000 }", "order_quantity, least must be 999 or less, since a basket takes no more."],
    ["order_quantity: { step: six }", '"six" isn\'t a number of pieces. Write a whole number: `step: 6`.'],
    ['content: { amount: "0", unit: l }', 'content, amount "0" isn\'t an amount above 0.'],
    [
      'content: { amount: "1", unit: Liter }',
      'content, unit "Liter" isn\'t how this unit is written. Write `l`, so that pages say the price per l.',
    ],
    [
      'content: { amount: "1", unit: G }',
      'content, unit "G" isn\'t how this unit is written. Write `g`, so that pages say the price per kg.',
    ],
    ...[
      ["kgs", "kg", "kg"],
      ["Kilo gramm", "kg", "kg"],
      ["m^2", "m²", "m²"],
      ["M^3", "m³", "m³"],
      ["ML.", "ml", "l"],
      ["Stk.", "Stück", "Stück"],
    ].map(([wrong, unit, base]) => [
      `content: { amount: "1", unit: ${wrong} }`,
      `"${wrong}" isn't how this unit is written. Write \`${unit}\`, so that pages say the price per ${base}.`,
    ]),
    [
      'content: { amount: "1", unit: 100g }',
      'content, unit "100g" begins with a number. Write the number as `amount`, and here the unit alone: `unit: g`.',
    ],
    ["condition: nwe", 'condition "nwe" isn\'t one of new, used, refurbished.'],
  ])("%s", async (line, problem) => {
    expect((await problems(line, null)).join("\n")).toContain(problem);
  });

  test("any other unit is right", async () => {
    expect(await problems('content: { amount: "250", unit: labels, pieces: 12 }', null)).toEqual([]);
  });

  test("fewer pieces in an order than the least that is sold", async () => {
    const changed = {
      "store.yaml": `${validContent["store.yaml"]}most_per_order: 10\n`,
      [kestrel]: (validContent[kestrel] ?? "").replace("updated:", "order_quantity: { least: 12 }\nupdated:"),
    };
    expect(await problemsWith(changed)).toEqual([
      `content/${kestrel}:15: order_quantity, least is 12, and an order has at most 10 pieces of one version (\`most_per_order\` in content/store.yaml), so nobody could order it. Change one of the two.`,
    ]);
  });
});
