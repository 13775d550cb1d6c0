import { CsvError, parse } from "csv-parse/sync";
import { parsePieces, type Shelf } from "./shelf.ts";
import { type Opened, parseOpened, writeOpened } from "./since-opened.ts";

// A list to count by: written with what is known of each SKU, and read with what was found on the shelf.

/** Why a line of a list can't be read. */
export type ListFault =
  /** The first line doesn't name the columns `sku` and `pieces`. */
  | "head"
  /** There is no line below the first. */
  | "empty"
  /** It isn't CSV: a quote is open, or stands amidst a text. */
  | "quotes"
  /** It has no SKU, or no column for the pieces. */
  | "row"
  /** The SKU stands in an earlier line already. */
  | "twice"
  /** What is written as pieces isn't a whole number, or `none`. */
  | "pieces";

export interface FaultyLine {
  line: number;
  fault: ListFault;
  /** What stands there: the pieces, or the SKU that stands twice; else "". */
  written: string;
}

export interface PiecesList {
  shelves: Shelf[];
  /** Rows whose pieces are blank: they stay as they are. */
  blank: number;
  faults: FaultyLine[];
}

const SEPARATORS = [",", ";", "\t"];

/**
 * Reads a list whose first line names its columns, `sku` and `pieces` among them, separated by commas, semicolons or tabs.
 * A row is from when its own column `opened` says, or from `opened`.
 */
export function parsePiecesList(text: string, opened?: Opened): PiecesList {
  const list: PiecesList = { shelves: [], blank: 0, faults: [] };
  const fail = (line: number, fault: ListFault, written = "") => void list.faults.push({ line, fault, written });
  const [head, ...rows] = parseRows(text, fail);
  const names = head?.cells.map((name) => name.toLowerCase()) ?? [];
  const [sku, pieces] = [names.indexOf("sku"), names.indexOf("pieces")];
  if (sku < 0 || pieces < 0) return { ...list, faults: [{ line: 1, fault: "head", written: "" }] };
  if (rows.length === 0 && list.faults.length === 0) fail(1, "empty");
  const seen = new Set<string>();
  for (const { line, cells } of rows) {
    const [itsSku, itsPieces] = [restoreText(cells[sku] ?? ""), cells[pieces]?.trim()];
    const shelf = parsePieces(itsPieces ?? "");
    if (itsSku === "" || itsPieces === undefined) fail(line, "row");
    else if (seen.has(itsSku)) fail(line, "twice", itsSku);
    else if (itsPieces === "") list.blank += 1;
    else if (shelf === undefined) fail(line, "pieces", itsPieces);
    else list.shelves.push({ sku: itsSku, shelf, opened: parseOpened(cells[names.indexOf("opened")] ?? "") ?? opened });
    seen.add(itsSku);
  }
  return list;
}

interface Row {
  line: number;
  cells: string[];
}

/** The rows up to the first that isn't CSV. */
function parseRows(text: string, fail: (line: number, fault: ListFault) => void): Row[] {
  const [head = ""] = text.split(/\r?\n/, 1);
  const delimiter = SEPARATORS.find((sign) => head.includes(sign)) ?? ",";
  const rows: Row[] = [];
  try {
    parse(text, {
      ...{ bom: true, delimiter, relax_column_count: true, skip_empty_lines: true, trim: true },
      // A spreadsheet that ends with blank rows.
      skip_records_with_empty_values: true,
      onRecord: (cells: string[], { lines }: { lines: number }) => {
        rows.push({ line: lines, cells });
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    fail(Number(error["lines"] ?? rows.length + 1), "quotes");
  }
  return rows;
}

/** What a list says of a SKU. */
export interface ListedVersion {
  sku: string;
  /** On the shelf; null where it isn't counted. */
  pieces: number | null;
  ordered: number;
  free: number | null;
  availability: string;
  product: string;
  version: string;
}

const COLUMNS = ["sku", "pieces", "ordered", "free", "availability", "product", "version", "opened"];

/** The first line of a list, with the mark by which spreadsheets know UTF-8. */
export const writeListHead = (separator = ","): string => `\uFEFF${COLUMNS.join(separator)}\r\n`;

/** The lines of a list that parsePiecesList reads; `opened` is read before what they say. */
export const writeListRows = (versions: readonly ListedVersion[], opened: Opened, separator = ","): string =>
  versions
    .map(({ sku, pieces, ordered, free, availability, product, version }) =>
      [
        ...[writeCell(sku), pieces ?? "", ordered, free ?? "", availability],
        ...[writeCell(product), writeCell(version), writeOpened(opened)],
      ].join(separator),
    )
    .map((row) => `${row}\r\n`)
    .join("");

/** What a spreadsheet would take for a formula, or what writeCell has made of that. */
const FORMULA = /^'*[=+\-@\t\r]/;

/** A cell that no spreadsheet runs, whatever its text is (OWASP, CSV injection). */
export function writeCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",;\t\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The text of a cell that writeCell has written, in whatever way a spreadsheet has saved it since. */
const restoreText = (cell: string): string => (cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell);
