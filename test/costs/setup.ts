// Of vitest.config.ts: has what each file starts noted in a ledger of its own, in the folder that run.ts names.
import { beforeEach, expect } from "vitest";
import { ledgerOf } from "./ledgers.ts";

const { TEST_LEDGERS: ledgers } = process.env;

// It runs for each file, before any hook of the file.
if (ledgers) {
  process.env["NODE_OPTIONS"] = `--import=${new URL("count-process.ts", import.meta.url)}`;
  process.env["TEST_COSTS"] = ledgerOf(ledgers, expect.getState().testPath ?? "");
  process.env["TEST_CASE"] = "";
  // Of cases that run side by side, the one that began last.
  beforeEach(({ task }) => {
    process.env["TEST_CASE"] = task.name.replaceAll(/\s+/g, " ");
  });
} else {
  // Of whoever runs the tests, or of a file of another project in this process.
  delete process.env["TEST_COSTS"];
}
