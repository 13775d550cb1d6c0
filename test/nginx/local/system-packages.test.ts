import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { ensureSystemPackages, runApt } from "../../../nginx/local/system-packages.ts";

test("without root, missing system packages stop the start with the command to run", () => {
  const getuid = process.getuid;
  process.getuid = () => 1000;
  try {
    expect(() => ensureSystemPackages(["no-such-package"])).toThrow(
      "sudo apt-get install -y --no-install-recommends no-such-package",
    );
  } finally {
    if (getuid) process.getuid = getuid;
  }
});

test("if apt-get fails, the start stops with what to check and the command to run", () => {
  const bin = mkdtempSync(join(tmpdir(), "twinfront-bin-"));
  onTestFinished(() => rmSync(bin, { recursive: true }));
  writeFileSync(join(bin, "apt-get"), "#!/bin/sh\nexit 100\n", { mode: 0o755 });
  vi.stubEnv("PATH", bin);
  onTestFinished(() => void vi.unstubAllEnvs());
  const install = "apt-get install -y --no-install-recommends nginx";
  expect(() => runApt(["install", "-y", "nginx"], install)).toThrow(
    new RegExp(`\`apt-get install\` failed \\(exit 100\\).*Debian mirrors.*\\n\\n {2}apt-get update && ${install}$`),
  );
});
