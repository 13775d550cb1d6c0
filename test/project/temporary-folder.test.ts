import { spawnSync } from "node:child_process";
import { existsSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder, removeAbandoned } from "../temporary-folder.ts";

test("a folder of a run that was killed is removed by the next one, and that of a running one isn't", () => {
  const program = `
    const { makeFolder } = await import("./temporary-folder.ts");
    process.stdout.write(makeFolder("twinfront it's-"), () => process.kill(process.pid, "SIGKILL"));
  `;
  const { stdout: left, signal } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: join(import.meta.dirname, ".."),
    encoding: "utf8",
  });
  const own = makeFolder("twinfront it's-");
  expect([signal, existsSync(left)]).toEqual(["SIGKILL", true]);
  removeAbandoned();
  expect([existsSync(left), existsSync(own)]).toEqual([false, true]);
  rmdirSync(own);
});
