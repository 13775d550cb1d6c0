import { CsvError, parse } from "csv-parse/sync";
import { utf8Length } from "../../api/contract/patterns.ts";

/** An address as nginx looks it up: decoded once, in NFC, without /index.php and a slash at the end. The home page is "". */
export interface OldAddress {
  path: string;
  /** Names and values that must be in a request's query, in any order. */
  query: readonly (readonly [string, string])[];
}

/** A row of content/redirects.csv: where an old address leads, as it is written; "" if it is gone for good. */
export interface Redirect {
  line: number;
  /** As it is written. */
  written: string;
  from: OldAddress;
  to: string;
}

/** What is wrong with a line of the file, in whole sentences. */
export interface RowProblem {
  line: number;
  message: string;
}

/** In content/. */
export const REDIRECTS_FILE = "redirects.csv";

/** What nginx reads (nginx/moved.js): bytes of a path and of a query. */
const LONGEST = 1000;
const LONGEST_QUERY = 1500;

/** Reads the text of redirects.csv. A row with a problem isn't among the redirects. */
export function parseRedirects(text: string): { redirects: Redirect[]; problems: RowProblem[] } {
  const lines = text.split("\n");
  const head = (lines[0] ?? "").trim();
  if (!/^"?from"? *, *"?to"?$/.test(head))
    return { redirects: [], problems: [{ line: 1, message: headProblem(head) }] };
  // An address has no line break, so a quote that is still open is missing its end; the parser would take the rest for it.
  const open = lines.findIndex((each) => each.split('"').length % 2 === 0);
  if (open >= 0)
    return {
      redirects: [],
      problems: [{ line: open + 1, message: "A quote is open at the end of this line. Close or delete it." }],
    };
  const { rows, problems } = readRows(text);
  const redirects: Redirect[] = [];
  for (const { line, row } of rows.slice(1)) {
    const [written = "", to = ""] = row;
    const from = row.length === 2 ? readAddress(written) : columnsProblem(row);
    if (typeof from === "string") problems.push({ line, message: from });
    else redirects.push({ line, written, from, to });
  }
  return { redirects, problems };
}

function headProblem(head: string): string {
  if (/^"?from"?\s*[;\t]\s*"?to"?$/.test(head))
    return "Columns must be separated by commas. Save the table as “CSV (comma delimited)”, or replace the separators: `from,to`.";
  return `The first line must be \`from,to\`, and it is \`${head.slice(0, 60)}\`.`;
}

function columnsProblem(row: readonly string[]): string {
  if (row.length > 2)
    return `This row has ${row.length} columns instead of two. Put an address that has a comma in quotes: \`"/a,b",/new\`.`;
  if (/[;\t]/.test(row[0] ?? "")) return "Columns must be separated by commas: `/old,/new`.";
  return "The comma is missing. Write `/old,/new`, or `/old,` for a page that is gone.";
}

/** The rows up to the first that isn't CSV, with their lines. */
function readRows(text: string): { rows: { line: number; row: string[] }[]; problems: RowProblem[] } {
  const rows: { line: number; row: string[] }[] = [];
  try {
    parse(text, {
      ...{ relax_column_count: true, skip_empty_lines: true, trim: true },
      onRecord: (row: string[], { lines }: { lines: number }) => {
        rows.push({ line: lines, row });
        return null;
      },
    });
    return { rows, problems: [] };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = Number(error["lines"]);
    return {
      rows,
      problems: [
        {
          line,
          message:
            'A quote stands inside a column. Put the whole column in quotes, and write each quote in it twice: `"/a""b",/new`.',
        },
      ],
    };
  }
}

/** `https://old.example/a`, `www.old.example`, `old.example/a`; a file such as `a.html/b` isn't a host. */
const withHost =
  /^(?:(?:https?:)?\/\/[^/?#]*|www\.[^/?#]*|[^/?#\s]+\.(?!(?:html?|php|aspx?|jsp|cgi)\/)[a-z]{2,}(?=\/))(.*)$/i;

/** Reads an old address. Returns what is wrong with it, if it can't be one. */
export function readAddress(written: string): OldAddress | string {
  if (written === "") return "The old address is missing. Write its path, or delete the line: `/old,/new`.";
  const [, elsewhere] = withHost.exec(written) ?? [];
  if (elsewhere !== undefined) return `Write an old address without its host: \`${elsewhere || "/"}\`.`;
  if (!written.startsWith("/")) return `An old address starts with a slash: \`/${written.slice(0, 60)}\`.`;
  if (written.includes("#"))
    return `Browsers don't send what follows #. Write \`${written.slice(0, written.indexOf("#"))}\`.`;
  const at = written.indexOf("?");
  const before = at < 0 ? written : written.slice(0, at);
  const decoded = decode(before);
  const parameters =
    at < 0
      ? []
      : written
          .slice(at + 1)
          .split("&")
          .filter(Boolean);
  const query = parameters.map((parameter) => {
    const [name = "", ...value] = parameter.replaceAll("+", " ").split("=");
    return [decode(name), decode(value.join("="))] as const;
  });
  if (decoded === undefined || query.some((pair) => pair.includes(undefined)))
    return "A % isn't followed by two hexadecimal digits of a letter in UTF-8. Write the letter itself, or %25 for a percent sign.";
  const path = decoded
    .replaceAll(/\/+/g, "/")
    .replace(/^(?:\/index\.php)+(?=\/|$)/, "")
    .replace(/\/$/, "");
  if (/\/\.|[\p{Cc}\\]|^\/_(?:astro|error|version|home|search)(?:\/|$)/u.test(path))
    return "No visitor gets to such an address: a part of it starts with a dot, or it has a control character or a backslash. Delete the line.";
  if (utf8Length(path) > LONGEST) return `The path has ${utf8Length(path)} bytes, and the limit is ${LONGEST}.`;
  const length = written.length - at;
  if (at >= 0 && length > LONGEST_QUERY)
    return `The query has ${length} characters, and the limit is ${LONGEST_QUERY}.`;
  if (path === "" && query.length === 0)
    return "The home page is always at `/`. Only addresses with a parameter can lead elsewhere: `/?p=12`.";
  return { path, query: query as [string, string][] };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text).normalize("NFC");
  } catch {
    return undefined;
  }
}

/** One text for each address. */
export const keyOf = ({ path, query }: OldAddress): string => [path, ...query.map(writeParameter).sort()].join("\n");

/** A parameter as nginx compares it (nginx/moved.js). */
export const writeParameter = ([name, value]: readonly [string, string]): string =>
  `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
