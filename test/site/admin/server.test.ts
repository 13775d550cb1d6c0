import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { bareEnvironment } from "../../bare-environment.ts";
import { eventually } from "../../eventually.ts";

const SERVER = join(import.meta.dirname, "../../../site/admin/server/server.ts");

/** A git that waits, for as long as the admin runs, until `git-released` is beside it. */
const HOLDING_GIT = `#!/bin/sh
touch "$0-held"
until [ -e "$0-released" ]; do kill -0 $PPID || exit 1; sleep 0.1; done
exit 1
`;

/** An admin with a page that it answers with after `release`. */
async function startAnswering(more: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "twinfront-admin-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "git"), HOLDING_GIT, { mode: 0o755 });
  const [socketPath, held, released] = ["admin.sock", "git-held", "git-released"].map((name) => join(folder, name));
  const settings = { CONTENT_REPOSITORY: join(folder, "content.git"), DATA_DIR: folder, ADMIN_SOCKET: socketPath };
  const env = { PATH: `${folder}:${process.env["PATH"]}`, ...settings, ...more };
  const child = spawn(process.execPath, [SERVER], { env: { ...bareEnvironment(), ...env }, stdio: "ignore" });
  const ended = once(child, "exit");
  onTestFinished(() => void child.kill("SIGKILL"));
  await eventually(() => once(connect(`${socketPath}`).end(), "connect"));
  const headers = { "editor-name": "Ann", "editor-email": "ann@shop.example" };
  const asking = get({ socketPath, path: "/admin/cms/", headers });
  const status = once(asking, "response").then(
    ([answer]: IncomingMessage[]) => answer?.resume().statusCode,
    () => "cut off",
  );
  await eventually(() => expect(existsSync(`${held}`)).toBe(true));
  return {
    ...{ child, ended, status },
    release: () => writeFileSync(`${released}`, ""),
    /** Sends SIGINT. Returns once it was taken, and no more connections are. */
    async stop() {
      child.kill("SIGINT");
      await eventually(() => expect(existsSync(`${socketPath}`)).toBe(false));
    },
  };
}

test("a Ctrl-C that arrives twice, from the terminal and from npm, cuts no editor's request off", async () => {
  // However long the test takes between the two.
  const stopClock = "const now = Date.now(); Date.now = () => now;";
  const preload = `--import=data:text/javascript,${encodeURIComponent(stopClock)}`;
  const { child, ended, status, release, stop } = await startAnswering({ NODE_OPTIONS: preload });
  await stop();
  child.kill("SIGINT");
  release();
  expect([await status, await ended]).toEqual([200, [0, null]]);
});

test("a second Ctrl-C ends the admin at once", async () => {
  const { child, ended, status, stop } = await startAnswering();
  await stop();
  await sleep(600);
  child.kill("SIGINT");
  expect([await status, await ended]).toEqual(["cut off", [1, null]]);
});
