import { connect } from "node:net";
import type { RowDataPacket } from "mysql2";
import { expect, onTestFinished, test } from "vitest";
import { findFreePort } from "../../nginx/local/ports.ts";
import { connectToServer, createDatabase } from "../database.ts";
import { token } from "./api.ts";
import { run, until } from "./server-process.ts";

test("after SIGTERM, a request in flight gets its complete answer, idle sockets are closed, and the process exits", async () => {
  const { url, drop } = await createDatabase();
  onTestFinished(drop);
  const port = await findFreePort();
  const env = {
    DATABASE_URL: url,
    BASE_URL: "https://shop.example",
    API_PORT: String(port),
    ERP_PULL_API_TOKEN: token,
  };
  expect(await run("commands/migrate.ts", env).ended).toBe(0);
  const { child, ended } = run("server.ts", env);
  await until(
    () => fetch(`http://127.0.0.1:${port}/api/erp/status`),
    ({ ok }) => ok,
  );
  const database = await connectToServer();
  onTestFinished(() => database.end());
  const name = new URL(url).pathname.slice(1);
  await database.query(`lock tables ${name}.orders write`);
  const silent = open(port, "");
  const half = open(port, "GET /api/orders HT");
  const asking = open(port, `GET /api/orders HTTP/1.1\r\nHost: a\r\nX-Ecom-Api-Token: ${token}\r\n\r\n`);
  // Jobs of the server wait for the table too.
  await until(
    async () => (await database.query<RowDataPacket[]>("show processlist"))[0],
    (list) => list.some(({ db, Info }) => db === name && Info?.startsWith("select * from `orders`")),
  );
  child.kill("SIGTERM");
  await until(
    () =>
      fetch(`http://127.0.0.1:${port}/api/health/live`).then(
        () => false,
        () => true,
      ),
    (refused) => refused,
  );
  await database.query("unlock tables");
  expect(await asking).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\r\nconnection: close\r\n.*"orders":\[\].*\}$/is);
  expect(await Promise.all([silent, half])).toEqual(["", ""]);
  expect(await ended).toBe(0);
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
