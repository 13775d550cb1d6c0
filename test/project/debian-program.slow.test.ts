import { expect, onTestFinished, test, vi } from "vitest";
import { debianProgram } from "../debian-program.ts";

test("a program that Debian doesn't have skips its tests and says so, but fails them where CI is set", () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  const said = vi.spyOn(console, "log").mockImplementation(() => undefined);
  onTestFinished(() => said.mockRestore());
  vi.stubEnv("CI", "");
  expect(debianProgram("no-such-package", "usr/bin/no-such-program")).toBeUndefined();
  expect(said.mock.lastCall).toEqual(["The Debian package no-such-package can't be had here: its tests are skipped."]);
  vi.stubEnv("CI", "true");
  expect(() => debianProgram("no-such-package", "usr/bin/no-such-program")).toThrow(
    "The Debian package no-such-package can't be had here, and CI is set.",
  );
});
