import { expect, test } from "vitest";
import { writeCsvRow } from "../../../api/platform/csv.ts";

test("a cell is quoted where it must be, and is never a formula", () => {
  const cells = ["plain", 'a "b"', "a,b", "a;b", "a\nb", " a", "", "Łódź", "12.50"];
  expect(writeCsvRow(cells)).toBe('plain,"a ""b""","a,b","a;b","a\nb"," a",,Łódź,12.50\r\n');
  const formulas = ['=HYPERLINK("http://x")', "+1", "-1", "@SUM(1)", "\t=1", "\r=1", "＝1", "＋1", "－1", "＠x"];
  for (const formula of formulas) expect(writeCsvRow([formula])).toMatch(/^"?'/);
});
