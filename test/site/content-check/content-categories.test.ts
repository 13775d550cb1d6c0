import { expect, test } from "vitest";
import { kestrel, problemsWith } from "./content-problems.ts";
import { newProduct, validContent } from "./content-tree.ts";

/** A category's file with more lines in its front matter. */
const category = (title: string, lines = "") =>
  `---\ntitle: ${title}\nsummary: Things.\norder: 20\n${lines}---\n\nSome text.\n`;

const below = (parent: string) => `parent: ${parent}\n`;

/** Scanners are below devices, which are below hardware; so are printers, of which there is one. */
const tree = {
  "categories/hardware.md": category("Hardware", "formerly: [machines]\n"),
  "categories/devices.md": category("Devices", below("hardware")),
  "categories/barcode-scanners.md": category("Barcode scanners", below("devices")),
  "categories/printers.md": category("Printers", below("devices")),
  "products/printers/printer.md": newProduct("printer"),
};

/** The same tree, where the Kestrel names other categories. */
const alsoIn = (written: string, changes = {}) =>
  problemsWith({
    ...tree,
    ...changes,
    [kestrel]: (validContent[kestrel] ?? "").replace("specifications:", `also_in: ${written}\nspecifications:`),
  });

test("categories of three levels are valid, and so are products that others list too", async () => {
  expect(await problemsWith(tree)).toEqual([]);
  expect(await alsoIn("[printers]")).toEqual([]);
});

test.each([
  ["hardwear", "parent, hardwear isn't a category. Did you mean `hardware`?"],
  ["Hardware", "parent, Hardware isn't a category. Did you mean `hardware`?"],
  ["machines", "parent, machines has another name now. Write `hardware`."],
  ["printers", "parent, printers is this category. Delete the line, or write the one above it."],
  ['""', "parent is empty. Write the name of a category's file, without `.md`."],
  ["", "parent is empty. Write the name of a category's file, without `.md`."],
  ["[devices]", "parent is a list, not text. Write the name of a category's file, without `.md`."],
  [
    "barcode-scanners",
    "parent, barcode-scanners is already on level 3, and the limit is 3 levels: hardware › devices › barcode-scanners › printers. Write `parent: devices`, or delete the line.",
  ],
])("a category below “%s” is reported with its line", async (parent, problem) => {
  expect(await problemsWith({ ...tree, "categories/printers.md": category("Printers", below(parent)) })).toEqual([
    `content/categories/printers.md:5: ${problem}`,
  ]);
});

test("categories that form a circle are each reported, and what is below them isn't", async () => {
  const circle = { ...tree, "categories/hardware.md": category("Hardware", below("devices")) };
  const advice = "Delete `parent` in the one that belongs to the top.";
  expect(await problemsWith(circle)).toEqual([
    `content/categories/devices.md:5: parent, hardware is below this category itself: devices, hardware, devices. ${advice}`,
    `content/categories/hardware.md:5: parent, devices is below this category itself: hardware, devices, hardware. ${advice}`,
  ]);
});

test.each([
  ["[printer]", "also_in, printer isn't a category. Did you mean `printers`?"],
  ["[machines]", "also_in, machines has another name now. Write `hardware`."],
  [
    "[barcode-scanners]",
    "also_in, barcode-scanners is the category of this product's folder, which lists it anyway. Delete it here.",
  ],
  ["[printers, printers]", "also_in, printers is named twice. Delete one."],
  ["[hardware]", "also_in, hardware is above barcode-scanners, and lists it anyway. Delete it here."],
  ["printers", 'also_in is "printers", not a list. Write `also_in: [label-printers]`.'],
  ["[5]", 'also_in, item 1 must be text in quotes: 5 isn\'t text. Write `"5"`.'],
])("a product that is also in %s is reported with its line", async (written, problem) => {
  expect(await alsoIn(written)).toEqual([`content/${kestrel}:12: ${problem}`]);
});

test("a product that names a category and the one above it needn't name the second", async () => {
  const cables = {
    "categories/cables.md": category("Cables", below("extras")),
    "categories/extras.md": category("Extras"),
  };
  expect(await alsoIn("[cables, extras]", cables)).toEqual([
    `content/${kestrel}:12: also_in, extras is above cables, and lists it anyway. Delete it here.`,
  ]);
});

test("a category without products is reported, unless one of another folder or below it is listed there", async () => {
  const gifts = { "categories/gifts.md": category("Gifts") };
  const problem =
    "No product is in this category or below it, so the header and the home page leave it out. Add one, or delete the file.";
  expect(await problemsWith({ ...tree, ...gifts })).toEqual([`content/categories/gifts.md:1: ${problem}`]);
  expect(await alsoIn("[gifts]", gifts)).toEqual([]);
});

test("two categories may have one title below different ones, but not side by side", async () => {
  const spare = { "categories/spare.md": category("Printers"), "products/spare/part.md": newProduct("part") };
  expect(await problemsWith({ ...tree, ...spare })).toEqual([]);
  expect(
    await problemsWith({ ...tree, ...spare, "categories/spare.md": category("Printers", below("devices")) }),
  ).toEqual([
    "content/categories/spare.md:2: The title “Printers” is also used by content/categories/printers.md:2. Choose another one.",
  ]);
});

test("a category recommends, filters and sorts by what it lists, of the categories below it too", async () => {
  const devices = (lines: string) => ({
    ...tree,
    "categories/devices.md": category("Devices", `${below("hardware")}${lines}`),
    "products/printers/printer.md": newProduct("printer").replace("Reads:", "Read:"),
  });
  expect(await problemsWith(devices("recommended: [printer]\n"))).toEqual([]);
  expect(await problemsWith(devices("filters: [Reads]\n"))).toEqual([
    "content/products/printers/printer.md:11: specifications need `Reads`, which the category devices filters by. Rename `Read` if it means the same.",
  ]);
});
