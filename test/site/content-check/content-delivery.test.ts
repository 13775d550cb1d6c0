import { expect, test } from "vitest";
import { parseShop } from "../../../site/content-schema/shop.ts";
import { kestrel, osprey, problemsWith } from "./content-problems.ts";
import { newProduct, validContent } from "./content-tree.ts";

const shipping = `shipping:
  handling_days: { min: 0, max: 1 }
  zones:
    - countries: [GB]
      methods:
        - code: parcel
          name: Parcel
          by: weight
          tiers:
            - { up_to: 2000, price: "7.00" }
            - { up_to: 10000, price: "11.00" }
            - { price: "29.00" }
          free_from: "200.00"
          transit_days: { min: 1, max: 2 }
        - code: courier
          name: Courier
          by: value
          tiers:
            - { up_to: "50.00", price: "9.00" }
            - { up_to: "100.00", price: "12.00" }
            - { up_to: "500.00", price: "15.00" }
          transit_days: { min: 0, max: 0 }
    - countries: [FR, DE]
      price: "19.00"
      transit_days: { min: 3, max: 5 }
  pickup:
    name: Collect in London
    street: 1 Test Street
    city: London
    postal_code: "EC1A 1AA"
    country_code: GB
    hours: Monday to Friday, 9 to 17
`;

const store = `${validContent["store.yaml"] ?? ""}${shipping}`;

/** The products of the shop with the weights that its parcels need. */
const weighed = (weight = "weight_g: 850\n") => ({
  [kestrel]: (validContent[kestrel] ?? "").replace("specifications:", `${weight}specifications:`),
  [osprey]: (validContent[osprey] ?? "").replace("specifications:", "weight_g: 10500\nspecifications:"),
});

/** The problems of a shop with these settings after one text in them is replaced. */
async function problemsAfter(text: string, replacement: string): Promise<string[]> {
  expect(store).toContain(text);
  const problems = await problemsWith({ ...weighed(), "store.yaml": store.replace(text, replacement) });
  return problems.map((problem) => problem.replace("content/store.yaml:", ""));
}

test("a zone may have methods by weight, value or pieces, and customers may collect what they order", async () => {
  expect(await problemsAfter("", "")).toEqual([]);
  expect(
    await problemsAfter(
      "by: weight\n          tiers:\n            - { up_to: 2000,",
      "by: pieces\n          tiers:\n            - { up_to: 2,",
    ),
  ).toEqual([]);
  // As a form in /admin writes it.
  expect(await problemsAfter("up_to: 2000", 'up_to: "2000"')).toEqual([]);
});

