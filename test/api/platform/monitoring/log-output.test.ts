import { execFileSync } from "node:child_process";
import { closeSync, openSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeFolder } from "../../../temporary-folder.ts";

const LOG = new URL("../../../../api/platform/monitoring/log.ts", import.meta.url).href;
const line = (name: string, length: number) => `${JSON.stringify(name.padEnd(length, "."))}\n`;

test("a line that a full disk has cut doesn't take the next one with it", () => {
  const folder = makeFolder("log-test");
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "log");
  const file = openSync(path, "a");
  const writes = [line("first", 600), line("cut", 600), line("left out", 600)];
  const script = `import { standardOutput as log } from "${LOG}"; import { ftruncateSync } from "node:fs";
    for (const line of ${JSON.stringify(writes)}) log.write(line);
    ftruncateSync(1, 700); log.write(${JSON.stringify(line("with room again", 100))}); log.write(${JSON.stringify(line("last", 90))});`;
  // A file that may have 1,000 bytes is written as one on a disk that has no more.
  const args = ["--fsize=1000", process.execPath, "--input-type=module", "-e", script];
  execFileSync("prlimit", args, { stdio: ["ignore", file, "inherit"] });
  closeSync(file);
  const [first, cut, ...others] = readFileSync(path, "utf8").trimEnd().split("\n");
  expect(`${first}\n`).toBe(writes[0]);
  expect(cut).toMatch(/^"cut\.+$/);
  expect(others).toEqual([line("with room again", 100).trim(), line("last", 90).trim()]);
});
