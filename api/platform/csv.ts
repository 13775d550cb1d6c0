import { hasDecimalComma } from "../contract/money.ts";

/** By which spreadsheets know that a file is in UTF-8. */
export const CSV_MARK = "\uFEFF";

/** What separates cells for the spreadsheets of a locale: where commas are decimal, they open a file with commas as one column. */
export const separatorFor = (locale: string): string => (hasDecimalComma(locale) ? ";" : ",");

/** What begins a formula in a spreadsheet, full-width signs too. */
const FORMULA = /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;

/**
 * A line of CSV (RFC 4180). A text that a spreadsheet would run as a formula gets an apostrophe in front, so that it's a
 * text there too: anybody may order under the name `=HYPERLINK(…)`.
 */
export const writeCsvRow = (cells: readonly string[], separator = ","): string =>
  `${cells.map(writeCell).join(separator)}\r\n`;

function writeCell(text: string): string {
  const cell = FORMULA.test(text) ? `'${text}` : text;
  return /[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