test.each([
  [
    "- countries: [GB]\n",
    '- countries: [GB]\n      price: "7.00"\n',
    "22: shipping, zone 1, price stands beside `methods`. Keep one of them: each method has prices of its own.",
  ],
  [
    "- countries: [GB]\n",
    '- countries: [GB]\n      free_from: "50.00"\n',
    "22: shipping, zone 1, free_from stands beside `methods`. Move it into each method that it is true of.",
  ],
  [
    "- countries: [GB]\n",
    "- countries: [GB]\n      transit_days: { min: 1, max: 2 }\n",
    "22: shipping, zone 1, transit_days stands beside `methods`. Move it into each method that it is true of.",
  ],
  [
    '      price: "19.00"\n',
    "",
    '40: shipping, zone 2, price is missing. Write `price: "7.50"`, or `methods` for customers to choose from.',
  ],
  [
    "      transit_days: { min: 3, max: 5 }\n",
    "",
    "40: shipping, zone 2, transit_days is missing. Indent these fields below it: min, max.",
  ],
  [
    "code: courier",
    "code: parcel",
    '32: shipping, zone 1, method 2, code "parcel" is already the code of method 1. Give each method of a zone its own.',
  ],
  [
    "name: Courier",
    "name: Parcel",
    '33: shipping, zone 1, method 2, name "Parcel" is already the name of method 1. Give each method of a zone its own.',
  ],
  [
    "code: courier",
    "code: pickup",
    '32: shipping, zone 1, method 2, code "pickup" is the code of goods that are collected. Choose another one.',
  ],
  [
    "code: courier",
    "code: Same Day",
    '32: shipping, zone 1, method 2, code "Same Day" isn\'t a code. Use letters a to z, digits and single hyphens: `express`.',
  ],
  [
    "          name: Parcel\n",
    "",
    "23: shipping, zone 1, method 1, name is missing. Write, for example, `name: Express delivery`.",
  ],
  [
    "by: weight",
    "by: size",
    '25: shipping, zone 1, method 1, by "size" isn\'t one of weight, value, pieces. Write `by: weight` where the price depends on the weight, `value` on the value of the goods, `pieces` on their number.',
  ],
  [
    "up_to: 10000",
    "up_to: 1500",
    "28: shipping, zone 1, method 1, tier 2, up_to 1500 is less than that of tier 1. Begin with the smallest.",
  ],
  [
    "up_to: 10000",
    "up_to: 2000",
    "28: shipping, zone 1, method 1, tier 2, up_to 2000 is the same as that of tier 1. Write each once.",
  ],
  [
    "up_to: 2000, ",
    "",
    "27: shipping, zone 1, method 1, tier 1, up_to is missing. Only the last tier may lack it: that one has no limit.",
  ],
  [
    "up_to: 2000",
    "up_to: 2 kg",
    '27: shipping, zone 1, method 1, tier 1, up_to "2 kg" isn\'t whole grams. Write `up_to: 2000`, without quotes or a unit.',
  ],
  [
    "up_to: 2000",
    'up_to: "2,5 kg"',
    '27: shipping, zone 1, method 1, tier 1, up_to "2,5 kg" isn\'t whole grams. Write `up_to: 2500`, without quotes or a unit.',
  ],
  [
    "up_to: 2000",
    "up_to: 850 g",
    '27: shipping, zone 1, method 1, tier 1, up_to "850 g" isn\'t whole grams. Write `up_to: 850`, without quotes or a unit.',
  ],
  [
    "up_to: 2000",
    'up_to: "50.00"',
    '27: shipping, zone 1, method 1, tier 1, up_to "50.00" isn\'t whole grams. Write `up_to: 2000`, without quotes or a unit.',
  ],
  [
    "up_to: 2000",
    "up_to: 0",
    "27: shipping, zone 1, method 1, tier 1, up_to 0 isn't whole grams. Write `up_to: 2000`, without quotes or a unit.",
  ],
  [
    'up_to: "50.00"',
    "up_to: 50",
    '36: shipping, zone 1, method 2, tier 1, up_to 50 has 0 decimals; EUR has 2. Write "50.00".',
  ],
  [
    'up_to: "50.00"',
    "up_to: 50.00",
    '36: shipping, zone 1, method 2, tier 1, up_to 50 has 0 decimals; EUR has 2. Write "50.00".',
  ],
  [
    'up_to: "50.00"',
    "up_to: 50.50",
    '36: shipping, zone 1, method 2, tier 1, up_to must be text in quotes: 50.50 would become 50.5. Write `up_to: "50.50"`.',
  ],
  ['up_to: "50.00"', 'up_to: "0.00"', '36: shipping, zone 1, method 2, tier 1, up_to "0.00" is zero.'],
  [
    'price: "11.00"',
    'price: "11"',
    '28: shipping, zone 1, method 1, tier 2, price "11" has 0 decimals; EUR has 2. Write "11.00".',
  ],
  [
    'free_from: "200.00"',
    'free_from: "200"',
    '30: shipping, zone 1, method 1, free_from "200" has 0 decimals; EUR has 2. Write "200.00".',
  ],
  [
    "transit_days: { min: 0, max: 0 }",
    "transit_days: 1",
    "39: shipping, zone 1, method 2, transit_days is 1, not a group of fields. Indent these fields below it: min, max.",
  ],
  [
    "country_code: GB\n    hours",
    "country_code: DE\n    hours",
    "48: shipping, pickup, country_code is DE. Goods that customers collect are taxed where they do, and DE is in `export` of `tax`. Choose a place in GB, or write the rate of DE in `rates` instead.",
  ],
  [
    "country_code: GB\n    hours",
    "country_code: NL\n    hours",
    "48: shipping, pickup, country_code is NL. Goods that customers collect are taxed where they do, and `rates` of `tax` lack NL. Write its rate there.",
  ],
  [
    "    hours: Monday to Friday, 9 to 17\n",
    '    hours: ""\n',
    "49: shipping, pickup, hours is empty. Write, for example, `hours: Monday to Friday, 9 to 17`.",
  ],
  [
    "    city: London\n    postal_code",
    "    postal_code",
    "43: shipping, pickup, city is missing. Write, for example, `city: Leeds`.",
  ],
])(
  "%j written as %j in the delivery of store.yaml is reported with what to write",
  async (text, replacement, problem) => {
    expect(await problemsAfter(text, replacement)).toEqual([problem]);
  },
);

