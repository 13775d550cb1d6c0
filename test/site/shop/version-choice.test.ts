import { expect, test } from "vitest";
import type { Variant } from "../../../site/content-schema/product.ts";
import { choicesOf } from "../../../site/src/shop/version-choice.ts";

/** Two versions that differ in one option; the second is cheaper. */
const variants = (name: string): Variant[] =>
  ["40", "41"].map((value, index) => ({
    sku: value,
    gtin: null,
    barcode: null,
    price: index === 0 ? "20.00" : "10.00",
    availability: "in_stock",
    available_from: null,
    when_sold_out: "out_of_stock",
    options: { [name]: value },
    image: 0,
    specifications: {},
    weight_g: null,
    tax_class: null,
    condition: "new",
    content: null,
    order_quantity: { least: 1, step: 1 },
  }));

const chosenOf = (name: string) => choicesOf(variants(name))[0]?.chosen;

test.each([
  "Size",
  "Shoe size",
  "Ring size",
  "Größe",
  "Schuhgröße",
  "Kleidergrösse",
  "Taille",
  "Talla de zapato",
  "Rozmiar",
  "Størrelse",
  "Μέγεθος",
  "Beden",
  "מידה",
  "مقاس",
])("nobody guesses a %s", (name) => {
  expect(chosenOf(name)).toBeUndefined();
});

test.each(["Colour", "Memory", "Sized by", "צבע"])("the cheapest %s in stock is chosen beforehand", (name) => {
  expect(chosenOf(name)).toBe("41");
});
