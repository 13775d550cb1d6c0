import type { Tax } from "../orders/pricing.ts";

/** A currency that orders are placed in: what a euro of list price becomes, and how taxes work there. */
interface Market {
  currency: string;
  /** Units of the currency for one euro of list price, in hundredths: a demo's fixed rate, not the day's. */
  ratePercent: number;
  prices_include_tax: boolean;
  taxes: readonly Tax[];
  shipping: readonly [standard: string, express: string];
}

export const markets: readonly [Market, ...Market[]] = [
  market("EUR", 100, true, [{ code: "VAT-21", title: "VAT 21 %", rate: "0.21" }], ["6.90", "14.50"]),
  market("EUR", 100, false, [{ code: "DE-19", title: "USt. 19 %", rate: "0.19" }], ["5.80", "12.00"]),
  market("GBP", 86, true, [{ code: "GB-20", title: "VAT 20 %", rate: "0.2" }], ["4.95", "9.95"]),
  market("CZK", 2510, true, [{ code: "CZ-21", title: "DPH 21 %", rate: "0.21" }], ["149.00", "299.00"]),
  market("JPY", 16200, true, [{ code: "JP-10", title: "消費税 10%", rate: "0.1" }], ["880", "1650"]),
  market("KWD", 33, false, [], ["2.500", "6.750"]),
  market(
    "USD",
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
  ratePercent: number,
  prices_include_tax: boolean,
  taxes: readonly Tax[],
  shipping: readonly [string, string],
): Market {
  return { currency, ratePercent, prices_include_tax, taxes, shipping };
}

export type { Market };
