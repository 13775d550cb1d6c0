import { expect, test } from "vitest";
import { readDatabaseAddress } from "../../../../api/env.ts";
import { openDatabase } from "../../../../api/platform/database/pool.ts";
import { addEditor, removeEditor, setRights } from "../../../../api/staff/sign-in/editors.ts";
import { SESSION_KEPT_MS } from "../../../../api/staff/sign-in/lifetimes.ts";
import { startApi } from "../../api.ts";
import { makeAuthenticator } from "./authenticator.ts";
import { age, ann, openBrowser, startEditors, startWithAnn } from "./editors-shop.ts";

test("where passkeys can't be used, every address of the editors is 404", async () => {
  const { app } = await startApi();
  const browser = openBrowser(app);
  expect((await browser.get("/api/admin/session")).statusCode).toBe(404);
  expect((await browser.get("/admin")).statusCode).toBe(404);
  for (const path of ["/api/admin/session/options", "/admin/sign-out"])
    expect((await browser.post(path)).statusCode).toBe(404);
});

test("an editor signs in with a passkey alone, and nginx is told who it is in ASCII", async () => {
  const { app, db, device, newBrowser } = await startWithAnn();
  await db.updateTable("editors").set({ name: "Zoë Öztürk" }).execute();
  const browser = newBrowser();
  expect(await browser.whoAmI()).toBe(401);
  expect((await browser.signIn(device)).statusCode).toBe(204);
  expect(await browser.whoAmI()).toBe("Zoë Öztürk ann@shop.example");
  const answer = await browser.get("/api/admin/session");
  expect([answer.body, answer.headers["editor-name"]]).toEqual(["", "Zo%C3%AB%20%C3%96zt%C3%BCrk"]);
  expect(await openBrowser(app).whoAmI()).toBe(401);
});

test("nginx is told what somebody may do at this moment, and who may not do what it asks about, alone", async () => {
  const { db, browser } = await startWithAnn({ may: ["content", "orders"] });
  const ask = async (query: string) => {
    const { statusCode, headers } = await browser.get(`/api/admin/session${query}`);
    return [statusCode, headers["editor-rights"], headers["right-missing"]];
  };
  expect(await ask("")).toEqual([204, "content,orders", undefined]);
  expect(await ask("?may=content")).toEqual([204, "content,orders", undefined]);
  expect(await ask("?may=shop")).toEqual([403, undefined, "shop"]);
  await setRights(db, ann.email, new Set(["shop"]));
  expect(await ask("")).toEqual([204, "shop", undefined]);
  expect(await ask("?may=content")).toEqual([403, undefined, "content"]);
  for (const wrong of ["?may=", "?may=all", "?may=content&may=shop", "?can=content"])
    expect([wrong, (await browser.get(`/api/admin/session${wrong}`)).statusCode]).toEqual([wrong, 400]);
  // Of a later release, which this one knows nothing of.
  await db.updateTable("editors").set({ rights: "everything,orders" }).execute();
  expect(await ask("")).toEqual([204, "orders", undefined]);
});

test("the cookie is read by no script and sent by no other site, and the database can't give it away", async () => {
  const { db, device, newBrowser } = await startWithAnn();
  const browser = newBrowser();
  const { headers } = await browser.signIn(device);
  expect(String(headers["set-cookie"])).toMatch(
    /^__Host-admin=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
  );
  const stored = JSON.stringify(await db.selectFrom("editor_sessions").selectAll().execute());
  expect(stored).not.toContain(browser.jar.get("__Host-admin"));
});

test("at http://localhost the cookie has neither the prefix nor Secure", async () => {
  const origin = "http://localhost:8080";
  const { db, browser } = await startWithAnn();
  const local = await startEditors({ db, editors: { origin, hasContent: true } });
  const device = makeAuthenticator(origin);
  const here = local.browser({ origin });
  const answer = await here.enrol(await addEditor(db, { name: "Bob", email: "bob@shop.example" }), device);
  expect(String(answer.headers["set-cookie"])).toMatch(
    /^admin=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/,
  );
  expect(await here.whoAmI()).toBe("Bob bob@shop.example");
  expect(await browser.whoAmI()).toBe("Ann Archer ann@shop.example");
});

