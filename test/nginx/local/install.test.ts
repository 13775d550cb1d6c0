import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findFreePort } from "../../../nginx/local/ports.ts";
import { eventually } from "../../eventually.ts";
import { run } from "../../site/commands/new-command.ts";

const ROOT = join(import.meta.dirname, "../../..");

/** What `npm start` runs first, without npm's two processes. */
const INSTALL = [process.execPath, "nginx/local/install.js"] as const;

/** Runs a command in a copy of the project without installed packages. */
function runUninstalled([program, ...args]: readonly [string, ...string[]], env: Record<string, string>) {
  const copy = mkdtempSync(join(tmpdir(), "twinfront-install-"));
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  for (const file of ["package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml", "nginx/local/install.js"]) {
    cpSync(join(ROOT, file), join(copy, file));
  }
  mkdirSync(join(copy, "home"));
  return run(copy, program, args, { HOME: join(copy, "home"), npm_config_fetch_retries: "0", ...env });
}

const PROGRESS = /^ {2}0 packages after \d+ s$/m;
const advice = (registry: string) => `this machine must reach ${registry} (try \`npm ping\`)`;

test("if the registry refuses, the start says so and what to do", async () => {
  const registry = `http://127.0.0.1:${await findFreePort()}`;
  const start = runUninstalled(["npm", "start"], { npm_config_registry: registry });
  expect(await start.code).toBe(1);
  expect(start.said).toContain(`Installing packages from ${registry} …`);
  expect(start.said).toContain("ECONNREFUSED");
  expect(start.said).toContain("The packages could not be installed");
  expect(start.said).toContain(advice(registry));
});

test("if the registry doesn't answer, the start shows that it is waiting, and says what to do when npm gives up", async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket)).listen(0, "127.0.0.1");
  onTestFinished(() => void silent.close());
  await once(silent, "listening");
  const registry = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const start = runUninstalled(INSTALL, { npm_config_registry: registry });
  const waits = () => expect([sockets.length > 0, start.said]).toEqual([true, expect.stringMatching(PROGRESS)]);
  await eventually(waits);
  for (const socket of sockets) socket.resetAndDestroy();
  expect(await start.code).toBe(1);
  expect(start.said).toContain(advice(registry));
});

test("if npx fails without a message, the start names the command", async () => {
  const bin = mkdtempSync(join(tmpdir(), "twinfront-bin-"));
  onTestFinished(() => rmSync(bin, { recursive: true }));
  writeFileSync(join(bin, "npx"), "#!/bin/sh\nexit 3\n", { mode: 0o755 });
  const start = runUninstalled(INSTALL, { PATH: `${bin}:${process.env["PATH"]}` });
  expect(await start.code).toBe(1);
  expect(start.said).toMatch(/could not be installed: `npx .*` failed \(3\)/);
});
