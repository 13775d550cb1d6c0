import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

/** What findMysql() answers on a machine that has no apt and hasn't unpacked anything yet. */
function findWithoutApt(ci: string) {
  const folder = mkdtempSync(join(tmpdir(), "twinfront-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of ["setpriv", "sh"]) symlinkSync(`/usr/bin/${name}`, join(folder, name));
  const program = `
    const { findMysql } = await import("./mysql-server.ts");
    console.log(await findMysql());
  `;
  return spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: join(import.meta.dirname, ".."),
    env: { PATH: folder, TMPDIR: folder, CI: ci },
    encoding: "utf8",
  });
}

const CANNOT = "Debian's mysql-server-core of sid can't be had here";
const REASON = "Asking apt for its mirrors failed (exit 127).";

test("where MySQL can't be had, its tests are skipped and say why, but fail where CI is set", () => {
  const { status, stdout } = findWithoutApt("");
  expect([status, stdout.split("\n")[0], stdout.split("\n").at(-2)]).toEqual([
    0,
    `${CANNOT}: the tests on MySQL are skipped. ${REASON}`,
    "undefined",
  ]);
  const inCi = findWithoutApt("true");
  expect([inCi.status, inCi.stdout]).toEqual([1, ""]);
  expect(inCi.stderr).toContain(`Error: ${CANNOT}, and CI is set. ${REASON}`);
});
