import { afterEach, describe, expect, test, vi } from "vitest";
import { gtin } from "../../../site/content-schema/gtin.ts";
import { amountProblem, compareAmounts, price } from "../../../site/content-schema/money.ts";
import { productSchema } from "../../../site/content-schema/product.ts";
import { parseShop } from "../../../site/content-schema/shop.ts";
import { taxRate } from "../../../site/content-schema/tax.ts";
import { telephoneUrl, urlNames } from "../../../site/urls/paths.ts";
import { kestrel, problemsWith } from "./content-problems.ts";
import { validContent } from "./content-tree.ts";

const priceProblem = (text: unknown, currency = "EUR") => price(currency).safeParse(text).error?.issues[0]?.message;

test("a price has exactly as many decimals as its currency", () => {
  expect([
    priceProblem("189.00"),
    priceProblem("0.01"),
    priceProblem("1200", "JPY"),
    priceProblem("1.250", "KWD"),
  ]).toEqual(Array(4).fill(undefined));
  expect(priceProblem("189")).toBe('"189" has 0 decimals; EUR has 2. Write "189.00".');
  expect(priceProblem("189.000")).toBe('"189.000" has 3 decimals; EUR has 2. Write "189.00".');
  expect(priceProblem("1200.00", "JPY")).toBe('"1200.00" has 2 decimals; JPY has 0. Write "1200".');
  expect(priceProblem("159.50", "JPY")).toBe('"159.50" has 2 decimals; JPY has 0. Which price is meant?');
  expect(priceProblem("1,299", "JPY")).toBe('"1,299" has separators. Write digits only: "1299".');
  expect(priceProblem("1,299.00", "JPY")).toBe('"1,299.00" has separators. Write digits only: "1299".');
  expect(priceProblem("1.299", "KWD")).toBeUndefined();
  expect(priceProblem(189, "JPY")).toBe('189 must be text in quotes. Write "189".');
});

test.each([
  ["189,00", '"189,00" has a comma. Write "189.00".'],
  ["12,0", '"12,0" has a comma. Write "12.00".'],
  ["12.0", '"12.0" has 1 decimal; EUR has 2. Write "12.00".'],
  ["1,000", '"1,000" has a comma. Which price is meant?'],
  ["1,189.00", '"1,189.00" has separators. Write digits and one point only: "1189.00".'],
  ["1.189,00", '"1.189,00" has separators. Write digits and one point only: "1189.00".'],
  ["1,299.00", '"1,299.00" has separators. Write digits and one point only: "1299.00".'],
  ["1,299.5", '"1,299.5" has separators. Write digits and one point only: "1299.50".'],
  ["12\u00a0345,60", '"12\u00a0345,60" has separators. Write digits and one point only: "12345.60".'],
  ["1’299.00", '"1’299.00" has separators. Write digits and one point only: "1299.00".'],
  ["1.299.000", '"1.299.000" has separators. Write digits and one point only: "1299000.00".'],
  ["1,299.999", '"1,299.999" has separators. Which price is meant?'],
  ["€189.00", '"€189.00" isn\'t a valid price. Use digits and a decimal point only, without a currency sign.'],
  ["1e2", '"1e2" isn\'t a valid price. Use digits and a decimal point only, without a currency sign.'],
  ["-1.00", '"-1.00" is negative. A price must be above zero.'],
  ["0.00", '"0.00" is zero. A price must be above zero.'],
  ["0189.00", '"0189.00" starts with a zero. Write "189.00".'],
  ["1234567890123.00", '"1234567890123.00" is too long for a price.'],
  [189, '189 must be text in quotes. Write "189.00".'],
  [189.5, '189.5 must be text in quotes. Write "189.50".'],
  [189.999, "189.999 must be text in quotes. Which price is meant?"],
  ["189.999", '"189.999" has 3 decimals; EUR has 2. Which price is meant?'],
])("%s isn't a valid price", (text, message) => {
  expect(priceProblem(text)).toBe(message);
});

