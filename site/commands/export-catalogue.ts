// `npm run export:catalogue`, as USAGE says.
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { readArguments } from "../../api/read-arguments.ts";
import { exportCatalogue } from "../catalogue-import/export-rows.ts";
import { openContentRoot } from "../content-repository/content-root.ts";
import { ContentError } from "../content-schema/content-error.ts";

const USAGE = `Usage: npm run export:catalogue [-- FILE]

Writes all products of content/ as a table (CSV), a row for each version, for import:catalogue; without FILE to the terminal.`;

const { positionals } = readArguments(USAGE, {}, [0, 1]);
const [file] = positionals;
try {
  const { csv, products } = exportCatalogue(openContentRoot(join(import.meta.dirname, "..", "..")));
  if (file === undefined) process.stdout.write(csv);
  else {
    writeFileSync(resolve(process.env["INIT_CWD"] ?? ".", file), csv);
    console.log(`${products.toLocaleString("en")} products are in ${file}.`);
  }
} catch (error) {
  if (!(error instanceof ContentError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
