import { expect, test } from "vitest";
import { kestrel, type Mistake, osprey, problemsAfter } from "./content-problems.ts";

const mistakes: Mistake[] = [
  [
    "a wrong check digit",
    kestrel,
    "2000000000015",
    "2000000000018",
    `content/${kestrel}:9: gtin "2000000000018" has a wrong check digit: the last digit should be 5. Check the number for a typo.`,
  ],
  [
    "a GTIN that is too short",
    kestrel,
    "2000000000015",
    "20000000015",
    `content/${kestrel}:9: gtin "20000000015" has 11 digits. A GTIN has 13.`,
  ],
  [
    "a UPC",
    kestrel,
    "2000000000015",
    "012345678905",
    `content/${kestrel}:9: gtin "012345678905" has 12 digits. Put a zero before a UPC to make it a GTIN: write "0012345678905".`,
  ],
  [
    "a GTIN without quotes",
    kestrel,
    '"2000000000015"',
    "0217302001370",
    `content/${kestrel}:9: gtin must be text in quotes: 0217302001370 would become 217302001370. Write \`gtin: "0217302001370"\`.`,
  ],
  [
    "a SKU without quotes",
    kestrel,
    '"KES-C2"',
    "00123",
    `content/${kestrel}:8: sku must be text in quotes: 00123 would become 123. Write \`sku: "00123"\`.`,
  ],
  [
    "a SKU with a space",
    osprey,
    '"OSP-WH"',
    '"OSP WH"',
    `content/${osprey}:14: variant 2, sku "OSP WH" has a space or a letter outside ASCII, which many ERPs can't read. Remove it.`,
  ],
  [
    "a SKU used by another product",
    osprey,
    '"OSP-WH"',
    '"KES-C2"',
    `content/${osprey}:14: SKU KES-C2 is also in content/${kestrel}:8. Use it once.`,
  ],
  [
    "a GTIN used by another product",
    osprey,
    "2000000000022",
    "2000000000015",
    `content/${osprey}:9: GTIN 2000000000015 is also in content/${kestrel}:9. Use it once.`,
  ],
];

test.each(mistakes)(
  "%s is reported with its file, its line and what to write",
  async (_what, file, text, replacement, problem) => {
    expect(await problemsAfter(file, text, replacement)).toContain(problem);
  },
);

test("a GTIN outside the restricted ranges is valid", async () => {
  expect(await problemsAfter(kestrel, "2000000000015", "4006381333931")).toEqual([]);
});
