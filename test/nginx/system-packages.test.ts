import { expect, test } from "vitest";
import { ensureSystemPackages } from "../../nginx/local/system-packages.ts";

test("missing system packages are named in one line to run, by whoever is not root", () => {
  const getuid = process.getuid;
  process.getuid = () => 1000;
  try {
    expect(() => ensureSystemPackages({ "no-such-package": () => false })).toThrow(
      "sudo apt-get install -y --no-install-recommends no-such-package",
    );
  } finally {
    if (getuid) process.getuid = getuid;
  }
});
