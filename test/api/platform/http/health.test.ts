import { rm } from "node:fs/promises";
import { expect, onTestFinished, test } from "vitest";
import { findFreePort } from "../../../../nginx/local/ports.ts";
import { privateDatabaseAddress } from "../../../../nginx/local/private-database.ts";
import { startDatabase } from "../../../database.ts";
import { makeDatabaseFolder, stopDatabase } from "../../../global-setup.ts";
import { startApi, token } from "../../api.ts";
import { run, until } from "../../server-process.ts";

test("with a database, live and ready answer 200, without a token, rate limit or caching", async () => {
  const { app } = await startApi();
  for (let count = 0; count < 70; count += 1) {
    for (const word of ["live", "ready"]) {
      const answer = await app.inject(`/api/health/${word}`);
      expect([answer.statusCode, answer.json()]).toEqual([200, { status: word }]);
      expect(answer.headers["cache-control"]).toBe("no-store");
    }
  }
  const post = await app.inject({ method: "POST", url: "/api/health/ready" });
  expect([post.statusCode, post.headers["allow"]]).toEqual([405, "GET, HEAD"]);
});

test("with outdated tables the API says that it isn't ready; with newer ones it is ready", async () => {
  const { app, db } = await startApi();
  const migrations = db.withTables<{ kysely_migration: { name: string; timestamp: string } }>();
  await migrations.insertInto("kysely_migration").values({ name: "9999-of-a-later-release", timestamp: "x" }).execute();
  expect((await app.inject("/api/health/ready")).statusCode).toBe(200);
  await migrations.deleteFrom("kysely_migration").where("name", "=", "2026-11-21-01-add-as-placed").execute();
  const answer = await app.inject("/api/health/ready");
  expect([answer.statusCode, answer.json().detail]).toEqual([503, expect.stringContaining("run `npm run migrate`")]);
});

test("while the database is missing or hangs, live answers 200 and ready 503; ready recovers automatically", async () => {
  const folder = makeDatabaseFolder();
  onTestFinished(() => rm(folder, { recursive: true }));
  const API_PORT = String(await findFreePort());
  const env = {
    API_PORT,
    BASE_URL: "https://shop.example",
    DATABASE_URL: privateDatabaseAddress(folder).url,
    ERP_PULL_API_TOKEN: token,
  };
  const { output } = run("server.ts", env);
  const askFor = (path: string) =>
    fetch(`http://127.0.0.1:${API_PORT}${path}`, { headers: { "x-ecom-api-token": token } });
  const ask = (word: string) => askFor(`/api/health/${word}`);
  const expectDown = async () => {
    for (let count = 0; count < 4; count += 1) {
      expect((await ask("live")).status).toBe(200);
      const ready = await ask("ready");
      expect([ready.status, ready.headers.get("retry-after")]).toEqual([503, "5"]);
      expect(await ready.json()).toMatchObject({ type: "https://shop.example/developers#unavailable", status: 503 });
    }
  };
  await until(
    () => ask("live"),
    ({ ok }) => ok,
  );
  await expectDown(); // no database yet
  const database = await startDatabase(folder);
  onTestFinished(() => stopDatabase(database));
  expect((await ask("ready")).status).toBe(503); // not migrated yet
  expect(await run("commands/migrate.ts", env).ended).toBe(0);
  await until(
    () => ask("ready"),
    ({ ok }) => ok,
  );
  database.child.kill("SIGSTOP");
  onTestFinished(() => void database.child.kill("SIGCONT"));
  await until(
    () => ask("ready"),
    ({ ok }) => !ok, // its threads stop one by one
  );
  const orders = askFor("/api/orders");
  expect(await Promise.race([orders, ask("ready")])).toHaveProperty("url", expect.stringContaining("/ready"));
  await expectDown();
  database.child.kill("SIGCONT");
  await until(
    () => ask("ready"),
    ({ ok }) => ok,
  );
  expect(output.stderr).toBe("");
});
