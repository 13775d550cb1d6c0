import { expect, test } from "vitest";
import { problemsWith } from "./content-problems.ts";
import { newProduct, validContent } from "./content-tree.ts";

const category = (title: string) => `---\ntitle: ${title}\nsummary: All ${title}.\norder: 8\n---\n`;
const more = {
  "categories/printers.md": category("Printers"),
  "products/printers/printer.md": newProduct("printer"),
  "categories/drawers.md": category("Drawers"),
  "products/drawers/drawer.md": newProduct("drawer"),
};

const counter = `counter:
  begins_with: barcode-scanners
  offers:
    printers: [barcode-scanners]
    drawers: [barcode-scanners, printers]
  extras: []
`;

const withCounter = (text: string) => problemsWith({ ...more, "store.yaml": validContent["store.yaml"] + text });

test("a counter of categories is valid, and so is a shop without one", async () => {
  expect(await withCounter(counter)).toEqual([]);
  expect(await withCounter("")).toEqual([]);
});

test.each([
  [
    "begins_with: barcode-scanners",
    "begins_with: bar-scanners",
    "19: counter, bar-scanners isn't a category. Did you mean `barcode-scanners`?",
  ],
  [
    "[barcode-scanners, printers]",
    "[barcode-scanners, scales]",
    "22: counter, offers, drawers, item 2 scales isn't chosen before drawers.",
  ],
  [
    "printers: [barcode-scanners]",
    "printers: [drawers]",
    "21: counter, offers, printers, item 1 drawers isn't chosen before printers.",
  ],
  [
    "printers: [barcode-scanners]",
    "printers: []",
    "21: counter, offers, printers is empty. Write `[barcode-scanners]`.",
  ],
  [
    "extras: []",
    "extras: [drawers]",
    "23: counter, extras, item 1 drawers is already in the counter. List each category once.",
  ],
  ["extras: []", "extras: gloves", '23: counter, extras is "gloves", not a list. Write `extras: [accessories]`.'],
  ["extras: []", "extras: [gloves]", "23: counter, gloves isn't a category."],
])("%s written as %s is reported with its line", async (right, wrong, problem) => {
  expect(counter).toContain(right);
  const problems = await withCounter(counter.replace(right, wrong));
  expect(problems).toContainEqual(expect.stringContaining(`content/store.yaml:${problem}`));
});

test("a page can't be named counter, which the counter's page is", async () => {
  const page = validContent["pages/about.md"] ?? "";
  expect(await problemsWith({ "pages/counter.md": page })).toContainEqual(
    expect.stringContaining("content/pages/counter.md:1:"),
  );
});
