import fc from "fast-check";
import { expect, test } from "vitest";
import type { ShopFacts } from "../../../../api/contract/built-files/store.ts";
import { currencyDigits } from "../../../../api/contract/currencies.ts";
import { formatMoney, parseMoney } from "../../../../api/contract/money.ts";
import { inTransaction } from "../../../../api/platform/database/transaction.ts";
import { sum } from "../../../../api/selling/orders/money.ts";
import { placeOrder } from "../../../../api/selling/orders/place-order.ts";
import { findOrder } from "../../../../api/selling/orders/queries.ts";
import { canDeliver, deliveryCountries, quote, workingDayAfter } from "../../../../api/selling/quote/quote.ts";
import type { Destination } from "../../../../api/selling/quote/tax.ts";
import { wordsIn } from "../../../../site/words/words-in.ts";
import { byDepth, seedFor } from "../../../depth.ts";
import { openTestDatabase } from "../../api.ts";
import { newOrder } from "../orders/new-order.ts";
import { shippingTo, shopFacts, variantAt } from "./shop.ts";

const to = (country: string, vat_id?: string, postal_code: string | null = null): Destination => ({
  country,
  postal_code,
  vat_check: vat_id === undefined ? null : checkOf(vat_id, "valid"),
});

const checkOf = (vat_id: string, result: "valid" | "invalid" | "unavailable") => ({
  vat_id,
  result,
  checked_at: "2026-11-22T12:00:00.000Z",
  consultation_number: null,
});

/** A quote for one piece at 121.00. */
const quoteTo = (destination: Destination, overrides: Partial<ShopFacts> = {}) =>
  quote(shopFacts(overrides), [{ variant: variantAt("121.0000"), quantity: 1 }], destination);

const summary = ({ treatment, lines, shipping, tax_lines, totals }: ReturnType<typeof quote>) => ({
  treatment,
  unit: lines[0]?.unit_price,
  shipping: shipping.total,
  taxes: tax_lines.map(({ title, amount }) => `${title}: ${amount}`),
  total: totals.total,
});

test("the tax is written as the shop's language writes a percentage", () => {
  const titleIn = (locale: string) => quoteTo(to("FI"), { locale }).tax_lines[0]?.title;
  expect([titleIn("en-GB"), titleIn("de-DE")]).toEqual(["25.5% VAT", "25,5\u00a0% VAT"]);
});

test("an order without tax says why in the shop's language, in English where we don't have it, and by its home and place", () => {
  const why = (locale: string, home = "NL", exported = "CH") => {
    const shipping = shippingTo({ price: "7.50", countries: ["DE", "ES-CN", "CH", "GB", "US"] });
    const { untaxed: reasons } = wordsIn(locale).private_pages;
    const tax = { ...shopFacts().tax, home, rates: { [home]: "0.2", DE: "0.19" }, export: [exported], reasons };
    return [to(exported), to("ES-CN"), ...(home === "NL" ? [to("DE", "DE123456789")] : [])].map((where) => {
      const { tax_lines, order } = quoteTo(where, { locale, tax, shipping });
      expect(order.lines[0]?.taxes[0]?.title).toBe(tax_lines[0]?.title);
      return tax_lines[0]?.title;
    });
  };
  const german = [
    "Steuerfreie Ausfuhrlieferung",
    "Steuerfreie Lieferung in ein Gebiet außerhalb des Mehrwertsteuergebiets der EU",
    "Steuerfreie innergemeinschaftliche Lieferung, Art. 138 Richtlinie 2006/112/EG",
  ];
  expect(why("de-DE")).toEqual(german);
  expect(why("de-CH")).toEqual(german.map((text) => text.replace("ß", "ss")));
  expect(why("fr-FR")).toEqual(why("en-GB"));
  const outsideUk = "Export outside the United Kingdom, zero-rated";
  expect(why("en-GB", "GB", "US")).toEqual([outsideUk, outsideUk]);
  const fromSwitzerland = "Ausfuhr aus der Schweiz, von der Steuer befreit";
  expect(why("de-CH", "CH", "US")).toEqual([fromSwitzerland, fromSwitzerland]);
  expect(why("en-US", "US", "GB")).toEqual(["Export, tax-exempt", "Export, tax-exempt"]);
});