test("a session ends 12 hours after signing in, whatever was done with it", async () => {
  const { db, browser } = await startWithAnn();
  await age(db, "editor_sessions", SESSION_KEPT_MS - 60_000);
  expect(await browser.whoAmI()).toBe("Ann Archer ann@shop.example");
  await age(db, "editor_sessions", SESSION_KEPT_MS + 1_000);
  expect(await browser.whoAmI()).toBe(401);
});

test("signing out ends the session in this browser and in every copy of its cookie, and no other session", async () => {
  const { browser, device, newBrowser } = await startWithAnn();
  const other = newBrowser();
  await other.signIn(device);
  const copy = browser.jar.get("__Host-admin") ?? "";
  const answer = await browser.post("/admin/sign-out", "", "application/x-www-form-urlencoded");
  expect([answer.statusCode, answer.headers.location]).toEqual([303, "/admin/sign-in"]);
  expect(browser.jar.size).toBe(0);
  browser.jar.set("__Host-admin", copy);
  expect(await browser.whoAmI()).toBe(401);
  expect(await other.whoAmI()).toBe("Ann Archer ann@shop.example");
});

test("a removed editor is signed out at once, and their passkey signs nobody in", async () => {
  const { db, browser, device } = await startWithAnn();
  await removeEditor(db, ann.email);
  expect(await browser.whoAmI()).toBe(401);
  expect((await browser.signIn(device)).statusCode).toBe(401);
  for (const table of ["editors", "editor_links", "editor_passkeys", "editor_sessions"] as const)
    expect(await db.selectFrom(table).selectAll().execute()).toEqual([]);
});

test("a challenge is answered once, within five minutes, and only one that this shop gave", async () => {
  const { db, device, newBrowser } = await startWithAnn();
  const browser = newBrowser();
  const ask = async () => (await browser.post("/api/admin/session/options")).json();
  const answer = async (options: { challenge: string }) =>
    (await browser.post("/api/admin/session", { credential: device.get(options) })).statusCode;
  const options = await ask();
  expect([await answer(options), await answer(options)]).toEqual([204, 401]);
  const late = await ask();
  await age(db, "editor_challenges", 5 * 60_000 + 1_000);
  expect(await answer(late)).toBe(401);
  expect(await answer({ challenge: Buffer.alloc(32, 1).toString("base64url") })).toBe(401);
  const twice = await ask();
  const both = await Promise.all([answer(twice), answer(twice)]);
  expect(both.sort()).toEqual([204, 401]);
});

test("what is wrong with a passkey isn't said: every refusal is the same but for its id, and takes as long", async () => {
  const { device, newBrowser } = await startWithAnn();
  const stranger = makeAuthenticator();
  stranger.create({ challenge: "", user: { id: Buffer.alloc(32).toString("base64url") } });
  const [first, ...others] = await Promise.all([
    newBrowser().signIn(stranger),
    newBrowser().signIn(device, { origin: "https://evil.example" }),
    newBrowser().signIn(device, { origin: "http://shop.example" }),
    newBrowser().signIn(device, { origin: "https://shop.example.evil.example" }),
    newBrowser().signIn(device, { rpId: "evil.example" }),
    newBrowser().signIn(device, { flags: 0x01 }), // not verified: somebody who found the device
    newBrowser().signIn(device, { userHandle: Buffer.alloc(32).toString("base64url") }),
    newBrowser().signIn(device, { id: "unknown" }),
  ]);
  expect(first?.statusCode).toBe(401);
  expect(first?.headers["set-cookie"]).toBeUndefined();
  const withoutId = (body: string | undefined) => body?.replace(/"instance":"[^"]+"/, "");
  for (const { statusCode, body } of others) {
    expect(statusCode).toBe(401);
    expect(withoutId(body)).toBe(withoutId(first?.body));
  }
  const begun = performance.now();
  await newBrowser().signIn(stranger);
  expect(performance.now() - begun).toBeGreaterThan(400);
});

