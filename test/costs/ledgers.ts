import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { COSTS, type Cost } from "./note.ts";

const TEST = join(import.meta.dirname, "..");

/** What a file cost in a run. `file` is its path in test/. */
export interface Measured {
  file: string;
  seconds: number;
  costs: Partial<Record<Cost, number>>;
}

/** The file of `folder` in which the costs of the test file at `path` are noted, a line each. */
export function ledgerOf(folder: string, path: string): string {
  mkdirSync(folder, { recursive: true });
  return join(folder, encodeURIComponent(relative(TEST, path)));
}

/** What all ledgers of a folder say. */
export function readLedgers(folder: string): Measured[] {
  return readdirSync(folder).map((name) => {
    const lines = readFileSync(join(folder, name), "utf8").split("\n");
    const counts = COSTS.map((cost) => [cost, lines.filter((line) => line.startsWith(`${cost}\t`)).length] as const);
    const [, seconds = 0] = lines.map((line) => /^seconds\t(.*)/.exec(line)).find(Boolean) ?? [];
    return {
      file: decodeURIComponent(name),
      seconds: Number(seconds),
      costs: Object.fromEntries(counts.filter(([, count]) => count > 0)),
    };
  });
}
