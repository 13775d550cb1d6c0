import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { checkContent } from "../../../site/content-check/check.ts";
import { formatProblem } from "../../../site/content-check/problem.ts";
import { readMeasure } from "../../../site/content-schema/category.ts";
import { kestrel, osprey, problemsWith } from "./content-problems.ts";
import { validContent, writeContent } from "./content-tree.ts";

const category = "categories/barcode-scanners.md";

/** The valid shop with `facets` in its category and these specifications in its two products. */
const shopWith = (facets: string, ofKestrel: string, ofOsprey: string) => ({
  [category]: (validContent[category] ?? "").replace("order: 10", `order: 10\n${facets}`),
  [kestrel]: (validContent[kestrel] ?? "").replace("Reads: 1D and 2D codes", ofKestrel),
  [osprey]: (validContent[osprey] ?? "").replace("Reads: 1D and 2D codes", ofOsprey),
});

test("a category filters by texts and lists, and sorts by numbers of one unit", async () => {
  const shop = shopWith(
    "filters: [Reads]\nsort: [Speed]",
    'Reads: [1D, 2D]\n  Speed: "1,000 scans/s"',
    'Reads: 1D\n  Speed: "90.5 scans/s, vendor figure"',
  );
  expect(await problemsWith(shop)).toEqual([]);
});

test.each([
  [
    "a filter missing from one product",
    "filters: [Reads]",
    "Reads: 1D",
    "Read: 1D",
    `content/${osprey}:18: specifications need \`Reads\`, which the category filters by. Rename \`Read\` if it means the same.`,
  ],
  [
    "a filter missing from every product",
    "filters: [Raeds]",
    "Reads: 1D",
    "Reads: 1D",
    `content/${category}:5: filters: none of the category's products has the specification \`Raeds\`. Did you mean \`Reads\`?`,
  ],
  [
    "a value that another product spells differently",
    "filters: [Reads]",
    "Reads: [1D, Wi-Fi]",
    "Reads: [1D, WiFi]",
    `content/${osprey}:19: specifications, Reads: write \`Wi-Fi\`, as other products do, not \`WiFi\`.`,
  ],
  [
    "a value without a number",
    "sort: [Speed]",
    'Speed: "90 scans/s"',
    "Speed: Fast",
    `content/${osprey}:19: specifications, Speed "Fast" must start with a number in “scans/s”. The category sorts by it.`,
  ],
  [
    "a number with another country's decimal sign",
    "sort: [Weight]",
    'Weight: "1.05 kg"',
    'Weight: "1,20 kg with cable"',
    `content/${osprey}:19: specifications, Weight "1,20 kg with cable" must start with a number as en-GB writes it: write "1.20 kg with cable". The category sorts by it.`,
  ],
  [
    "a value in another unit",
    "sort: [Weight]",
    'Weight: "205 g"',
    'Weight: "0.2 kg"',
    `content/${osprey}:19: specifications, Weight "0.2 kg" must have the unit “g”, like other products. The category sorts by it.`,
  ],
])("%s is a warning on the line to correct", async (_what, facets, ofKestrel, ofOsprey, problem) => {
  const root = writeContent(shopWith(facets, ofKestrel, ofOsprey));
  const problems = await checkContent(root);
  rmSync(root, { recursive: true });
  expect(problems.map(({ isWarning, ...found }) => [formatProblem(found), isWarning])).toEqual([[problem, true]]);
});

test("after a change of the shop's language, each number is shown as the new one writes it", async () => {
  const shop = shopWith("sort: [Weight]", 'Weight: "7.2 kg"', 'Weight: "1,050.5 kg"');
  const store = (validContent["store.yaml"] ?? "").replace("locale: en-GB", "locale: de-DE");
  const advice = (file: string, line: number, from: string, to: string) =>
    `content/${file}:${line}: specifications, Weight "${from}" must start with a number as de-DE writes it: write "${to}". The category sorts by it.`;
  expect(await problemsWith({ ...shop, "store.yaml": store })).toEqual([
    advice(kestrel, 13, "7.2 kg", "7,2 kg"),
    advice(osprey, 19, "1,050.5 kg", "1.050,5 kg"),
  ]);
});