const EXEMPT = "VAT-exempt intra-Community supply, Art. 138 Directive 2006/112/EC: 0.00";
const EXPORT = "Export outside the EU, VAT-exempt: 0.00";

test.each([
  ["home", to("NL"), "domestic", "121.00", "7.50", "21% VAT: 22.30", "128.50"],
  [
    "home with a confirmed number of home",
    to("NL", "NL123456789B01"),
    "domestic",
    "121.00",
    "7.50",
    "21% VAT: 22.30",
    "128.50",
  ],
  [
    "home with a confirmed number of elsewhere",
    to("NL", "DE123456789"),
    "domestic",
    "121.00",
    "7.50",
    "21% VAT: 22.30",
    "128.50",
  ],
  ["another member state", to("DE"), "destination", "119.00", "7.38", "19% VAT: 20.18", "126.38"],
  ["a rate with decimals", to("FI"), "destination", "125.50", "17.11", "25.5% VAT: 28.98", "142.61"],
  ["a confirmed number there", to("DE", "DE123456789"), "reverse_charge", "100.00", "6.20", EXEMPT, "106.20"],
  [
    "a confirmed number of a third member state",
    to("DE", "EL123456789"),
    "reverse_charge",
    "100.00",
    "6.20",
    EXEMPT,
    "106.20",
  ],
  [
    "a confirmed number of home",
    to("DE", "NL123456789B01"),
    "destination",
    "119.00",
    "7.38",
    "19% VAT: 20.18",
    "126.38",
  ],
  ["an export", to("CH"), "export", "100.00", "19.83", EXPORT, "119.83"],
  ["an export with a confirmed number", to("CH", "DE123456789"), "export", "100.00", "19.83", EXPORT, "119.83"],
  ["Great Britain", to("GB", undefined, "LS1 9CK"), "export", "100.00", "19.83", EXPORT, "119.83"],
  ["Northern Ireland", to("GB", undefined, " bt1 1aa"), "destination", "120.00", "23.80", "20% VAT: 23.97", "143.80"],
  [
    "Northern Ireland with its number",
    to("GB", "XI123456789", "BT1 1AA"),
    "reverse_charge",
    "100.00",
    "19.83",
    EXEMPT,
    "119.83",
  ],
])("prices that include tax, to %s", (_where, destination, treatment, unit, shipping, tax, total) => {
  expect(summary(quoteTo(destination))).toEqual({ treatment, unit, shipping, taxes: [tax], total });
});

test.each([
  ["home", to("NL"), "domestic", "21% VAT: 26.99", "155.49"],
  ["another member state", to("DE"), "destination", "19% VAT: 24.42", "152.92"],
  ["a confirmed number there", to("DE", "DE123456789"), "reverse_charge", EXEMPT, "128.50"],
  ["an export", to("CH"), "export", EXPORT, "145.00"],
])("prices without tax stay, and the tax is added, to %s", (_where, destination, treatment, tax, total) => {
  const shown = summary(quoteTo(destination, { prices_include_tax: false }));
  expect(shown).toMatchObject({ treatment, unit: "121.00", taxes: [tax], total });
});

test.each(["invalid", "unavailable"] as const)("a VAT number that is %s doesn't free from tax", (result) => {
  const vat_check = checkOf("DE123456789", result);
  expect(quoteTo({ country: "DE", postal_code: null, vat_check }).treatment).toBe("destination");
});

test("Northern Ireland is at home for a shop in the United Kingdom", () => {
  const tax = { ...shopFacts().tax, home: "GB", rates: { GB: "0.20" }, export: ["CH"] };
  expect(quoteTo(to("GB", undefined, "BT1 1AA"), { tax })).toMatchObject({ treatment: "domestic" });
});

