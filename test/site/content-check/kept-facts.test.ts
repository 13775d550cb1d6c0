import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Random, seededRandom } from "../../../api/operation/demo/random.ts";
import { checkContent } from "../../../site/content-check/check.ts";
import { shops } from "../../workspace.ts";
import { changeRandomly } from "../build/random-changes.ts";

/** What goes wrong in a file of a page; the text stays as it was where it doesn't apply. */
type Slip = (text: string, random: Random) => string;

const slips: readonly [Slip, ...Slip[]] = [
  (text) => text.replace(/^(\w+): /m, "$1 "),
  (text) => text.replace(/^summary: .*\n/m, ""),
  (text) => text.replace(/^---\n/, ""),
  (text, random) => text.replace(/sku: ".*"/, `sku: "KES-${random.between(1, 3)}"`),
  (text) => text.replace(/price: "(\d+)\./, 'price: "$100.'),
  (text) => text.replace(/\]\(\/\w+/, "](/nowhere"),
  (text) => text.replace(/\.svg/, "-2.svg"),
  (text) => `${text}\n\n#### Too deep\n\n[Here](/returns#nothing), it is expected soon.\n`,
  (text) => text.replace(/^title: (.*)$/m, "title: $1 <b>now</b>\ndraft: true"),
  (text) => text.replace(/^specifications:\n {2}(\w)/m, "specifications:\n  New $1"),
  (text) => text.replace(/^updated: .*$/m, "updated: 2199-01-01\nformerly: [older]"),
  (text) => text.replace(/^(works_with|filters|recommended|questions):/m, "$1s:"),
  (text) => `${text}\n\n<Callout kind="tip">{1 + 1}\n`,
  (text) => text.replace(/alt: .*$/m, 'alt: "?"'),
];

test("after random changes and mistakes a check finds the same with what was kept of an earlier one as without", async () => {
  const random = seededRandom(5);
  const root = mkdtempSync(join(tmpdir(), "twinfront-content-"));
  const [content, cache] = [join(root, "content"), join(root, "cache")];
  cpSync(shops.demo, content, { recursive: true });
  let found = 0;
  try {
    for (let round = 0; round < 5; round += 1) {
      const before = new Map<string, string>();
      for (let slip = 0; slip < 5; slip += 1) {
        const [first = "", ...others] = globSync("{products/*,categories,guides,pages}/*.{md,mdx}", {
          cwd: content,
        }).sort();
        const file = join(content, random.pick([first, ...others]));
        const text = readFileSync(file, "utf8");
        before.set(file, before.get(file) ?? text);
        writeFileSync(file, random.pick(slips)(text, random));
      }
      const [kept, whole] = [await checkContent(root, cache), await checkContent(root)];
      expect(kept).toEqual(whole);
      found += whole.length;
      // Mistakes in all files would hide one another.
      if (round % 2 === 1) for (const [file, text] of before) writeFileSync(file, text);
      changeRandomly(content, 3, random);
    }
  } finally {
    rmSync(root, { recursive: true });
  }
  expect(found).toBeGreaterThan(30);
});
