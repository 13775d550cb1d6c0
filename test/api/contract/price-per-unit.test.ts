import { expect, test } from "vitest";
import { amountOf, pricePerUnit, unitShown } from "../../../api/contract/price-per-unit.ts";

/** `6 × 0.5 l` */
function held(text: string) {
  const [, pieces = "1", amount = "", unit = ""] = /^(?:(\d+) × )?([\d.]+) (.+)$/.exec(text) ?? [];
  return { amount, unit, pieces: Number(pieces) };
}

test.each([
  ["32.00", "20 × 80 m", "EUR", "0.02 m"],
  ["3.49", "750 ml", "EUR", "4.65 l"],
  ["3.49", "0.75 l", "EUR", "4.65 l"],
  ["1.00", "6 × 33 cl", "EUR", "0.51 l"],
  ["2.18", "100 g", "EUR", "21.80 kg"],
  ["5.00", "250 cm", "EUR", "2.00 m"],
  ["9.00", "5000 cm²", "EUR", "18.00 m²"],
  ["1250", "500 g", "JPY", "2500 kg"],
  ["1.999", "3 m", "KWD", "0.666 m"],
  // Rounded half up.
  ["0.01", "2 m", "EUR", "0.01 m"],
  // Of things that cost next to nothing, the price of 100.
  ["64.00", "12 × 1300 labels", "EUR", "0.41 100 labels"],
  ["16.00", "15 cards", "EUR", "1.07 cards"],
])("at %s for %s in %s, pages say %s", (price, text, currency, shown) => {
  const { many, text: unit } = unitShown(price, held(text), currency);
  expect(`${pricePerUnit(price, held(text), currency, many)} ${unit}`).toBe(shown);
});

test("packages hold together what each does", () => {
  expect([held("6 × 0.5 l"), held("0.75 l")].map(amountOf)).toEqual(["3", "0.75"]);
});
