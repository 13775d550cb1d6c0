import { expect, test } from "vitest";
import { kestrel, osprey, problemsWith } from "./content-problems.ts";
import { validContent } from "./content-tree.ts";

/** A product in the valid shop that works with others, given as slugs with reasons. */
const withRelations = (file: string, relations: string) =>
  (validContent[file] ?? "").replace("updated:", `works_with: { ${relations} }\nupdated:`);

test("a pair of compatible products is valid when one of the two files names it", async () => {
  expect(await problemsWith({ [kestrel]: withRelations(kestrel, "osprey: both read 1D codes") })).toEqual([]);
});

test.each([
  ["ospry: typed wrongly", "works_with, ospry isn't a product. Did you mean `osprey`?"],
  ["kestrel-c2: itself", "works_with, kestrel-c2 is this product. Remove the line."],
  ["kestrel-c1: its old name", "works_with, kestrel-c1 has moved. Write `kestrel-c2`."],
  [
    "/products/osprey: a link",
    "works_with, /products/osprey isn't a product's file name. Leave out the folder and .md: `kestrel-c2`.",
  ],
])("%s is reported with its line", async (relation, problem) => {
  expect(await problemsWith({ [kestrel]: withRelations(kestrel, relation) })).toContain(
    `content/${kestrel}:15: ${problem}`,
  );
});

test("a pair in both files is reported in the second", async () => {
  const changes = {
    [kestrel]: withRelations(kestrel, "osprey: both read 1D codes"),
    [osprey]: withRelations(osprey, "kestrel-c2: the same"),
  };
  expect(await problemsWith(changes)).toEqual([
    `content/${osprey}:20: works_with, kestrel-c2 is already in content/${kestrel}:15, which covers both. Delete one of the lines.`,
  ]);
});
