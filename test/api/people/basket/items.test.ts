import { expect, test } from "vitest";
import { type Item, parseItems, readQuantity, writeItems } from "../../../../api/people/basket/items.ts";

test("a link's path names versions and quantities, and is written as it's read", () => {
  const table: [string, Item[]][] = [
    ["KES-C2-BK:2", [{ sku: "KES-C2-BK", quantity: 2 }]],
    [
      "a_b.c-1:999,~YS9iLGM6JQ:1",
      [
        { sku: "a_b.c-1", quantity: 999 },
        { sku: "a/b,c:%", quantity: 1 },
      ],
    ],
    ["~fg:1", [{ sku: "~", quantity: 1 }]],
  ];
  for (const [path, items] of table) {
    expect(parseItems(path)).toEqual(items);
    expect(writeItems(items)).toBe(path);
  }
});

test("a version that a link names twice counts together, also in its two spellings", () => {
  expect(parseItems("KES:1,~S0VT:2")).toEqual([{ sku: "KES", quantity: 3 }]);
});

test.each([
  ["nothing", ""],
  ["no quantity", "KES"],
  ["an empty quantity", "KES:"],
  ["quantity 0", "KES:0"],
  ["a negative quantity", "KES:-1"],
  ["an exponent", "KES:1e3"],
  ["a hexadecimal number", "KES:0x1"],
  ["a superscript", "KES:²"],
  ["a leading zero", "KES:01"],
  ["a thousand pieces", "KES:1000"],
  ["a thousand pieces in two parts", "KES:999,KES:1"],
  ["2^53", "KES:9007199254740992"],
  ["an empty pair", "KES:1,"],
  ["a blank", "KES:1, FOX:1"],
  ["an id that needs encoding", "a/b:1"],
  ["a percent sign", "a%2Fb:1"],
  ["an empty encoded id", "~:1"],
  ["padding", "~YQ==:1"],
  ["base64url that isn't canonical", "~YR:1"],
  ["a control character", "~AA:1"],
  ["bytes that aren't UTF-8", "~_w:1"],
  ["letters that no SKU has", "~w6Q:1"],
  ["101 versions", Array.from({ length: 101 }, (_, index) => `S${index}:1`).join(",")],
])("a link with %s is refused", (_, path) => {
  expect(parseItems(path)).toBeUndefined();
});

test("a quantity is a whole number from 0 to 999 in plain digits", () => {
  const table: [string, number | undefined][] = [
    ["0", 0],
    ["1", 1],
    [" 12 ", 12],
    ["999", 999],
    ["1000", undefined],
    ["", undefined],
    ["-1", undefined],
    ["+1", undefined],
    ["1e3", undefined],
    ["0x1", undefined],
    ["²", undefined],
    ["١", undefined],
    ["1.5", undefined],
    ["01", undefined],
    ["9007199254740992", undefined],
  ];
  for (const [text, quantity] of table) expect([text, readQuantity(text)]).toEqual([text, quantity]);
});
