import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bareEnvironment } from "../bare-environment.ts";

// The other tests run on the shops in fixtures/, so an edit of content/ can only fail here.
test("npm run check:content finds no mistake in this project's content/", () => {
  const command = join(import.meta.dirname, "../../site/commands/check-content.ts");
  const { status, stderr } = spawnSync(process.execPath, [command], { encoding: "utf8", env: bareEnvironment() });
  expect(status, stderr).toBe(0);
});