test.each([
  [
    '{ price: "29.00" }',
    '{ up_to: 20000, price: "29.00" }',
    "22: shipping, zone 1, methods all have a limit, so larger orders can't be delivered there. Leave `up_to` out of a method's last tier, unless that's meant.",
  ],
  [
    'price: "11.00"',
    'price: "6.00"',
    '28: shipping, zone 1, method 1, tier 2, price "6.00" is lower than that of the tier before, "7.00". Check it for a typo.',
  ],
  [
    '      price: "19.00"\n      transit_days: { min: 3, max: 5 }\n',
    '      methods: [{ code: parcel, name: Packet, by: pieces, tiers: [{ price: "19.00" }], transit_days: { min: 3, max: 5 } }]\n',
    "41: shipping, zone 2, method 1, name is “Packet”, and `code: parcel` is “Parcel” in zone 1. Write one name, or another code.",
  ],
])("%j written as %j is a doubt", async (text, replacement, problem) => {
  const doubts = await problemsAfter(text, replacement);
  expect(doubts).toEqual([problem]);
});

test("a weight that ends the tiers at so few grams may be in kilograms, which is a doubt", async () => {
  const tiers = /- \{ up_to: 2000[\s\S]*?"29.00" \}/.exec(store)?.[0] ?? "";
  const inKilograms = '- { up_to: 5, price: "7.00" }\n            - { up_to: 31, price: "11.00" }';
  expect(await problemsAfter(tiers, inKilograms)).toContain(
    "28: shipping, zone 1, method 1, tier 2, up_to 31 is grams, and few parcels are that light. If kilograms are meant, write `up_to: 31000`.",
  );
});

test("amounts may leave out the digits that nobody pays, and programs get them", () => {
  const yen = store.replace("EUR", "HUF").replaceAll(/"(\d+)\.00"/g, '"$1"');
  const methods = parseShop(yen).shipping?.zones[0]?.methods ?? [];
  expect(methods.map(({ tiers, free_from }) => [free_from, tiers.map(({ up_to, price }) => [up_to, price])])).toEqual([
    [
      "200.00",
      [
        [2000, "7.00"],
        [10000, "11.00"],
        [undefined, "29.00"],
      ],
    ],
    [
      undefined,
      [
        ["50.00", "9.00"],
        ["100.00", "12.00"],
        ["500.00", "15.00"],
      ],
    ],
  ]);
});

const needed = (of: string) =>
  `${of}weight_g is missing. In store.yaml, the price of \`parcel\` in zone 1 (GB) depends on it. Write the grams of one piece with its packaging: \`weight_g: 850\`.`;

