import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { endedWith } from "../../../nginx/local/child-process.ts";

const CHILD_PROCESS = JSON.stringify(new URL("../../../nginx/local/child-process.ts", import.meta.url).href);

test("a program gets its arguments as they are, and its exit code is told", () => {
  const script = "process.stdout.write(JSON.stringify(process.argv.slice(1))); process.exitCode = 3";
  const args = ["", "two words", "$HOME", "--x", "'\"\\"];
  const { status, stdout } = spawnSync(...endedWith(process.pid, [process.execPath, "-e", script, "--", ...args]));
  expect([status, JSON.parse(String(stdout))]).toEqual([3, args]);
});

test("a program isn't run when the process that started it has died before it could", () => {
  // As if that one had been another process.
  const { status, stdout } = spawnSync(...endedWith(1, ["echo", "run"]));
  expect([status, String(stdout)]).toEqual([1, ""]);
});

test("a program ends when the process that started it is killed", async () => {
  const script = `
    const { endedWith } = await import(${CHILD_PROCESS});
    const { spawn } = await import("node:child_process");
    spawn(...endedWith(process.pid, ["sh", "-c", "echo; exec sleep 600"]), { stdio: "inherit", detached: true });`;
  const starter = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(starter.stdout, "data");
  starter.kill("SIGKILL");
  // The kernel closes the pipe when the last process that has it ends.
  await expect(once(starter.stdout, "close")).resolves.toBeDefined();
});
