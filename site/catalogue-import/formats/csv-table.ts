import { isUtf8 } from "node:buffer";
import { CsvError, parse } from "csv-parse/sync";
import { ContentError } from "../../content-schema/content-error.ts";

/** A row of a table; `line` is where it starts in the file. */
export class Row {
  readonly line: number;
  readonly #values: readonly string[];
  readonly #table: Table;

  constructor(line: number, values: readonly string[], table: Table) {
    this.line = line;
    this.#values = values;
    this.#table = table;
  }

  /** The value of the first of these columns that the table has, trimmed; "" if it has none of them. */
  get(...names: string[]): string {
    const place = this.#table.place(names);
    return place === undefined ? "" : (this.#values[place] ?? "").trim();
  }

  at(place: number): string {
    return (this.#values[place] ?? "").trim();
  }
}

/** A table with a row of column names, in which capitals don't matter. */
export class Table {
  readonly columns: readonly string[];
  readonly rows: Row[] = [];
  readonly #places = new Map<string, number>();
  readonly #used = new Set<number>();

  constructor(columns: readonly string[]) {
    this.columns = columns.map((name) => name.trim());
    for (const [place, name] of this.columns.entries()) {
      const key = name.toLowerCase();
      if (!this.#places.has(key)) this.#places.set(key, place);
    }
  }

  has(...names: string[]): boolean {
    return names.some((name) => this.#places.has(name.toLowerCase()));
  }

  /** Where the first of these columns is; it then counts as used. */
  place(names: readonly string[]): number | undefined {
    for (const name of names) {
      const place = this.#places.get(name.toLowerCase());
      if (place === undefined) continue;
      this.#used.add(place);
      return place;
    }
    return undefined;
  }

  /** The columns that nobody has asked for and that have values. */
  unused(): string[] {
    return this.columns.filter(
      (name, place) => name !== "" && !this.#used.has(place) && this.rows.some((row) => row.at(place) !== ""),
    );
  }
}

/** A description of that length is no text of a shop; a quote that isn't closed would make one of the rest of the file. */
const LONGEST_ROW = 2_000_000;

/**
 * The text of a file in UTF-8, or in UTF-16 as spreadsheets write it.
 *
 * @throws ContentError for any other, since nobody can tell one old encoding from another
 */
export function decode(bytes: Buffer): string {
  if (bytes.subarray(0, 2).toString("latin1") === "PK")
    throw new ContentError("This is a spreadsheet or an archive. Save the table as “CSV UTF-8”.");
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  if (isUtf8(bytes)) {
    const text = new TextDecoder().decode(bytes);
    if (text.includes("\0")) throw new ContentError("This isn't a text file. Export the catalogue as CSV.");
    return text;
  }
  const lines = bytes.toString("latin1").split("\n");
  const line = 1 + lines.findIndex((each) => !isUtf8(Buffer.from(each, "latin1")));
  throw new ContentError(`Line ${line} has letters that aren't in UTF-8. Save the file as “CSV UTF-8”.`);
}

/**
 * Reads CSV with commas, semicolons or tabs, whichever its first line has most of.
 *
 * @throws ContentError where it isn't a table
 */
export function readTable(text: string): Table {
  const delimiter = separatorOf(text);
  const read: { table?: Table } = {};
  let last = 0;
  try {
    parse(text, {
      ...{ delimiter, skip_empty_lines: true, relax_column_count_less: true, max_record_size: LONGEST_ROW },
      // Google's feeds aren't quoted.
      ...(delimiter === "\t" && !/(?:^|\t)"/m.test(text) && { quote: null }),
      onRecord: (values: string[], { lines }: { lines: number }) => {
        const { table } = read;
        if (table === undefined) read.table = new Table(values);
        else if (values.some((value) => value !== "")) table.rows.push(new Row(last + 1, values, table));
        last = lines;
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new ContentError(csvProblem(error, last + 1));
  }
  if (read.table === undefined) throw new ContentError("The file is empty.");
  return read.table;
}

function csvProblem(error: CsvError, line: number): string {
  switch (error.code) {
    case "CSV_MAX_RECORD_SIZE":
      return `The row that starts in line ${line} is longer than ${LONGEST_ROW.toLocaleString("en")} characters. Is a quote in it not closed?`;
    case "CSV_QUOTE_NOT_CLOSED":
      return `A quote in the row that starts in line ${line} isn't closed. Nothing after it can be read.`;
    case "CSV_RECORD_INCONSISTENT_COLUMNS":
    case "CSV_RECORD_INCONSISTENT_FIELDS_LENGTH":
      return `The row that starts in line ${line} has more values than there are columns. Is a value with a comma or a line break not in quotes?`;
    default:
      return `The row that starts in line ${line} has a quote inside a value. Put the whole value in quotes, and write each quote in it twice.`;
  }
}

function separatorOf(text: string): string {
  const counts = new Map([...",;\t"].map((sign) => [sign, 0]));
  let isQuoted = false;
  for (const sign of text.slice(0, 100_000)) {
    if (sign === '"') isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (sign === "\n" || sign === "\r") break;
    const count = counts.get(sign);
    if (count !== undefined) counts.set(sign, count + 1);
  }
  const [[separator = ","] = []] = [...counts].sort(([, a], [, b]) => b - a);
  return separator;
}