test("where nobody can pay a fraction, a price is written without one, or with zeros", () => {
  for (const text of ["12990", "12990.00", "1", "1.00"]) expect(priceProblem(text, "HUF")).toBeUndefined();
  expect(priceProblem("12990.000", "IQD")).toBeUndefined();
  expect(priceProblem("12990.50", "HUF")).toBe(
    '"12990.50" has a fraction, which nobody can pay in HUF. Write "12990" or "12991".',
  );
  expect(priceProblem("0.50", "HUF")).toBe('"0.50" has a fraction, which nobody can pay in HUF. Write "1".');
  expect(priceProblem("12990.0", "HUF")).toBe('"12990.0" has 1 decimal; HUF has 0. Write "12990".');
  expect(priceProblem("12990.", "HUF")).toBe('"12990." ends with a point. Write "12990".');
  expect(priceProblem("12,990", "HUF")).toBe('"12,990" has separators. Write digits only: "12990".');
  expect(priceProblem("12,990.00", "HUF")).toBe('"12,990.00" has separators. Write digits only: "12990".');
  expect(priceProblem(12990, "HUF")).toBe('12990 must be text in quotes. Write "12990".');
  expect(priceProblem("0.00", "HUF")).toBe('"0.00" is zero. A price must be above zero.');
});

test("a point that may separate thousands isn't read as a decimal point without asking", () => {
  const ask = (currency: string, thousands: string, others: string) =>
    `has 3 decimals; ${currency} has 0. Which price is meant? Write "${thousands}" if the point separates thousands. Otherwise write ${others}.`;
  expect(priceProblem("12.990", "HUF")).toBe(`"12.990" ${ask("HUF", "12990", '"12" or "13"')}`);
  expect(priceProblem("1.299", "IDR")).toBe(`"1.299" ${ask("IDR", "1299", '"1" or "2"')}`);
  expect(priceProblem("189.000", "COP")).toBe(`"189.000" ${ask("COP", "189000", '"189"')}`);
  expect(priceProblem("12.000", "CLP")).toBe(`"12.000" ${ask("CLP", "12000", '"12"')}`);
  expect(priceProblem("12.990", "IQD")).toBe(`"12.990" ${ask("IQD", "12990", '"12" or "13"')}`);
  expect(priceProblem("12.000", "IQD")).toBeUndefined();
  expect(amountProblem("1.490", "HUF")).toBe(ask("HUF", "1490", '"1" or "2"'));
});

test("zero in any spelling isn't a price, and is advised as it is valid for an amount", () => {
  for (const zero of ["0", "0.0", "0.000", "00.00"]) {
    expect(priceProblem(zero, "HUF")).toBe(`"${zero}" is zero. A price must be above zero.`);
    expect(priceProblem(zero)).toBe(`"${zero}" is zero. A price must be above zero.`);
    const [, advised = zero] = /Write "(.*)"/.exec(amountProblem(zero, "HUF") ?? "") ?? [];
    expect(amountProblem(advised, "HUF")).toBeUndefined();
  }
});

test("both ways to write such an amount are one to programs", () => {
  const zones = (price: string) =>
    `  zones: [{ countries: [GB], price: "${price}", transit_days: { min: 1, max: 2 } }]`;
  const read = (price: string) =>
    parseShop(
      `${validContent["store.yaml"]?.replace(/^currency: .*$/m, "currency: HUF")}\nshipping:\n  handling_days: { min: 0, max: 1 }\n${zones(price)}\n`,
    ).shipping?.zones[0]?.price;
  expect([read("990"), read("990.00"), read("0")]).toEqual(["990.00", "990.00", "0.00"]);
  const product = {
    title: "Kestrel",
    brand: "Kestrel",
    summary: "It scans.",
    images: [{ src: "./a.svg", alt: "It." }],
  };
  const offer = { sku: "KES", price: "12990", availability: "in_stock", specifications: { Reads: "1D" } };
  expect(productSchema("HUF").parse({ ...product, ...offer }).variants[0]?.price).toBe("12990.00");
});

test("amounts are ordered by value, not alphabetically", () => {
  expect(["1000.00", "89.00", "9007199254740993.01", "9007199254740993.00"].sort(compareAmounts)).toEqual([
    "89.00",
    "1000.00",
    "9007199254740993.00",
    "9007199254740993.01",
  ]);
});