test("a signature over other data, and another device's under this one's id, are refused", async () => {
  const { device, newBrowser } = await startWithAnn();
  const browser = newBrowser();
  const options = (await browser.post("/api/admin/session/options")).json();
  const { response, ...known } = device.get(options);
  const thief = makeAuthenticator();
  const { signature } = thief.get(options).response;
  const answer = await browser.post("/api/admin/session", {
    credential: { ...known, response: { ...response, signature } },
  });
  expect(answer.statusCode).toBe(401);
});

test("a copied authenticator is found by its count", async () => {
  const { device, newBrowser } = await startWithAnn();
  const statuses = [];
  for (const counter of [5, 6, 6, 3, 7]) statuses.push((await newBrowser().signIn(device, { counter })).statusCode);
  expect(statuses).toEqual([204, 204, 401, 401, 204]);
});

test.each([
  ["nothing", undefined],
  ["no JSON", "{"],
  ["a form", "credential=x", "application/x-www-form-urlencoded"],
  ["JSON as text, as another site's form could send it", '{"credential":{}}', "text/plain"],
  ["a credential without a response", { credential: { id: "x" } }],
  ["client data that isn't JSON", { credential: { id: "x", response: { clientDataJSON: "eA" } } }],
  ["client data without a challenge", { credential: { id: "x", response: { clientDataJSON: "bnVsbA" } } }],
  ["an id that isn't ASCII", { credential: { id: "ö", response: { clientDataJSON: "", userHandle: "\u{1f511}" } } }],
  // The driver would write an object into the statement as `name` = value.
  [
    "a user handle that isn't a text",
    { credential: { id: "x", response: { clientDataJSON: "", userHandle: { user_handle: 1 } } } },
  ],
])("%s signs nobody in and isn't an error of ours", async (_what, body, type?: string) => {
  const { browser } = await startEditors();
  const answer = await browser().post("/api/admin/session", body, type);
  expect([400, 401, 415]).toContain(answer.statusCode);
  expect(answer.headers["set-cookie"]).toBeUndefined();
});

test("an address may try 60 times an hour, others go on, and who is signed in stays so", async () => {
  const { browser, device, newBrowser } = await startWithAnn();
  const statuses = [];
  for (let requests = 0; requests < 120; requests += 1)
    statuses.push((await browser.post("/api/admin/session/options")).statusCode);
  expect(statuses.indexOf(429)).toBe(118); // Ann's passkey took two
  const refused = await browser.post("/api/admin/session", {});
  expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([429, "3600"]);
  expect((await browser.enrol("x")).statusCode).toBe(429);
  expect(await browser.whoAmI()).toBe("Ann Archer ann@shop.example");
  expect((await newBrowser({ address: "192.0.2.2" }).signIn(device)).statusCode).toBe(204);
});

test("after 120 requests without a session in a minute, an address gets 429, and the database isn't asked", async () => {
  const clock = { time: 0 };
  const { browser, newBrowser, statements } = await startWithAnn({ rateLimitPerMinute: 120, now: () => clock.time });
  const stranger = newBrowser({ address: "192.0.2.2" });
  for (let requests = 0; requests < 120; requests += 1) expect(await stranger.whoAmI()).toBe(401);
  const before = statements.length;
  const refused = await stranger.get("/api/admin/session");
  expect([refused.statusCode, refused.headers["retry-after"], statements.length]).toEqual([429, "60", before]);
  expect(await browser.whoAmI()).toBe("Ann Archer ann@shop.example");
  clock.time += 60_000;
  expect(await stranger.whoAmI()).toBe(401);
});

test("while the database is away, nobody is refused for it: 503", async () => {
  const db = openDatabase(readDatabaseAddress({ DATABASE_URL: "mysql://a@127.0.0.1:1/b" }));
  const away = await startEditors({ db });
  const browser = away.browser();
  browser.jar.set("__Host-admin", "x".repeat(43));
  expect(await browser.whoAmI()).toBe(503);
  expect((await browser.post("/api/admin/session/options")).statusCode).toBe(503);
});
