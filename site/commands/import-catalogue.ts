// `npm run import:catalogue`, as USAGE says.

import { join, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { readArguments } from "../../api/read-arguments.ts";
import { takeLock } from "../build/lock.ts";
import { carryOut, type Done, PIECES_FILE } from "../catalogue-import/carry-out.ts";
import { readTarget } from "../catalogue-import/export-rows.ts";
import { readExport } from "../catalogue-import/formats/read-export.ts";
import { hashOf, MEMORY_FILE, openMemory } from "../catalogue-import/memory.ts";
import { openPictures } from "../catalogue-import/pictures.ts";
import { makePlan, type Plan } from "../catalogue-import/plan.ts";
import { count, describePlan, REPORT_FILE } from "../catalogue-import/report.ts";
import { openContentRoot } from "../content-repository/content-root.ts";
import { ContentError } from "../content-schema/content-error.ts";

const USAGE = `Usage: npm run import:catalogue -- FILE [--pictures FOLDER] [--update] [--yes]

Brings products of another shop into content/: Shopify's or WooCommerce's CSV, Google's feed, or a table as export:catalogue
writes it. Says what it would do, and asks.

  --pictures FOLDER  takes pictures from there, and fetches only those that aren't in it
  --update           also changes files that somebody has edited since they were imported, or that no import wrote
  --yes              doesn't ask`;

const PROGRESS_MS = 200;

/** A line that changes in a terminal; one in 500 products elsewhere. */
function progressOf({ products }: Plan): (done: Done) => void {
  let last = 0;
  return (done) => {
    const text = `${done.products.toLocaleString("en")} of ${products.length.toLocaleString("en")} products, ${done.pictures.toLocaleString("en")} pictures`;
    if (process.stderr.isTTY) {
      if (Date.now() - last < PROGRESS_MS && done.products < products.length) return;
      last = Date.now();
      process.stderr.write(`\r${text}${done.products === products.length ? "\n" : ""}`);
    } else if (done.products % 500 === 0) console.error(text);
  };
}

async function goesOn(): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^(y|yes)$/i.test((await terminal.question("\nGo on? [y/N] ")).trim());
  } finally {
    terminal.close();
  }
}

interface Options {
  pictures?: string | undefined;
  update?: boolean | undefined;
  yes?: boolean | undefined;
}

async function run(file: string, { pictures, update, yes }: Options): Promise<void> {
  const root = openContentRoot(join(import.meta.dirname, "..", ".."));
  if (!(await takeLock(`import-${hashOf(root)}`)))
    throw new ContentError("Another import is running. Wait until it ends.");
  const stop = new AbortController();
  const { content, shop, target } = readTarget(root);
  const fromHere = (path: string) => resolve(process.env["INIT_CWD"] ?? ".", path);
  const importing = {
    ...{ content, shop, update: update === true, memory: openMemory(root) },
    pictures: openPictures(pictures === undefined ? undefined : fromHere(pictures), stop.signal),
  };
  const plan = makePlan(readExport(fromHere(file), target), importing);
  console.log(describePlan(plan, { includesTax: shop.prices_include_tax }).join("\n"));
  if (plan.products.length === 0) {
    console.log("\nThere is nothing to write.");
    if (plan.leftOut.length > 0 && plan.unchanged === 0) process.exitCode = 1;
    return;
  }
  if (!yes && !process.stdin.isTTY) {
    console.log("\nNothing was written. Add --yes to do it.");
    return;
  }
  if (!yes && !(await goesOn())) {
    console.log("Nothing was written.");
    return;
  }
  process.once("SIGINT", () => stop.abort());
  process.once("SIGTERM", () => stop.abort());
  const done = await carryOut(root, plan, importing, { stop: stop.signal, report: progressOf(plan) });
  say(root, plan, done);
  if (stop.signal.aborted) {
    console.log("Stopped. The same command goes on.");
    process.exitCode = 130;
  }
}

function say(root: string, plan: Plan, done: Done): void {
  const { products, pictures, redirects, lost, pieces } = done;
  console.log(`
Written: ${count(products, "product")}, ${count(pictures, "new picture")}, ${count(redirects, "new row")} in redirects.csv.
Left out: ${count(plan.leftOut.length, "product")}. Pictures changed or left out: ${lost.length.toLocaleString("en")}.
All names and reasons: ${resolve(root, REPORT_FILE)}`);
  if (pieces > 0)
    console.log(`The pieces on the shelf: npm run stock -- read ${resolve(root, PIECES_FILE)}, when the shop runs.`);
  console.log(
    `\nNext: npm run check:content, and commit content/ with ${MEMORY_FILE}, by which the next import knows these products.`,
  );
}

const { positionals, values } = readArguments(
  USAGE,
  { pictures: { type: "string" }, update: { type: "boolean" }, yes: { type: "boolean" } },
  [1],
);
try {
  await run(positionals[0] ?? "", values);
} catch (error) {
  if (!(error instanceof ContentError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
