import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { carryOut } from "../../../site/catalogue-import/carry-out.ts";
import { readTarget } from "../../../site/catalogue-import/export-rows.ts";
import { readExport } from "../../../site/catalogue-import/formats/read-export.ts";
import { openMemory } from "../../../site/catalogue-import/memory.ts";
import { openPictures } from "../../../site/catalogue-import/pictures.ts";
import { makePlan } from "../../../site/catalogue-import/plan.ts";
import { checkContent } from "../../../site/content-check/check.ts";

/** What an import of a file would do. */
export function plan(root: string, text: string | Uint8Array, { update = false, pictures = "" } = {}) {
  const file = join(root, "export.csv");
  writeFileSync(file, text);
  const { content, shop, target } = readTarget(root);
  const stop = new AbortController();
  const importing = {
    ...{ content, shop, update, memory: openMemory(root) },
    pictures: openPictures(pictures || undefined, stop.signal),
  };
  return { importing, stop, plan: makePlan(readExport(file, target), importing) };
}

/** Imports a file. Returns what was planned and done. */
export async function importText(
  root: string,
  text: string | Uint8Array,
  options: { update?: boolean; pictures?: string } = {},
) {
  const { importing, stop, plan: planned } = plan(root, text, options);
  const done = await carryOut(root, planned, importing, { stop: stop.signal, report: () => {} });
  return { plan: planned, done };
}

/** Every file of content/ with its bytes, and what imports remember. */
export const snapshot = (root: string): Record<string, string> =>
  Object.fromEntries(
    globSync(["content/**/*", ".imported.jsonl"], { cwd: root, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => [
        join(entry.parentPath, entry.name).slice(root.length + 1),
        readFileSync(join(entry.parentPath, entry.name), "latin1"),
      ]),
  );

/** The errors of the check, one line each. */
export const errorsOf = async (root: string): Promise<string[]> =>
  (await checkContent(root)).filter(({ isWarning }) => !isWarning).map(({ file, message }) => `${file}: ${message}`);

/** A table as CSV, of rows by their columns. */
export function csv(rows: readonly Record<string, string>[], separator = ","): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ""))];
  return lines.map((line) => `${line.map(cell).join(separator)}\n`).join("");
}