test("what isn't in the VAT area of a zone's country has no quote until a zone names it, and then its own price", () => {
  const line = { variant: variantAt("121.00"), quantity: 1 };
  const shopOf = (...zones: string[][]) =>
    shopFacts({
      tax: { ...shopFacts().tax, rates: { NL: "0.21", ES: "0.21", DE: "0.19" } },
      shipping: shippingTo(...zones.map((countries, at) => ({ countries, price: `${at + 7}.50` }))),
    });
  const inLasPalmas = to("ES", undefined, "35001");
  expect(() => quote(shopOf(["ES", "NL"]), [line], inLasPalmas)).toThrow("The shop doesn't deliver to ES.");
  const named = quote(shopOf(["ES", "NL"], ["ES-CN"]), [line], inLasPalmas);
  expect(summary(named)).toMatchObject({ treatment: "export", unit: "100.00", shipping: "7.02", total: "107.02" });
  expect(() => quote(shopOf(["ES-CN"]), [line], to("ES", undefined, "28013"))).toThrow(RangeError);
  expect(() => quote(shopOf(["ES", "NL"]), [line], to("ES", undefined, "2801"))).toThrow(RangeError);
});

test.each([
  ["MC", "FR", "75001"],
  ["FR", "FR", "98000"],
  ["IM", "GB", "LS1 9CK"],
  ["GB", "GB", "IM1 1AA"],
  ["CH", "CH", "9490"],
  ["CH", "DE", "78266"],
])("a shop in %s is at home in its whole VAT area: %s %s", (home, country, postal_code) => {
  const shipping = shippingTo({ price: "7.50", countries: ["FR", "GB", "CH", "DE-BUESINGEN"] });
  const tax = { ...shopFacts().tax, home, rates: { [home]: "0.2" }, export: [] };
  const quoted = quoteTo(to(country, undefined, postal_code), { tax, shipping });
  expect(summary(quoted)).toMatchObject({ treatment: "domestic", unit: "121.00", taxes: ["20% VAT: 21.42"] });
});

test("regions with a rate of their own stay in their country's zone, and Mittelberg has 19 %", () => {
  const shipping = shippingTo({ price: "0.00", countries: ["NL", "AT", "PT", "FR"] });
  const rates = { NL: "0.21", AT: "0.20", PT: "0.23", FR: "0.20" };
  const lineTo = (country: string, postal_code: string, own = {}) =>
    quoteTo(to(country, undefined, postal_code), { shipping, tax: { ...shopFacts().tax, rates: { ...rates, ...own } } })
      .lines[0]?.tax;
  expect(lineTo("AT", "6992")).toEqual({ code: "AT-MITTELBERG-19", title: "19% VAT", rate: "0.19" });
  expect(lineTo("AT", "6990")).toEqual({ code: "AT-20", title: "20% VAT", rate: "0.20" });
  expect(lineTo("PT", "9000-001")?.rate).toBe("0.22");
  expect(lineTo("PT", "9500-001")).toEqual({ code: "PT-20-16", title: "16% VAT", rate: "0.16" });
  expect(lineTo("PT", "9500-001", { "PT-20": "0.18" })?.rate).toBe("0.18");
  expect(lineTo("FR", "98000")).toEqual({ code: "FR-20", title: "20% VAT", rate: "0.20" });
});

test("delivery is free by the prices at home, whatever the tax of the destination", () => {
  const shipping = (price: string, country: string) =>
    quote(shopFacts(), [{ variant: variantAt(price), quantity: 2 }], to(country)).shipping;
  expect(shipping("250.00", "LU")).toMatchObject({ price: "0.00", total: "0.00" });
  expect(shipping("249.99", "NL")).toMatchObject({ price: "7.50", total: "7.50" });
  expect(shipping("9999.00", "HU").price).toBe("17.32");
});

