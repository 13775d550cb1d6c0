import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

/** A machine without apt, where an earlier run has unpacked a package of each kind. */
function keptWithoutApt() {
  const folder = mkdtempSync(join(tmpdir(), "twinfront-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const cache = join(folder, `twinfront-debian-${userInfo().uid}`);
  for (const name of ["twinfront-probe_1.0", "mysql-server-core_9.0"]) {
    mkdirSync(join(cache, name, "usr/bin"), { recursive: true, mode: 0o755 });
    writeFileSync(join(cache, name, "usr/bin/twinfront-probe"), "");
  }
  return { folder, cache };
}

function evaluate(folder: string, expression: string) {
  const program = `
    const { debianEnvironment, debianProgram } = await import("./debian-program.ts");
    const { findMysql } = await import("./mysql-server.ts");
    console.log(await ${expression});
  `;
  return spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: join(import.meta.dirname, ".."),
    env: { PATH: folder, TMPDIR: folder, CI: "true" },
    encoding: "utf8",
  });
}

const PROGRAM = `debianProgram("twinfront-probe", "usr/bin/twinfront-probe")`;
const ENTRIES = [PROGRAM, `debianEnvironment("twinfront-probe").PATH`, "findMysql()"];

test("where no mirror answers, what was used last is used again", () => {
  const { folder, cache } = keptWithoutApt();
  const [program, environment, mysql] = ENTRIES.map((entry) => evaluate(folder, entry).stdout.trim());
  expect(program).toMatch(/\/lists-\w+\/twinfront-probe\/usr\/bin\/twinfront-probe$/);
  expect(environment).toMatch(/\/lists-\w+\/twinfront-probe\/usr\/bin$/);
  expect(mysql).toBe(join(cache, "mysql-server-core_9.0"));
});

test("nothing is run from a folder that others may write to, or that is a link", () => {
  const { folder, cache } = keptWithoutApt();
  expect(evaluate(folder, PROGRAM).status).toBe(0);
  const refused = ENTRIES.map(() => `Error: ${cache} isn't a folder that only you can write to. Remove it.`);
  const refusals = () => ENTRIES.map((entry) => /^Error: .*/m.exec(evaluate(folder, entry).stderr)?.[0]);
  chmodSync(cache, 0o777);
  expect(refusals()).toEqual(refused);
  chmodSync(cache, 0o755);
  renameSync(cache, join(folder, "elsewhere"));
  symlinkSync("elsewhere", cache);
  expect(refusals()).toEqual(refused);
});
