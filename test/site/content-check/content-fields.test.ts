import { expect, test } from "vitest";
import { kestrel, type Mistake, osprey, problemsAfter, problemsWith } from "./content-problems.ts";
import { mails, validContent } from "./content-tree.ts";

const newTax = 'Write `tax: { name: VAT, home: NL, rates: { NL: "0.21" } }` with your country and rate.';
const zonesOf = (countries: string) =>
  `shipping: { handling_days: { min: 0, max: 1 }, zones: [{ countries: [${countries}], price: "7.50", transit_days: { min: 1, max: 1 } }] }\n`;
const transferTo = (iban: string, more = "") =>
  `payment: { transfer: { account_holder: A Ltd, iban: "${iban}", due_days: 14${more} } }\n`;

const mistakes: Mistake[] = [
  [
    "a version's picture that the product doesn't have",
    osprey,
    "options: { Colour: White }",
    "options: { Colour: White }\n    image: ./osprey-white.svg",
    `content/${osprey}:18: variant 2, image must be one of the pictures in \`images\`: ./osprey.svg.`,
  ],
  [
    "a version of four options, of which its page has three",
    osprey,
    "options: { Colour: White }",
    "options: { Colour: White, Size: S, Fit: Wide, Collar: None }",
    `content/${osprey}:17: variant 2, options has more than 3. Write two of them as one, or divide the product into several.`,
  ],
  [
    "a product of more than 400 versions",
    osprey,
    "variants:\n",
    `variants:\n${Array.from({ length: 399 }, (_, index) => `  - { sku: "OSP-${index}", price: "9.00", availability: in_stock, options: { Colour: "${index}" } }\n`).join("")}`,
    `content/${osprey}:7: variants has more than 400. Divide the product into several, such as one for each material.`,
  ],
  [
    "a specification's name with a blank behind it",
    kestrel,
    "Reads:",
    '"Reads ":',
    `content/${kestrel}:13: specifications, Reads  isn't a name. Write one on one line, without blanks in front and behind.`,
  ],
  [
    "a mistyped field",
    kestrel,
    "brand:",
    "barnd:",
    `content/${kestrel}:3: barnd isn't a known field. Did you mean \`brand\`?`,
  ],
  [
    "a missing field",
    kestrel,
    "brand: Kestrel\n",
    "",
    `content/${kestrel}:1: brand is missing. Write, for example, \`brand: Kestrel\`.`,
  ],
  [
    "an empty field",
    kestrel,
    "brand: Kestrel",
    "brand:",
    `content/${kestrel}:3: brand is empty. Write, for example, \`brand: Kestrel\`.`,
  ],
  [
    "a summary that is too long",
    "pages/about.md",
    "About about us.",
    "x".repeat(161),
    "content/pages/about.md:3: summary has 161 characters, and the limit is 160. Shorten it.",
  ],
  [
    "a mistyped word",
    kestrel,
    "in_stock",
    "instock",
    `content/${kestrel}:11: availability "instock" isn't one of in_stock, preorder, backorder, out_of_stock. Did you mean \`in_stock\`?`,
  ],
  [
    "about_shop written as yes",
    "pages/about.md",
    "updated:",
    "about_shop: yes\nupdated:",
    "content/pages/about.md:4: about_shop must be `true`, without quotes, on a page about the shop itself. Leave it out elsewhere.",
  ],
  [
    "other names that aren't a list",
    kestrel,
    "brand: Kestrel",
    "also_called: gun\nbrand: Kestrel",
    `content/${kestrel}:3: also_called is "gun", not a list. Write \`also_called: [till roll, thermal paper]\`.`,
  ],
  [
    "makers that aren't a list",
    "categories/barcode-scanners.md",
    "order: 10",
    "order: 10\ninstead_of: Epson",
    'content/categories/barcode-scanners.md:5: instead_of is "Epson", not a list. Write `instead_of: [Epson, Bixolon]`.',
  ],
  [
    "a synonym of nothing",
    "store.yaml",
    "currency: EUR",
    "currency: EUR\nsynonyms: [[LAN]]",
    "content/store.yaml:7: synonyms, item 1 needs two or more names in each list: `- [LAN, Ethernet]`.",
  ],
  [
    "a boolean written as yes",
    "store.yaml",
    "prices_include_tax: true",
    "prices_include_tax: yes",
    "content/store.yaml:7: prices_include_tax must be `true` or `false`; you wrote `yes`.",
  ],
  [
    "an unquoted tax rate that is not a fraction",
    "store.yaml",
    'GB: "0.21"',
    "GB: 21",
    'content/store.yaml:8: tax, rates, GB "21" must be a fraction. Write `"0.21"`.',
  ],
  [
    "a tax rate with decimals, without quotes",
    "store.yaml",
    'GB: "0.21"',
    "GB: 8.10",
    'content/store.yaml:8: tax, rates, GB "8.10" must be a fraction. Write `"0.081"`.',
  ],
  [
    "a tax rate with a comma",
    "store.yaml",
    'GB: "0.21"',
    'GB: "0,21"',
    'content/store.yaml:8: tax, rates, GB "0,21" has a comma. Write `"0.21"`.',
  ],
  [
    "a tax rate as a factor",
    "store.yaml",
    'GB: "0.21"',
    'GB: "1.21"',
    'content/store.yaml:8: tax, rates, GB "1.21" must be a fraction. Write 21 % as `"0.21"`.',
  ],
  [
    "a fraction without quotes",
    "store.yaml",
    'GB: "0.21"',
    "GB: 0.210",
    'content/store.yaml:8: tax, rates, GB must be text in quotes: 0.210 would become 0.21. Write `GB: "0.210"`.',
  ],
  [
    "a field of an older version",
    "store.yaml",
    'tax: { home: GB, rates: { GB: "0.21" }, export: [DE, FR] }',
    'tax_rate: "0.21"',
    `content/store.yaml:8: tax_rate isn't a field any more. Did you mean \`tax\`? ${newTax}`,
  ],
  [
    "a country without a name",
    "store.yaml",
    'GB: "0.21" }',
    'GB: "0.21", EU: "0.20" }',
    "content/store.yaml:8: tax, rates, EU \"EU\" isn't a valid country. Write its two-letter code, such as `GB`, or a territory's, such as `ES-CN`, or `XI` for Northern Ireland.",
  ],
  [
    "a home that is a part of a country",
    "store.yaml",
    "home: GB",
    "home: ES-CN",
    'content/store.yaml:8: tax, home "ES-CN" is only a part of a country, which isn\'t supported here.',
  ],
  [
    "a home without a rate",
    "store.yaml",
    "home: GB",
    "home: NL",
    'content/store.yaml:8: tax, rates lack NL, the shop\'s `home`. Write `NL: "0.21"` with its rate.',
  ],
  [
    "a country of delivery without a rate",
    "store.yaml",
    "sales_email:",
    `${zonesOf("GB, DE, BE, NL")}sales_email:`,
    "content/store.yaml:8: tax, rates lack BE, NL, where the shop delivers. Write the rate of each, or add it to `export`.",
  ],
  [
    "a country that is taxed and an export",
    "store.yaml",
    "[DE, FR]",
    "[DE, GB]",
    "content/store.yaml:8: tax, export, item 2 GB has a rate in `rates` too. Remove one of them.",
  ],
  [
    "a shop for consumers",
    "store.yaml",
    "sales_email:",
    "sells_to: consumers\nsales_email:",
    "content/store.yaml:9: sells_to \"consumers\" isn't possible. Selling to consumers needs more by law, such as the words on the order button and the withdrawal function of Directive (EU) 2023/2673, which this shop doesn't have. Write `businesses`.",
  ],
  [
    "an IBAN with a typo",
    "store.yaml",
    "sales_email:",
    `${transferTo("NL74 EXMP 0123 4567 98")}sales_email:`,
    'content/store.yaml:9: payment, transfer, iban "NL74EXMP0123456798" has wrong check digits. Check the number for a typo.',
  ],
  [
    "an account that isn't an IBAN",
    "store.yaml",
    "sales_email:",
    `${transferTo("0123456789")}sales_email:`,
    'content/store.yaml:9: payment, transfer, iban "0123456789" isn\'t an IBAN. Write its country, two check digits and the account.',
  ],
  [
    "an order that is cancelled before it is due",
    "store.yaml",
    "sales_email:",
    `${transferTo("NL74 EXMP 0123 4567 89", ", cancel_after_days: 13")}sales_email:`,
    "content/store.yaml:9: payment, transfer, cancel_after_days is less than `due_days`: an order can't be cancelled before it is due.",
  ],
  [
    "pieces that are counted where an order can stay unpaid for ever",
    "store.yaml",
    "sales_email:",
    `${transferTo("NL74 EXMP 0123 4567 89")}erp: { owns: [stock] }\nsales_email:`,
    "content/store.yaml:9: payment, transfer, cancel_after_days is missing. Where pieces are counted (`erp: owns`), an order that nobody pays would hold them for ever: write `cancel_after_days: 21`.",
  ],
  [
    "an ERP that decides something else",
    "store.yaml",
    "sales_email:",
    "erp: { owns: [stock, orders] }\nsales_email:",
    'content/store.yaml:9: erp, owns, item 2 "orders" isn\'t something that it can decide. Write `stock` or `price`.',
  ],
  [
    "what an ERP decides as a text",
    "store.yaml",
    "sales_email:",
    "erp: { owns: stock }\nsales_email:",
    "content/store.yaml:9: erp, owns must be a list of `stock` and `price`: `[stock, price]`.",
  ],
  [
    "last pieces that can't be counted",
    "store.yaml",
    "sales_email:",
    "few_left: 2.5\nsales_email:",
    "content/store.yaml:9: few_left 2.5 isn't a number of pieces. Write a whole number.",
  ],
  [
    "more pieces in an order than in a basket",
    "store.yaml",
    "sales_email:",
    "most_per_order: 1000\nsales_email:",
    "content/store.yaml:9: most_per_order must be 999 or less, since a basket takes no more.",
  ],
  [
    "baskets that are kept for no time",
    "store.yaml",
    "sales_email:",
    "keep: { baskets: 0 }\nsales_email:",
    "content/store.yaml:9: keep, baskets must be 1 or more.",
  ],
  [
    "baskets that are kept longer than their cookie",
    "store.yaml",
    "sales_email:",
    "keep: { baskets: 31 }\nsales_email:",
    "content/store.yaml:9: keep, baskets must be 30 or less: the cookie of a basket expires then.",
  ],
  [
    "an invalid date",
    "pages/about.md",
    "2026-10-01",
    "2026-02-30",
    'content/pages/about.md:4: updated "2026-02-30" isn\'t a valid date. Write it as `2026-11-20`: year-month-day.',
  ],
  [
    "a date in another order",
    "pages/about.md",
    "2026-10-01",
    "01/10/2026",
    'content/pages/about.md:4: updated "01/10/2026" isn\'t a valid date. Write it as `2026-11-20`: year-month-day.',
  ],
  [
    "curly quotes",
    kestrel,
    "brand: Kestrel",
    "brand: “Kestrel”",
    `content/${kestrel}:3: These quotes are curly. Use straight quotes: \`brand: "Kestrel"\`.`,
  ],
  [
    "HTML in a title",
    kestrel,
    "title: Kestrel C2",
    "title: Kestrel <b>C2</b>",
    `content/${kestrel}:2: title has \`<b>\`, which is shown as text: HTML doesn't work in fields. Remove it, unless you mean to show it.`,
  ],
  [
    "a wrong category order",
    "categories/barcode-scanners.md",
    "order: 10",
    "order: first",
    "content/categories/barcode-scanners.md:4: order must be a whole number, for example `order: 10`.",
  ],
  [
    "options that differ",
    osprey,
    "{ Colour: White }",
    "{ Color: White }",
    `content/${osprey}:17: variant 2, options must be the same in every variant: Colour.`,
  ],
  [
    "the same options twice",
    osprey,
    "{ Colour: White }",
    "{ Colour: Black }",
    `content/${osprey}:17: variant 2, options are the same as those of variant 1. Each variant needs its own combination.`,
  ],
  [
    "a variant without its availability",
    osprey,
    "    availability: backorder\n",
    "",
    `content/${osprey}:8: variant 1, availability is missing. Write one of in_stock, preorder, backorder, out_of_stock.`,
  ],
  [
    "a number as a version's specification",
    osprey,
    "{ Colour: White }",
    "{ Colour: White }\n    specifications: { Weight: 205 }",
    `content/${osprey}:18: variant 2, specifications, Weight must be text in quotes: 205 isn't text. Write \`Weight: "205"\`.`,
  ],
  [
    "a price beside variants",
    osprey,
    "specifications:",
    'price: "1.00"\nspecifications:',
    `content/${osprey}:18: price is filled in above the versions (\`variants\`), and each of them has its own. Empty it above: only the versions' count.`,
  ],
  [
    "a product without a SKU or variants",
    kestrel,
    'sku: "KES-C2"\n',
    "",
    `content/${kestrel}:1: sku is missing. Write \`sku: "KES-C2-BK"\`, or a list of \`variants\`.`,
  ],
  [
    "a number as a specification",
    kestrel,
    "Reads: 1D and 2D codes",
    "Firmware: 1.10",
    `content/${kestrel}:13: specifications, Firmware must be text in quotes: 1.10 would become 1.1. Write \`Firmware: "1.10"\`.`,
  ],
];

test.each(mistakes)(
  "%s is reported with its file, its line and what to write",
  async (_what, file, text, replacement, problem) => {
    expect(await problemsAfter(file, text, replacement)).toContain(problem);
  },
);

test("an IBAN may have blanks, and goods for Northern Ireland from the United Kingdom need no rate of their own", async () => {
  const more = zonesOf("GB") + transferTo("nl74 EXMP 0123 4567 89");
  const store = (validContent["store.yaml"] ?? "").replace("sales_email:", `${more}sales_email:`);
  expect(await problemsWith({ ...mails, "store.yaml": store })).toEqual([]);
  const abroad = store.replace(
    'home: GB, rates: { GB: "0.21" }, export: [DE, FR]',
    'home: NL, rates: { NL: "0.21", GB: "0.20" }',
  );
  expect(await problemsWith({ ...mails, "store.yaml": abroad })).toEqual([
    "content/store.yaml:8: tax, rates lack XI, where the shop delivers. Write the rate of each. XI is Northern Ireland, which goods for GB may go to.",
  ]);
});

test("a title may contain a < that isn't HTML", async () => {
  expect(await problemsAfter(kestrel, "title: Kestrel C2", "title: 2 < 3 Kestrel C2")).toEqual([]);
});
