// Of vitest.config.ts: has what each file starts noted in a ledger of its own, in the folder that run.ts names.
import { mkdirSync } from "node:fs";
import { join, relative } from "node:path";
import { beforeAll, beforeEach, expect } from "vitest";

const { TEST_LEDGERS: ledgers } = process.env;

if (ledgers) {
  process.env["NODE_OPTIONS"] = `--import=${new URL("count-process.ts", import.meta.url)}`;
  beforeAll(() => {
    const file = relative(join(import.meta.dirname, ".."), expect.getState().testPath ?? "");
    mkdirSync(ledgers, { recursive: true });
    process.env["TEST_COSTS"] = join(ledgers, encodeURIComponent(file));
    process.env["TEST_CASE"] = "";
  });
  // Of cases that run side by side, the one that began last.
  beforeEach(({ task }) => {
    process.env["TEST_CASE"] = task.name.replaceAll(/\s+/g, " ");
  });
}
