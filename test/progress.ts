import { appendFileSync } from "node:fs";
import { relative } from "node:path";
import type { Reporter, TestModule } from "vitest/node";
import { ledgerOf } from "./costs/ledgers.ts";

/** vitest's reporter of `run.ts`: a line for each file that has ended. Why a test failed, vitest's own `minimal` says. */
export default class Progress implements Reporter {
  onTestModuleEnd(module: TestModule): void {
    const seconds = (module.diagnostic().duration / 1000).toFixed(1);
    const file = relative(import.meta.dirname, module.moduleId);
    console.log(`  ${module.ok() ? "✓" : "✗"} ${seconds.padStart(6)} s  ${file}`);
    const { TEST_LEDGERS: ledgers } = process.env;
    if (ledgers) appendFileSync(ledgerOf(ledgers, module.moduleId), `seconds\t${seconds}\n`);
  }
}
