import { expect, test } from "vitest";
import { readEnv, SettingsError } from "../../../../api/env.ts";
import { deleteExpired } from "../../../../api/jobs/retention.ts";
import { makeLoggerOptions } from "../../../../api/platform/monitoring/log.ts";
import { startWorker } from "../../../../api/platform/outbox/worker.ts";
import { addEditor, renewLink } from "../../../../api/staff/sign-in/editors.ts";
import { CHALLENGE_KEPT_MS, LINK_KEPT_MS, SESSION_KEPT_MS } from "../../../../api/staff/sign-in/lifetimes.ts";
import { eventually } from "../../../eventually.ts";
import { makeAuthenticator } from "./authenticator.ts";
import { age, ann, startEditors, startWithAnn } from "./editors-shop.ts";

test("what has expired is deleted by the worker, and nothing else", async () => {
  const { db, browser } = await startWithAnn();
  await renewLink(db, ann.email, false);
  await browser.post("/api/admin/session/options");
  const tables = ["editor_links", "editor_challenges", "editor_sessions"] as const;
  const left = async () =>
    Promise.all(tables.map(async (table) => (await db.selectFrom(table).select("created_at").execute()).length));
  await age(db, "editor_links", LINK_KEPT_MS - 60_000);
  await age(db, "editor_challenges", CHALLENGE_KEPT_MS - 60_000);
  await age(db, "editor_sessions", SESSION_KEPT_MS - 60_000);
  await deleteExpired(db);
  expect(await left()).toEqual([1, 1, 1]);
  for (const table of tables) await age(db, table, LINK_KEPT_MS + 1_000);
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const worker = startWorker([], [(signal) => deleteExpired(db, signal)], log);
  await eventually(async () => expect(await left()).toEqual([0, 0, 0]));
  await worker.stop();
  expect(await db.selectFrom("editor_passkeys").select("sign_count").execute()).toHaveLength(1);
});

test("no link, cookie, challenge, address or name is in the API's log, whether a passkey is taken or refused", async () => {
  const log: string[] = [];
  const logger = {
    ...makeLoggerOptions({ texts: [], patterns: [] }),
    stream: { write: (line: string) => void log.push(line) },
  };
  const { db, browser } = await startEditors({ logger });
  const link = await addEditor(db, ann);
  const [here, device] = [browser(), makeAuthenticator()];
  await here.get(`/admin/enrol?key=${link}`);
  await here.enrol(link, device);
  await here.whoAmI();
  await here.enrol(link, device);
  await here.signIn(device, { origin: "https://evil.example" });
  await here.post("/api/admin/passkeys", `{"link":"${link}"`);
  const { challenge } = (await here.post("/api/admin/session/options")).json();
  const written = log.join("");
  expect(written.match(/"answered"/g)?.length).toBeGreaterThan(8);
  for (const secret of [link, here.jar.get("__Host-admin") ?? "", challenge, ann.email, "Ann", "192.0.2.1"])
    expect(written).not.toContain(secret);
});

test("editors sign in at ADMIN_ORIGIN or BASE_URL if passkeys work there, and write where the content repository is set", () => {
  const read = (more: Record<string, string>) => {
    const known = { API_PORT: "3000", BASE_URL: "https://shop.example", DATABASE_URL: "mysql://a@b/c" };
    try {
      const { editors } = readEnv({ ...known, ...more });
      return editors && `${editors.hasContent ? "writes" : "works"} at ${editors.origin}`;
    } catch (error) {
      return error instanceof SettingsError ? error.problems : error;
    }
  };
  const on = { CONTENT_REPOSITORY: "/srv/content.git" };
  expect(read({})).toBe("works at https://shop.example");
  expect(read({ ADMIN_ORIGIN: "https://admin.example" })).toBe("works at https://admin.example");
  expect(read(on)).toBe("writes at https://shop.example");
  // Nobody has asked for it.
  expect(read({ BASE_URL: "http://127.0.0.1:8080" })).toBeUndefined();
  expect(read({ BASE_URL: "http://shop.example" })).toBeUndefined();
  expect(read({ ADMIN_ORIGIN: "http://shop.example" })).toEqual([expect.stringContaining("at ADMIN_ORIGIN")]);
  for (const origin of ["https://admin.example", "https://admin.example:8443", "http://localhost:8080"])
    expect(read({ ...on, ADMIN_ORIGIN: origin })).toBe(`writes at ${origin}`);
  // Browsers write it so, and compare it letter by letter.
  expect(read({ ...on, ADMIN_ORIGIN: "https://Shop.Example:443" })).toBe("writes at https://shop.example");
  for (const origin of [
    "http://shop.example",
    "https://192.0.2.1",
    "http://127.0.0.1:8080",
    "https://shop.example/",
    "https://shop.example:70000",
    "x",
  ])
    expect(read({ ...on, ADMIN_ORIGIN: origin })).toEqual([expect.stringContaining("/admin can't be at ADMIN_ORIGIN")]);
  expect(read({ ...on, BASE_URL: "http://127.0.0.1:8080" })).toEqual([
    expect.stringContaining("/admin can't be at BASE_URL"),
  ]);
});