test("any single wrong digit in a GTIN is reported", () => {
  const right = "4006381333931";
  const wrong = [...right].flatMap((digit, place) =>
    [..."0123456789"]
      .filter((other) => other !== digit)
      .map((other) => right.slice(0, place) + other + right.slice(place + 1)),
  );
  expect(gtin.safeParse(right).success).toBe(true);
  expect(wrong.filter((text) => gtin.safeParse(text).success)).toEqual([]);
});

test.each([
  ["+44 113 496 0123", "tel:+441134960123"],
  ["+44 (0)113 496-0123", "tel:+441134960123"],
  ["0044 (0) 113 496 0123", "tel:00441134960123"],
  ["(0113) 496 0123", "tel:01134960123"],
])("%s is dialled as %s", (phone, url) => {
  expect(telephoneUrl(phone)).toBe(url);
});

test("a telephone number that can't be dialled is rejected", () => {
  const yaml = (phone: string) => (validContent["store.yaml"] ?? "").replace("+44 20 7946 0123", phone);
  expect(parseShop(yaml("+44 (0)113 496 0123")).phone).toBe("+44 (0)113 496 0123");
  for (const wrong of ["+44 113 496 0123 ext. 5", "0800 COUNTER", "+"])
    expect(() => parseShop(yaml(wrong))).toThrow("can't be dialled");
});

test.each([
  ["21%", '"21%" must be a fraction. Write `"0.21"`.'],
  ["8,1 %", '"8,1 %" must be a fraction. Write `"0.081"`.'],
  ["19", '"19" must be a fraction. Write `"0.19"`.'],
  ["0,19", '"0,19" has a comma. Write `"0.19"`.'],
  ["1.19 %", '"1.19 %" must be a fraction. Write `"0.0119"`.'],
  ["high", '"high" must be a fraction. Write 21 % as `"0.21"`.'],
])("the advice for a tax rate of %s suggests the same rate", (rate, message) => {
  expect(taxRate.safeParse(rate).error?.issues[0]?.message).toBe(message);
});

test("a tax rate that could be a factor or a percentage isn't guessed", () => {
  expect(taxRate.safeParse("1.19").error?.issues[0]?.message).toBe(
    '"1.19" must be a fraction. Write 21 % as `"0.21"`.',
  );
});

test("filters and sort orders have unique ids in any script", () => {
  expect(urlNames(["Print speed (mm/s)", "色", "रंग", "Größe"])).toEqual(["print-speed-mm-s", "色", "रंग", "größe"]);
  expect(urlNames(["Size (mm)", "Size mm", "!!!", "…"])).toEqual(["size-mm", "size-mm-2", "2", "3"]);
  expect(urlNames(["Sort", "Reads"], ["sort"])).toEqual(["sort-2", "reads"]);
});

test("the base address is an origin, and the environment overrides store.yaml", () => {
  const yaml = validContent["store.yaml"] ?? "";
  expect(parseShop(yaml).base_url).toBe("https://test.example");
  expect(parseShop(yaml, "https://other.example").base_url).toBe("https://other.example");
  expect(parseShop(yaml, "").base_url).toBe("https://test.example");
  for (const wrong of [
    "https://a.example/",
    "https://a.example/shop",
    "a.example",
    "ftp://a.example",
    "https://A.example",
  ]) {
    expect(() => parseShop(yaml, wrong)).toThrow("must be an origin");
  }
});

describe("a date of change in the future", () => {
  afterEach(() => void vi.useRealTimers());

  // UTC+14 is the first time zone to start a day.
  test.each([
    ["2026-11-22T09:59:59Z", "2026-11-22", []],
    ["2026-11-22T09:59:59Z", "2026-11-23", ["2026-11-23"]],
    ["2026-11-22T10:00:00Z", "2026-11-23", []],
    ["2026-11-22T10:00:00Z", "2026-11-24", ["2026-11-24"]],
  ])("gets a warning while it is in the future in every time zone: at %s, %s", async (now, day, warned) => {
    vi.useFakeTimers({ toFake: ["Date"], now: new Date(now) });
    const text = (validContent[kestrel] ?? "").replace("updated: 2026-10-02", `updated: ${day}`);
    expect(await problemsWith({ [kestrel]: text })).toEqual(
      warned.map((future) => `content/${kestrel}:15: updated ${future} is in the future. Check it for a typo.`),
    );
  });
});
