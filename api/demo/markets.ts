import type { Tax } from "../orders/pricing.ts";

/** Where orders come from: the currency, what a euro of list price becomes, and how taxes work there. */
export interface Market {
  currency: string;
  /** ISO 3166-1 alpha-2 of those who buy here. */
  countries: readonly string[];
  /** Units of the currency for one euro of list price, in hundredths: a demo's fixed rate, not the day's. */
  ratePercent: number;
  prices_include_tax: boolean;
  taxes: readonly Tax[];
  shipping: readonly [standard: string, express: string];
}

const eurozone = ["NL", "DE", "IE", "GR", "ES", "BG"];
const abroad = ["UA", "IL", "CN", "TH", "IS", "VN", "PL"];

export const markets: readonly [Market, ...Market[]] = [
  market("EUR", eurozone, 100, true, [{ code: "VAT-21", title: "VAT 21 %", rate: "0.21" }], ["6.90", "14.50"]),
  market("EUR", abroad, 100, false, [], ["18.00", "42.00"]),
  market("GBP", ["GB"], 86, true, [{ code: "GB-20", title: "VAT 20 %", rate: "0.2" }], ["4.95", "9.95"]),
  market("CZK", ["CZ"], 2510, true, [{ code: "CZ-21", title: "DPH 21 %", rate: "0.21" }], ["149.00", "299.00"]),
  market("JPY", ["JP"], 16200, true, [{ code: "JP-10", title: "消費税 10%", rate: "0.1" }], ["880", "1650"]),
  market("KWD", ["KW"], 33, false, [], ["2.500", "6.750"]),
  market(
    "USD",
    ["US"],
    108,
    false,
    [
      { code: "US-CA", title: "California state tax", rate: "0.0725" },
      { code: "US-CA-SF", title: "San Francisco district tax", rate: "0.01375" },
    ],
    ["9.00", "24.00"],
  ),
];

function market(
  currency: string,
  countries: readonly string[],
  ratePercent: number,
  prices_include_tax: boolean,
  taxes: readonly Tax[],
  shipping: readonly [string, string],
): Market {
  return { currency, countries, ratePercent, prices_include_tax, taxes, shipping };
}