test("a product without the weight that a price depends on is named, and the version that lacks it", async () => {
  const whole = await problemsWith({ ...weighed(""), "store.yaml": store });
  expect(whole).toEqual([`content/${kestrel}:1: ${needed("")}`]);
  const one = (validContent[osprey] ?? "").replace(
    "options: { Colour: Black }",
    "options: { Colour: Black }\n    weight_g: 900",
  );
  expect(await problemsWith({ ...weighed(), [osprey]: one, "store.yaml": store })).toEqual([
    `content/${osprey}:15: ${needed("variant 2, ")}`,
  ]);
  // A draft is only reminded, and a shop without prices by weight needs none.
  const draft = newProduct("later").replace("specifications:", "draft: true\nspecifications:");
  expect(
    (await problemsWith({ ...weighed(), "products/barcode-scanners/later.md": draft, "store.yaml": store })).length,
  ).toBe(1);
  expect(
    await problemsWith({
      "store.yaml": store.replace(
        /by: weight[\s\S]*?(?= {10}free_from)/,
        'by: pieces\n          tiers: [{ price: "7.00" }]\n',
      ),
    }),
  ).toEqual([]);
});

test("a product that is heavier than every tier of a zone is a doubt", async () => {
  const limited = store
    .replace('            - { price: "29.00" }\n', "")
    .replace(/ {8}- code: courier[\s\S]*?(?= {4}- countries)/, "");
  expect(await problemsWith({ ...weighed(), "store.yaml": limited })).toEqual([
    `content/${osprey}:18: weight_g 10500 is more than every tier in zone 1 (GB) of store.yaml takes, so it can't be delivered there. Check it for a typo.`,
    expect.stringContaining("content/store.yaml:22: shipping, zone 1, methods all have a limit"),
  ]);
  // So are six pieces where nobody may order fewer.
  const six = weighed("weight_g: 1700\norder_quantity: { least: 6 }\n");
  expect(await problemsWith({ ...six, "store.yaml": limited })).toContain(
    `content/${kestrel}:12: weight_g 1700, 10200 for the 6 pieces that an order has at least, is more than every tier in zone 1 (GB) of store.yaml takes, so it can't be delivered there. Check it for a typo.`,
  );
});

test("a weight that isn't a number is one error where a price depends on it", async () => {
  expect(await problemsWith({ ...weighed('weight_g: "850"\n'), "store.yaml": store })).toEqual([
    `content/${kestrel}:12: weight_g "850" isn't a weight in grams. Write a whole number without a unit: \`weight_g: 850\`.`,
  ]);
});

const taxed = (tax: string) =>
  (validContent["store.yaml"] ?? "").replace('tax: { home: GB, rates: { GB: "0.21" }, export: [DE, FR] }', tax);

const reduced = (validContent[kestrel] ?? "").replace("specifications:", "tax_class: reduced\nspecifications:");

test.each([
  ["the right rates", '{ GB: "0.05", NL: "0.09" }', []],
  [
    "a rate too few",
    '{ GB: "0.05" }',
    [
      "8: tax, classes, reduced lacks NL, which has a rate in `rates`. Write the rate of these goods in each, the usual one where there is no other.",
    ],
  ],
  [
    "a rate of no country",
    '{ GB: "0.05", NL: "0.09", AT: "0.1" }',
    ["8: tax, classes, reduced, AT has no usual rate. Write one in `rates` too, or delete this line."],
  ],
  [
    "a percentage",
    '{ GB: "5 %", NL: "0.09" }',
    ['8: tax, classes, reduced, GB "5 %" must be a fraction. Write `"0.05"`.'],
  ],
  [
    "a number",
    '{ GB: 0.05, NL: "0.09" }',
    ['8: tax, classes, reduced, GB must be text in quotes: 0.05 isn\'t text. Write `GB: "0.05"`.'],
  ],
  [
    "no country",
    '{ GBR: "0.05" }',
    [
      expect.stringContaining('8: tax, classes, reduced, GBR "GBR" isn\'t a valid country'),
      expect.stringContaining("8: tax, classes, reduced lacks GB, NL"),
    ],
  ],
  [
    "a text",
    '"0.05"',
    ['8: tax, classes, reduced is "0.05", not countries with rates. Write `NL: "0.09"` below it, indented.'],
  ],
  [
    "the usual rates",
    '{ GB: "0.21", NL: "0.2100" }',
    ["8: tax, classes, reduced has the usual rate everywhere. Check it, or delete the class."],
  ],
])("a class of tax with %s", async (_what, rates, found) => {
  const store = taxed(
    `tax: { home: GB, rates: { GB: "0.21", NL: "0.21" }, classes: { reduced: ${rates} }, export: [DE, FR] }`,
  );
  const problems = await problemsWith({ "store.yaml": store, [kestrel]: reduced });
  expect(problems.map((problem) => problem.replace("content/store.yaml:", ""))).toEqual(found);
});