test("goods of a class have its rate at home and abroad, delivery is shared among the classes, and each tax says what it is on", () => {
  const tax = { ...shopFacts().tax, classes: CLASSES };
  const lines = [
    { variant: variantAt("121.00"), quantity: 1 },
    { variant: variantAt("54.50", { sku: "BOOK", tax_class: "reduced" }), quantity: 2 },
  ];
  const at = (destination: Destination) => {
    const { shipping, tax_lines, totals, lines: priced } = quote(shopFacts({ tax }), lines, destination);
    const taxes = tax_lines.map(({ title, amount, taxable }) => `${title}: ${amount} on ${taxable}`);
    return [priced.map(({ unit_price }) => unit_price), shipping.price, taxes, totals.total];
  };
  // 7.50 in the proportion of 121.00 to 109.00 is 3.95 and 3.55.
  expect(at(to("NL"))).toEqual([
    ...[["121.00", "54.50"], "7.50", ["21% VAT: 21.69 on 103.26", "9% VAT: 9.29 on 103.26"], "237.50"],
  ]);
  expect(at(to("DE"))).toEqual([
    ...[["119.00", "53.50"], "7.36", ["19% VAT: 19.62 on 103.26", "7% VAT: 7.23 on 103.25"], "233.36"],
  ]);
  // 24.00 is 12.63 and 11.37, each without its own tax at home.
  expect(at(to("CH"))[2]).toEqual([`${EXPORT} on 220.87`]);
  expect(at(to("DE", "DE123456789"))[2]).toEqual([`${EXEMPT} on 206.52`]);
});

const method = (
  code: string,
  by: "weight" | "value" | "pieces",
  tiers: [string | null, string][],
  free_from?: string,
) => ({
  ...{ code, name: `The ${code}`, by, free_from: free_from ?? null, transit_days: { min: 1, max: 2 } },
  tiers: tiers.map(([up_to, price]) => ({ up_to, price })),
});

const withMethods = (...methods: ReturnType<typeof method>[]): Partial<ShopFacts> => ({
  shipping: {
    handling_days: { min: 0, max: 1 },
    zones: [{ countries: ["NL", "DE"], methods }],
    pickup: {
      ...{ name: "Collect in Utrecht", street: "Kade 1", city: "Utrecht", postal_code: "3511 AB" },
      ...{ country_code: "NL", hours: "Monday to Friday, 9 to 17" },
    },
  },
});

const PARCELS = withMethods(
  method("parcel", "weight", [
    ["2000", "5.00"],
    ["10000", "9.00"],
  ]),
  method("letter", "pieces", [["3", "5.00"]]),
  method("express", "value", [[null, "20.00"]], "500.00"),
);

const waysFor = (weight_g: number | null, quantity: number, price = "12.10") =>
  quote(shopFacts(PARCELS), [{ variant: variantAt(price, { weight_g }), quantity }], to("NL")).ways.map(
    ({ code, price }) => `${code} ${price}`,
  );

test("each method has its price by weight, pieces or value up to and with its limit, and none above its last", () => {
  expect(waysFor(1000, 2)).toEqual(["parcel 5.00", "letter 5.00", "express 20.00", "pickup 0.00"]);
  expect(waysFor(2001, 1)).toEqual(["parcel 9.00", "letter 5.00", "express 20.00", "pickup 0.00"]);
  expect(waysFor(10_001, 4)).toEqual(["express 20.00", "pickup 0.00"]);
  expect(waysFor(null, 3)).toEqual(["letter 5.00", "express 20.00", "pickup 0.00"]);
  expect(waysFor(null, 4, "124.99")).toEqual(["express 20.00", "pickup 0.00"]);
  expect(waysFor(null, 4, "125.00")).toEqual(["express 0.00", "pickup 0.00"]);
});

test("the cheapest delivery is taken where none is chosen, the first of equals, and never the collection", () => {
  const codeFor = (chosen: string | null, weight_g: number | null = 500) =>
    quote(shopFacts(PARCELS), [{ variant: variantAt("12.10", { weight_g }), quantity: 1 }], to("DE"), chosen).shipping
      .code;
  expect(["express", "letter", "pickup", "drone", null].map((chosen) => codeFor(chosen))).toEqual([
    ...["express", "letter", "pickup", "parcel", "parcel"],
  ]);
  expect(codeFor("parcel", null)).toBe("letter");
});

test("what no delivery takes has no quote but the one of who collects it", () => {
  const shop = shopFacts(withMethods(method("parcel", "weight", [["2000", "5.00"]])));
  const lines = [{ variant: variantAt("12.10", { weight_g: 2001 }), quantity: 1 }];
  expect(canDeliver(shop, lines, to("NL"), null)).toBe(false);
  expect(canDeliver(shop, lines, to("NL"), "parcel")).toBe(false);
  expect(() => quote(shop, lines, to("NL"))).toThrow("No delivery takes these goods.");
  expect(quote(shop, lines, null, "pickup").shipping).toMatchObject({ code: "pickup", total: "0.00" });
  expect(canDeliver(shop, lines, null, null)).toBe(false);
});

