// `npm run bench [-- web pages api search buying build start large changes publish refresh]`: measures what we promise, and compares it with others.
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, loadavg, totalmem } from "node:os";
import { join } from "node:path";
import { cleanUpOnSignals, runCleanups } from "../cleanup.ts";
import { benchApi } from "./api/api.ts";
import { benchBuild, benchChanges, benchLarge } from "./build/build.ts";
import { benchBuying } from "./buying/buying.ts";
import { benchPages } from "./pages.ts";
import { drawPlot } from "./plot.ts";
import { benchPublish } from "./publish.ts";
import { benchRefresh } from "./refresh.ts";
import { benchSearch } from "./search.ts";
import { benchStart } from "./start.ts";
import { type Findings, figuresOf, formatTable, median, meetsBar, type Row } from "./table.ts";
import { benchWeb } from "./web/web.ts";

const PARTS: Readonly<Record<string, () => Promise<Findings>>> = {
  web: benchWeb,
  pages: benchPages,
  api: benchApi,
  search: benchSearch,
  buying: benchBuying,
  build: benchBuild,
  start: benchStart,
};

/** Parts that run only if they are named. */
const LONG: typeof PARTS = { large: benchLarge, changes: benchChanges, publish: benchPublish, refresh: benchRefresh };

const RESULTS = join(import.meta.dirname, "results");

const signalExitCode = cleanUpOnSignals();

/** The named parts, in the order of PARTS; all but the long ones if none is named. */
function chooseParts(names: readonly string[]) {
  const all = { ...PARTS, ...LONG };
  const unknown = names.filter((name) => !Object.hasOwn(all, name));
  if (unknown.length > 0)
    throw new Error(`Unknown part: ${unknown.join(", ")}. Choose from ${Object.keys(all).join(", ")}.`);
  return Object.entries(names.length === 0 ? PARTS : all).filter(
    ([name]) => names.length === 0 || names.includes(name),
  );
}

/** Runs a part, prints its table and writes its results. Returns whether it reached every bar. */
async function runPart(name: string, run: () => Promise<Findings>): Promise<boolean> {
  console.log(`\n${name}\n`);
  const { rows, plots = [] } = await run();
  console.log(`\n${formatTable(rows)}`);
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(join(RESULTS, `${name}.json`), `${JSON.stringify(describe(rows), null, 2)}\n`);
  for (const plot of plots) writeFileSync(join(RESULTS, `${plot.name}.svg`), drawPlot(plot));
  return rows.every((row) => meetsBar(row) !== false);
}

function describe(rows: readonly Row[]) {
  const machine = {
    processor: cpus()[0]?.model,
    cores: cpus().length,
    memoryMb: Math.round(totalmem() / 1e6),
    node: process.version,
    load: loadavg()[0],
  };
  const judge = (row: Row) => ({ ...row, median: median(figuresOf(row)), reached: meetsBar(row) });
  return { measured: new Date().toISOString(), machine, rows: rows.map(judge) };
}

/** Runs the chosen parts. A part that fails counts as a missed bar; the others still run. */
async function runAll(): Promise<boolean> {
  let reached = true;
  for (const [name, run] of chooseParts(process.argv.slice(2))) {
    if (signalExitCode() !== undefined) return false;
    try {
      reached = (await runPart(name, run)) && reached;
    } catch (error) {
      reached = false;
      if (signalExitCode() === undefined) complain(error);
    } finally {
      // Processes of one part would slow the next.
      await runCleanups();
    }
  }
  console.log("\nThe figures of each round, and the plots, are in test/bench/results/.\n");
  return reached;
}

const complain = (error: unknown) => console.error(`\n${error instanceof Error ? error.message : error}\n`);

let reached = false;
try {
  reached = await runAll();
} catch (error) {
  complain(error);
}
process.exit(signalExitCode() ?? (reached ? 0 : 1));
