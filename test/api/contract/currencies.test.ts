import { expect, test } from "vitest";
import { currencyDigits, payableDigits } from "../../../api/contract/currencies.ts";
import { displayMoney } from "../../../api/contract/money.ts";

const formatOf = (currency: string) => new Intl.NumberFormat("en-GB", { style: "currency", currency });
const known = Intl.supportedValuesOf("currency");

test("a currency's digits follow ISO 4217, not CLDR", () => {
  const codes = ["EUR", "JPY", "KWD", "IQD", "ISK", "HUF", "CLF"];
  expect(codes.map(currencyDigits)).toEqual([2, 0, 3, 3, 0, 2, 4]);
  expect(() => currencyDigits("eur")).toThrow(RangeError);
});

test("in every currency, the digits that can be paid are those that CLDR shows", () => {
  const shown = known.map((code) => [code, formatOf(code).resolvedOptions().maximumFractionDigits]);
  expect(known.map((code) => [code, payableDigits(code)])).toEqual(shown);
});

test("an amount that can be paid is shown as Intl shows it, in every currency", () => {
  for (const code of known) {
    const amount = `1234${payableDigits(code) > 0 ? ".5" : ""}` as const;
    expect(displayMoney(amount, code, "en-GB")).toBe(formatOf(code).format(amount as `${number}`));
  }
});

test("a fraction that can't be paid, but came from elsewhere, is shown, not hidden", () => {
  const shown = ["12701.00", "12701.27", "12701.50"].map((amount) => displayMoney(amount, "HUF", "hu-HU"));
  expect(shown.map((text) => text.replaceAll(/\s/g, " "))).toEqual(["12 701 Ft", "12 701,27 Ft", "12 701,50 Ft"]);
});