test("goods that are collected are taxed where they are, whoever buys them", () => {
  const lines = [{ variant: variantAt("121.00"), quantity: 1 }];
  for (const destination of [to("CH"), to("DE", "DE123456789"), to("US"), null]) {
    const { treatment, totals, order } = quote(shopFacts(PARCELS), lines, destination, "pickup");
    expect([treatment, totals.total, totals.tax]).toEqual(["domestic", "121.00", "21.00"]);
    expect(order.shipping_lines).toMatchObject([{ code: "pickup", title: "Collect in Utrecht" }]);
  }
});

test("a unit price is rounded once, half away from zero, before it is multiplied", () => {
  const tax = { ...shopFacts().tax, rates: { NL: "0.25", DE: "0.19" } };
  const { lines } = quote(shopFacts({ tax }), [{ variant: variantAt("0.25"), quantity: 1000 }], to("DE"));
  expect(lines[0]).toMatchObject({ unit_price: "0.24", total: "240.00" });
});

test("an order's line is named by its product, and by its version where that says more", () => {
  const single = variantAt("9.00", { title: "Kestrel C2 scanner" });
  const lines = [single, variantAt("9.00")].map((variant) => ({ variant, quantity: 1 }));
  expect(quote(shopFacts(), lines, to("NL")).order.lines.map(({ name }) => name)).toEqual([
    "Kestrel C2 scanner",
    "Kestrel C2 scanner, Black / USB",
  ]);
});

test("what can't be sold has no quote", () => {
  const line = { variant: variantAt("9.00"), quantity: 1 };
  const gone = (availability: "archived" | "out_of_stock") => [{ ...line, variant: { ...line.variant, availability } }];
  expect(() => quote(shopFacts(), [line], to("US"))).toThrow("The shop doesn't deliver to US.");
  expect(() => quote(shopFacts({ shipping: null }), [line], to("NL"))).toThrow(RangeError);
  expect(() => quote(shopFacts(), gone("archived"), to("NL"))).toThrow("KES-C2-BK can't be ordered.");
  expect(() => quote(shopFacts(), gone("out_of_stock"), to("NL"))).toThrow("KES-C2-BK can't be ordered.");
  expect(() => quote(shopFacts(), [], to("NL"))).toThrow("There is nothing to price.");
});

test("a pre-order and a back order can be ordered", () => {
  const lines = (["preorder", "backorder"] as const).map((availability) => ({
    variant: variantAt("9.00", { availability }),
    quantity: 1,
  }));
  expect(quote(shopFacts(), lines, to("NL")).lines).toHaveLength(2);
});

test("a shop without zones delivers nowhere", () => {
  expect(deliveryCountries(shopFacts())).toEqual(["NL", "DE", "LU", "FI", "HU", "CH", "GB"]);
  expect(deliveryCountries(shopFacts({ shipping: null }))).toEqual([]);
});

const CLASSES = {
  reduced: { NL: "0.09", DE: "0.07", FI: "0.135", HU: "0.05", LU: "0.08", XI: "0.05" },
  zero: { NL: "0", DE: "0.07", FI: "0.1", HU: "0.18", LU: "0.03", XI: "0" },
};

const prices = (currency: string, most: bigint) => {
  const digits = currencyDigits(currency);
  return fc.bigInt({ min: 0n, max: most }).map((amount) => formatMoney(amount * 10n ** BigInt(4 - digits), digits));
};
const basket = fc.constantFrom("EUR", "JPY", "KWD").chain((currency) =>
  fc.record({
    currency: fc.constant(currency),
    prices_include_tax: fc.boolean(),
    lines: fc.array(
      fc.record({
        price: prices(currency, 10n ** 8n),
        quantity: fc.integer({ min: 1, max: 999 }),
        tax_class: fc.constantFrom(null, "reduced", "zero"),
      }),
      { minLength: 1, maxLength: 6 },
    ),
    delivery: prices(currency, 10n ** 5n),
    vat_id: fc.constantFrom(undefined, "DE123456789", "NL123456789B01"),
    british: fc.constantFrom("LS1 9CK", "BT1 1AA"),
    country: fc.constantFrom(...deliveryCountries(shopFacts())),
  }),
);

