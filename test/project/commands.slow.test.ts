import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { bareEnvironment } from "../bare-environment.ts";

const ROOT = join(import.meta.dirname, "..", "..");

test.each([
  ["start", "nginx/local/start.ts", [["--port", "8081"], ["--help"]]],
  ["dev", "nginx/local/dev.ts", [["--help"]]],
  ["build", "site/commands/build.ts", [["--help"], ["3"]]],
  ["check:content", "site/commands/check-content.ts", [["--help"]]],
  ["migrate", "api/commands/migrate.ts", [["--help"]]],
  ["import", "api/commands/import.ts", [["--help"], ["a", "b", "c"]]],
  ["openapi", "api/commands/openapi.ts", [["--help"]]],
  ["content:pull", "nginx/local/pull-content.ts", [["--help"]]],
  ["doctor", "nginx/production/doctor.ts", [["x"]]],
  ["install:host", "nginx/production/install-host.ts", [["--help"], ["write"]]],
  ["release", "nginx/release/release.ts", [["--help"], ["--if-chnaged"]]],
  ["rollback", "nginx/release/rollback.ts", [["3"]]],
  ["nginx", "nginx/write-configuration.ts", [["--help"], [], [""], ["a", "b"]]],
])("npm %s with a wrong argument says how it's used, and does nothing", (name, program, wrong) => {
  const folder = mkdtempSync(join(tmpdir(), "twinfront-command-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const args of wrong) {
    const options = { cwd: folder, env: { ...bareEnvironment(), DATA_DIR: join(folder, "data") } };
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, program), ...args], options);
    const usage = expect.stringMatching(new RegExp(`^\\n?Usage: npm (?:run )?${name}\\b`));
    expect([args, status, `${stdout}`, `${stderr}`]).toEqual([args, 1, "", usage]);
  }
  expect(readdirSync(folder)).toEqual([]);
});