const cables = (own: string) =>
  (validContent[osprey] ?? "")
    .replace("{ Colour: Black }", `{ Interface: USB }${own}`)
    .replace("{ Colour: White }", "{ Interface: USB and LAN }")
    .replace("Reads: 1D and 2D codes", "Reads: 1D\n  Connection: [USB, LAN]");

const untold = `content/${osprey}:20: specifications, Connection has 2 values, and no version says which of them it has. For “USB”, write \`specifications: { Connection: USB }\` in \`variants\` if it doesn't have the others.`;

test.each([
  ["that no version claims for itself", "", [untold]],
  ["of which a version names its own", "\n    specifications: { Connection: USB }", []],
  [
    "spelt differently by a version",
    "\n    specifications: { Connection: usb }",
    [`content/${osprey}:13: specifications, Connection: write \`USB\`, as other products do, not \`usb\`.`],
  ],
])("values of a filter %s", async (_what, own, problems) => {
  const shop = shopWith("filters: [Connection]", "Reads: 1D\n  Connection: USB", "");
  expect(await problemsWith({ ...shop, [osprey]: cables(own) })).toEqual(problems);
});

test("versions that differ in something else may all have several values of a filter", async () => {
  const shop = shopWith("filters: [Reads]", "Reads: 1D", "Reads: [1D, 2D]");
  expect(await problemsWith(shop)).toEqual([]);
});

test("a measure is a number and the unit after it", () => {
  const texts = [
    "1,200 mm/s",
    "0.33 kg with foot",
    "203 dpi, 8 dots/mm",
    "15.6″ wide",
    "24",
    "24 (vendor figure)",
    "1,050.5 kg",
  ];
  expect(texts.map((text) => readMeasure(text, "en-GB"))).toEqual([
    { amount: 1200, unit: "mm/s" },
    { amount: 0.33, unit: "kg" },
    { amount: 203, unit: "dpi" },
    { amount: 15.6, unit: "″" },
    { amount: 24, unit: "" },
    { amount: 24, unit: "" },
    { amount: 1050.5, unit: "kg" },
  ]);
  expect(["None", "", "Up to 250 mm/s", "1.2.3", "1,20 m"].map((text) => readMeasure(text, "en-GB"))).toEqual(
    Array(5).fill(undefined),
  );
});

test("a measure is read in the number format of the shop's locale", () => {
  const inGerman = ["1.200 mm/s", "0,33 kg", "24"].map((text) => readMeasure(text, "de-DE")?.amount);
  expect(inGerman).toEqual([1200, 0.33, 24]);
  expect(["0.33 kg", "1,200 mm/s"].map((text) => readMeasure(text, "de-DE")?.amount)).toEqual([undefined, 1.2]);
  expect(readMeasure(`${new Intl.NumberFormat("de-CH").format(1200)} mm/s`, "de-CH")).toEqual({
    amount: 1200,
    unit: "mm/s",
  });
  expect(["1 200 mm/s", "1\u202f200 mm/s"].map((text) => readMeasure(text, "fr-FR")?.amount)).toEqual([1200, 1200]);
});

test.each([
  ["can't be read", /title: (.*)/, "title: A: $1", "2: Text with a colon needs quotes:"],
  ["has a list as specifications", / {2}Reads: (.*)/, "  - Reads: $1", "12: specifications is a list, not names"],
])("a product that %s is reported once, not once for each filter", async (_what, text, written, message) => {
  const shop = shopWith("filters: [Reads]", "Reads: 1D", "Reads: 2D");
  const changed = (shop[kestrel] ?? "").replace(text, written);
  expect(changed).not.toBe(shop[kestrel]);
  expect(await problemsWith({ ...shop, [kestrel]: changed })).toEqual([
    expect.stringContaining(`content/${kestrel}:${message}`),
  ]);
});

test("a misspelt required field is reported once", async () => {
  const misspelt = (validContent[kestrel] ?? "").replace("brand:", "Brand:");
  expect(await problemsWith({ [kestrel]: misspelt })).toEqual([
    `content/${kestrel}:3: Brand isn't a known field. Did you mean \`brand\`?`,
  ]);
});