test("quotes in currencies with 0, 2 and 3 digits equal the orders that are stored, to the last digit", async () => {
  const db = await openTestDatabase();
  await inTransaction(db, (transaction) =>
    fc.assert(
      fc.asyncProperty(basket, async ({ currency, prices_include_tax, lines, delivery, ...where }) => {
        const shipping = shippingTo({ countries: deliveryCountries(shopFacts()), price: delivery });
        const tax = { ...shopFacts().tax, classes: CLASSES };
        const shop = shopFacts({ currency, prices_include_tax, shipping, tax });
        const wanted = lines.map(({ price, quantity, tax_class }) => {
          return { variant: variantAt(price, { product_id: 0, tax_class }), quantity };
        });
        const { order, ...quoted } = quote(
          shop,
          wanted,
          to(where.country, where.vat_id, where.country === "GB" ? where.british : null),
        );
        const { tax_treatment: _, ...goods } = order;
        const { id } = await placeOrder(transaction, newOrder(goods));
        const stored = await findOrder(transaction, id);
        expect(stored?.totals).toEqual({
          ...quoted.totals,
          refunded: formatMoney(0n, currencyDigits(currency)),
          due: quoted.totals.total,
        });
        expect(stored?.tax_lines).toEqual(quoted.tax_lines);
        const addUp = (amounts: (string | null | undefined)[]) => sum(amounts.map((each) => parseMoney(each ?? "")));
        const all = [...(stored?.lines ?? []), ...(stored?.shipping_lines ?? [])];
        expect(addUp(quoted.tax_lines.map(({ amount }) => amount))).toBe(parseMoney(quoted.totals.tax));
        expect(addUp(all.map(({ net_total }) => net_total))).toBe(
          addUp(quoted.tax_lines.map(({ taxable }) => taxable)),
        );
        for (const line of all) {
          expect(addUp(line.tax_lines.map(({ amount }) => amount))).toBe(parseMoney(line.tax_total));
          expect(addUp(line.tax_lines.map(({ taxable }) => taxable))).toBe(parseMoney(line.net_total));
        }
        expect(stored?.shipping_lines[0]?.total).toBe(quoted.shipping.total);
        expect(stored?.lines).toMatchObject(quoted.lines.map(({ variant: _, tax: __, ...line }) => line));
        if (where.country === "NL" && prices_include_tax)
          expect(quoted.lines.map(({ unit_price }) => unit_price)).toEqual(lines.map(({ price }) => price));
      }),
      { numRuns: byDepth({ usual: 150, deep: 1_000 }), seed: seedFor("api/selling/quote", "api/selling/orders") },
    ),
  );
});

test.each([
  ["NL", "Friday", "2026-11-20T12:00:00Z", 0, "2026-11-20"],
  ["NL", "Friday", "2026-11-20T12:00:00Z", 1, "2026-11-23"],
  ["NL", "Saturday", "2026-11-21T00:00:00Z", 0, "2026-11-23"],
  ["NL", "Sunday", "2026-11-22T23:59:59Z", 1, "2026-11-24"],
  ["NL", "Thursday", "2026-12-31T12:00:00Z", 6, "2027-01-08"],
  ["IL", "Thursday", "2026-11-19T12:00:00Z", 1, "2026-11-22"],
  ["IL", "Friday", "2026-11-20T12:00:00Z", 0, "2026-11-22"],
  ["IL", "Sunday", "2026-11-15T12:00:00Z", 5, "2026-11-22"],
])(
  "in %s what is paid on a %s (%s) arrives %i working days later, which no weekend is",
  (home, _, today, count, day) => {
    expect(workingDayAfter({ tax: { ...shopFacts().tax, home } }, count, new Date(today))).toBe(day);
  },
);
