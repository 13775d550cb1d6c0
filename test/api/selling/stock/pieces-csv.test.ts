import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type ListedVersion,
  parsePiecesList,
  writeListHead,
  writeListRows,
} from "../../../../api/selling/stock/pieces-csv.ts";
import { byDepth, seedFor } from "../../../depth.ts";

const version: ListedVersion = {
  ...{ sku: "A-1", pieces: 14, ordered: 3, free: 11, availability: "in_stock" },
  ...{ product: "Kestrel C2", version: "Black, cordless" },
};
const opened = { parcel: 7, count: 2 };

test("a list is read back as it was written, with when, and its other columns are passed over", () => {
  const uncounted = { ...version, sku: "B-2", pieces: null, free: null };
  const text = writeListHead() + writeListRows([version, uncounted], opened);
  expect(text.split("\r\n")).toEqual([
    "\uFEFFsku,pieces,ordered,free,availability,product,version,opened",
    'A-1,14,3,11,in_stock,Kestrel C2,"Black, cordless",p7c2',
    'B-2,,3,,in_stock,Kestrel C2,"Black, cordless",p7c2',
    "",
  ]);
  expect(parsePiecesList(text)).toEqual({ shelves: [{ sku: "A-1", shelf: 14, opened }], blank: 1, faults: [] });
  const semicolons = writeListHead(";") + writeListRows([{ ...version, product: "C2; black" }], opened, ";");
  expect(semicolons).toContain('\r\nA-1;14;3;11;in_stock;"C2; black";');
  expect(parsePiecesList(semicolons)).toEqual({ shelves: [{ sku: "A-1", shelf: 14, opened }], blank: 0, faults: [] });
});

test.each([
  ["commas", "sku,pieces\nA-1,14\nB-2,none"],
  ["semicolons, as a German spreadsheet writes", "\uFEFFSKU;Pieces\r\nA-1;14\r\nB-2;none\r\n"],
  ["tabs, as pasted from a spreadsheet", "pieces\tproduct\tsku\n14\tA “pen”\tA-1\nNONE\t\tB-2\n\t\t\n"],
  ["quotes", '"sku","pieces"\n"A-1"," 14 "\n"B-2","none"'],
])("a list with %s is read", (_, text) => {
  expect(parsePiecesList(text, opened)).toEqual({
    ...{ blank: 0, faults: [] },
    shelves: [
      { sku: "A-1", shelf: 14, opened },
      { sku: "B-2", shelf: null, opened },
    ],
  });
});

test.each([
  ["nothing", "", [1, "head", ""]],
  ["another head", "sku,count\nA-1,14", [1, "head", ""]],
  ["a head alone", "sku,pieces\n\n", [1, "empty", ""]],
  ["a row of one cell", "sku,pieces\nA-1", [2, "row", ""]],
  ["no SKU", "sku,pieces\n,14", [2, "row", ""]],
  ["a SKU twice", "sku,pieces\nA-1,14\nA-1,15", [3, "twice", "A-1"]],
  ["a decimal", "sku,pieces\nA-1,1.5", [2, "pieces", "1.5"]],
  ["a negative number", "sku,pieces\nA-1,-1", [2, "pieces", "-1"]],
  ["too many", "sku,pieces\nA-1,1000001", [2, "pieces", "1000001"]],
  ["an open quote", 'sku,pieces\nA-1,14\nB-2,"4\n', [3, "quotes", ""]],
])("a list with %s says in which line, and what", (_, text, [line, fault, written]) => {
  const { faults } = parsePiecesList(text);
  expect(faults[0]).toMatchObject({ fault, written });
  // Where a quote that is never closed ends, only its reader knows.
  if (fault !== "quotes") expect(faults[0]?.line).toBe(line);
});

test("no cell of a list is a formula, and any SKU comes back as it was", () => {
  const text = fc.string({
    unit: fc.constantFrom("=", "+", "-", "@", "'", '"', ",", ";", "\t", "A", "é", "1"),
    minLength: 1,
  });
  fc.assert(
    fc.property(text, text, (sku, product) => {
      const list =
        writeListHead() +
        writeListRows(
          [
            { ...version, sku: `x${sku}`, product },
            { ...version, sku },
          ],
          opened,
        );
      const cells = list.matchAll(/(?<=^|,)(?:"((?:[^"]|"")*)"|([^,\r\n]*))/gm);
      for (const [, quoted = "", plain = ""] of cells) expect(quoted + plain).not.toMatch(/^[=+@\t]|^-\D/);
      expect(parsePiecesList(list).shelves.map((shelf) => shelf.sku)).toEqual([`x${sku}`, sku]);
    }),
    { seed: seedFor("api/selling/stock"), numRuns: byDepth({ usual: 200, deep: 5_000 }) },
  );
});
