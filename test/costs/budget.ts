import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Measured } from "./ledgers.ts";
import { COSTS, type Cost } from "./note.ts";

const BUDGET = join(import.meta.dirname, "budget.json");

/** What a file may cost, and about how many seconds it takes where nothing else runs; nothing where it costs nothing. */
type Allowed = Partial<Record<Cost, number>> & { seconds?: number };

const readBudget = (): Record<string, Allowed> => JSON.parse(readFileSync(BUDGET, "utf8"));

/** Says of each file that cost more of something than it may what, and what to do. A count, unlike a time, is the same on any machine. */
export function judgeCosts(measured: readonly Measured[]): string[] {
  const budget = readBudget();
  return measured.flatMap(({ file, costs }) =>
    COSTS.flatMap((cost) => {
      const [count = 0, allowed = 0] = [costs[cost], budget[file]?.[cost]];
      if (count <= allowed) return [];
      return `${file}: ${count} ${cost}, more than the ${allowed} of test/costs/budget.json. Make it cheaper, or run with --keep-costs and say in the commit what it's worth.`;
    }),
  );
}

/** Processes that vary a little from run to run, since some tests ask a program until it answers as wanted. */
const roundUp = (cost: Cost, count: number) => (cost === "processes" ? Math.ceil(count * 1.1) + 1 : count);
/** Seconds only order the files, so that most runs leave them as they are. */
const roughly = (seconds: number) => 2 ** Math.round(Math.log2(seconds));

/** Makes what the files cost now what they may cost; others keep what they had, unless they are gone. */
export function keepCosts(measured: readonly Measured[]): void {
  const budget = new Map(Object.entries(readBudget()));
  for (const { file, seconds, costs } of measured) {
    const counts = COSTS.filter((cost) => costs[cost]).map((cost) => [cost, roundUp(cost, costs[cost] ?? 0)]);
    budget.set(file, { ...Object.fromEntries(counts), ...(seconds >= 2 && { seconds: roughly(seconds) }) });
  }
  const kept = [...budget].filter(
    ([file, allowed]) => existsSync(join(import.meta.dirname, "..", file)) && Object.keys(allowed).length > 0,
  );
  const lines = kept
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map((entry) => `  ${entry.map((part) => JSON.stringify(part)).join(": ")}`);
  writeFileSync(BUDGET, `{\n${lines.join(",\n")}\n}\n`);
}

/** About how many seconds each file takes; 0 of one that isn't listed, which starts nothing. */
export function secondsOf(): (file: string) => number {
  const budget = readBudget();
  return (file) => budget[file]?.seconds ?? 0;
}
