import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { RowDataPacket } from "mysql2";
import { expect, onTestFinished, test } from "vitest";
import { DUPLICATE_SIGNAL_MS } from "../../api/close-on-signals.ts";
import { findFreePort } from "../../nginx/local/ports.ts";
import { connectToServer, createDatabase } from "../database.ts";
import { token } from "./api.ts";
import { run, until, untilServing } from "./server-process.ts";

/** An API with two idle sockets, and a request for orders that it answers after `unlock`. */
async function startAnswering(more: Record<string, string> = {}) {
  const { url, drop } = await createDatabase();
  onTestFinished(drop);
  const port = await findFreePort();
  const env = {
    DATABASE_URL: url,
    BASE_URL: "https://shop.example",
    API_PORT: String(port),
    ERP_PULL_API_TOKEN: token,
    ...more,
  };
  expect(await run("commands/migrate.ts", env).ended).toBe(0);
  const { child, output, ended } = run("server.ts", env);
  await untilServing(port);
  const database = await connectToServer();
  onTestFinished(() => database.end());
  const name = new URL(url).pathname.slice(1);
  await database.query(`lock tables ${name}.counters write`);
  const silent = open(port, "");
  const half = open(port, "GET /api/orders HT");
  const asking = open(port, `GET /api/orders HTTP/1.1\r\nHost: a\r\nX-Ecom-Api-Token: ${token}\r\n\r\n`);
  await until(
    async () => (await database.query<RowDataPacket[]>("show processlist"))[0],
    (list) => list.some(({ db, Info }) => db === name && Info?.startsWith("select `last_id`")),
  );
  return {
    ...{ child, output, ended, silent, half, asking },
    unlock: () => database.query("unlock tables"),
    /** Sends a signal. Returns once it was taken, and no more connections are. */
    async stop(signal: NodeJS.Signals) {
      child.kill(signal);
      await until(
        () =>
          fetch(`http://127.0.0.1:${port}/api/health/live`).then(
            () => false,
            () => true,
          ),
        (refused) => refused,
      );
    },
  };
}

const ORDERS = /^HTTP\/1\.1 200 OK\r\n.*\r\nconnection: close\r\n.*"orders":\[\].*\}$/is;

test("after SIGTERM, a request in flight gets its complete answer, idle sockets are closed, and the process exits", async () => {
  const { ended, silent, half, asking, unlock, stop } = await startAnswering();
  await stop("SIGTERM");
  await unlock();
  expect(await asking).toMatch(ORDERS);
  expect(await Promise.all([silent, half])).toEqual(["", ""]);
  expect(await ended).toBe(0);
});

test("a Ctrl-C that arrives twice, from the terminal and from npm, cuts no request off", async () => {
  // However long the test takes between the two.
  const stopClock = "const now = Date.now(); Date.now = () => now;";
  const preload = `--import=data:text/javascript,${encodeURIComponent(stopClock)}`;
  const { child, ended, asking, unlock, stop } = await startAnswering({ NODE_OPTIONS: preload });
  await stop("SIGINT");
  child.kill("SIGINT");
  await unlock();
  expect(await asking).toMatch(ORDERS);
  expect(await ended).toBe(0);
});

test("a second Ctrl-C ends the API at once", async () => {
  const { child, output, ended, stop } = await startAnswering();
  await stop("SIGINT");
  await sleep(DUPLICATE_SIGNAL_MS + 100);
  child.kill("SIGINT");
  expect([await ended, output.stdout]).toEqual([1, expect.stringContaining("second SIGINT, exiting")]);
});

/** Opens a socket, sends `bytes` and resolves with everything received until it closes. */
function open(port: number, bytes: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let received = "";
  const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
  socket.on("data", (data) => {
    received += data;
  });
  socket.on("error", () => {}); // a reset also closes the socket
  socket.on("close", () => resolve(received));
  return promise;
}