test("a territory may have a rate of its own in a class, by either of its codes, once", async () => {
  const of = (own: string) =>
    problemsWith({
      [kestrel]: reduced,
      "store.yaml": taxed(
        `tax: { home: GB, rates: { GB: "0.21", AX: "0.1" }, classes: { reduced: { GB: "0", ${own} } } }`,
      ),
    });
  expect(await of('FI-01: "0.01"')).toEqual([]);
  expect(await of('FI-01: "0.01", AX: "0.01"')).toEqual([
    "content/store.yaml:8: tax, classes, reduced, AX is AX, which has a rate already. Remove one of them.",
  ]);
});

test("a class that store.yaml lacks is named where a product has it, and one that no product has is a doubt", async () => {
  const store = taxed('tax: { home: GB, rates: { GB: "0.21" }, classes: { reduced: { GB: "0.05" } } }');
  const unused =
    "content/store.yaml:8: tax, classes, reduced isn't the class of any product. Write `tax_class: reduced` in the files of those that it holds for.";
  const wrong = (name: string, text = store) =>
    problemsWith({ "store.yaml": text, [kestrel]: reduced.replace("tax_class: reduced", `tax_class: ${name}`) });
  expect(await wrong("reducd")).toEqual([
    `content/${kestrel}:12: tax_class "reducd" isn't a class of \`tax\` in content/store.yaml. Did you mean \`reduced\`?`,
    unused,
  ]);
  expect(await wrong("zero")).toEqual([
    `content/${kestrel}:12: tax_class "zero" isn't a class of \`tax\` in content/store.yaml. The classes are: reduced.`,
    unused,
  ]);
  expect(await wrong("reduced", validContent["store.yaml"])).toEqual([
    `content/${kestrel}:12: tax_class "reduced" isn't a class of \`tax\` in content/store.yaml. Write it there, or delete the line: the usual rate then holds.`,
  ]);
  expect(await wrong("5")).toContain(
    `content/${kestrel}:12: tax_class must be text in quotes: 5 isn't text. Write \`tax_class: "5"\`.`,
  );
});

test.each([
  ["850 g", 'weight_g "850 g" isn\'t a weight in grams. Write a whole number without a unit: `weight_g: 850`.'],
  ["0.85", "weight_g 0.85 isn't a weight in grams. Write a whole number without a unit: `weight_g: 850`."],
  ["0", "weight_g must be 1 or more. Delete the line if the weight isn't known."],
  ["10000001", "weight_g is more than ten tons. Write grams: `weight_g: 850`."],
])("a weight of %s is reported with what to write", async (written, problem) => {
  const text = (validContent[kestrel] ?? "").replace("specifications:", `weight_g: ${written}\nspecifications:`);
  expect(await problemsWith({ [kestrel]: text })).toEqual([`content/${kestrel}:12: ${problem}`]);
});

test("a page may speak of the rate of a class", async () => {
  const store = taxed('tax: { name: VAT, home: GB, rates: { GB: "0.21" }, classes: { reduced: { GB: "0.05" } } }');
  const page = (rate: string) =>
    (validContent["pages/terms.md"] ?? "").replace("We sell", `Books have ${rate} VAT. We sell`);
  const problems = (rate: string) =>
    problemsWith({ "store.yaml": store, [kestrel]: reduced, "pages/terms.md": page(rate) });
  expect(await problems("5%")).toEqual([]);
  expect(await problems("7%")).toEqual([expect.stringContaining("“7% VAT”: `tax` of content/store.yaml is “21% VAT”")]);
});
