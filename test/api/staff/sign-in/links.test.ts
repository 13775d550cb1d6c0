import { expect, test } from "vitest";
import { now } from "../../../../api/platform/database/columns.ts";
import { addEditor, inviteFirst, listEditors, removeEditor, renewLink } from "../../../../api/staff/sign-in/editors.ts";
import { LINK_KEPT_MS } from "../../../../api/staff/sign-in/lifetimes.ts";
import { migrateAgain } from "../../api.ts";
import { makeAuthenticator } from "./authenticator.ts";
import { age, ann, startEditors, startWithAnn } from "./editors-shop.ts";

test("a link makes one passkey, signs its editor in, and then leads nowhere", async () => {
  const { db, browser } = await startEditors();
  const link = await addEditor(db, ann);
  const first = browser();
  const device = makeAuthenticator();
  expect((await first.enrol(link, device)).statusCode).toBe(204);
  expect(await first.whoAmI()).toBe("Ann Archer ann@shop.example");
  const second = await browser().enrol(link);
  expect([second.statusCode, second.json().detail]).toEqual([404, "This link has been used or has expired."]);
  expect((await browser().signIn(device)).statusCode).toBe(204);
});

test("of ten at once with one link, one gets a passkey and a session", async () => {
  const { db, browser } = await startEditors();
  const link = await addEditor(db, ann);
  const browsers = Array.from({ length: 10 }, () => browser());
  const asked = await Promise.all(
    browsers.map(async (each) => (await each.post("/api/admin/passkeys/options", { link })).json()),
  );
  const answers = await Promise.all(
    browsers.map((each, index) =>
      each.post("/api/admin/passkeys", { link, credential: makeAuthenticator().create(asked[index]) }),
    ),
  );
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([204, ...Array(9).fill(401)]);
  expect(await db.selectFrom("editor_passkeys").select("sign_count").execute()).toHaveLength(1);
  expect(await db.selectFrom("editor_sessions").select("editor_id").execute()).toHaveLength(1);
});

test("a link expires after a day, an unknown one looks the same, and neither is stored as it is", async () => {
  const { db, browser } = await startEditors();
  const link = await addEditor(db, ann);
  expect(JSON.stringify(await db.selectFrom("editor_links").selectAll().execute())).not.toContain(link);
  const options = (await browser().post("/api/admin/passkeys/options", { link })).json();
  await age(db, "editor_links", LINK_KEPT_MS + 1_000);
  const expired = await browser().enrol(link);
  const unknown = await browser().enrol("x".repeat(43));
  expect([expired.statusCode, unknown.statusCode]).toEqual([404, 404]);
  expect(expired.json().detail).toBe(unknown.json().detail);
  const late = await browser().post("/api/admin/passkeys", { link, credential: makeAuthenticator().create(options) });
  expect(late.statusCode).toBe(401);
});

test("a challenge for one link or for signing in makes no passkey with another link", async () => {
  const { db, browser } = await startEditors();
  const [link, other] = [await addEditor(db, ann), await addEditor(db, { name: "Bob", email: "bob@shop.example" })];
  const options = (await browser().post("/api/admin/passkeys/options", { link })).json();
  const device = makeAuthenticator();
  const answer = await browser().post("/api/admin/passkeys", { link: other, credential: device.create(options) });
  expect(answer.statusCode).toBe(401);
  const { challenge } = (await browser().post("/api/admin/session/options")).json();
  const forged = device.create({ ...options, challenge });
  expect((await browser().post("/api/admin/passkeys", { link: other, credential: forged })).statusCode).toBe(401);
});

test("a passkey that another site asked for, or that nobody unlocked, isn't stored, and the link stays good", async () => {
  const { db, browser } = await startEditors();
  const link = await addEditor(db, ann);
  for (const changes of [{ origin: "https://evil.example" }, { rpId: "evil.example" }, { flags: 0x41 }]) {
    const options = (await browser().post("/api/admin/passkeys/options", { link })).json();
    const credential = makeAuthenticator().create(options, changes);
    expect((await browser().post("/api/admin/passkeys", { link, credential })).statusCode).toBe(401);
  }
  expect(await db.selectFrom("editor_passkeys").select("sign_count").execute()).toEqual([]);
  expect((await browser().enrol(link)).statusCode).toBe(204);
});

test("a passkey that is registered already isn't stored for another editor, whose link stays good", async () => {
  const { db, device, newBrowser } = await startWithAnn();
  const link = await addEditor(db, { name: "Bob", email: "bob@shop.example" });
  expect((await newBrowser().enrol(link, device)).statusCode).toBe(401);
  expect((await newBrowser().enrol(link)).statusCode).toBe(204);
});

test("another link adds a device and ends the earlier link; with a lost device, all others and their sessions end", async () => {
  const { db, browser, device, newBrowser } = await startWithAnn();
  const forgotten = await renewLink(db, ann.email, false);
  const tablet = makeAuthenticator();
  expect((await newBrowser().enrol(await renewLink(db, ann.email, false), tablet)).statusCode).toBe(204);
  expect((await newBrowser().enrol(forgotten)).statusCode).toBe(404);
  expect((await newBrowser().signIn(device)).statusCode).toBe(204);
  const phone = makeAuthenticator();
  const link = await renewLink(db, ann.email, true);
  expect(await browser.whoAmI()).toBe(401);
  for (const lost of [device, tablet]) expect((await newBrowser().signIn(lost)).statusCode).toBe(401);
  expect((await newBrowser().enrol(link, phone)).statusCode).toBe(204);
  expect((await newBrowser().signIn(phone)).statusCode).toBe(204);
});

test("a device that has a passkey of the editor is told not to make another", async () => {
  const { db, device, newBrowser } = await startWithAnn();
  const link = await renewLink(db, ann.email, false);
  const { excludeCredentials, user } = (await newBrowser().post("/api/admin/passkeys/options", { link })).json();
  const { id, response } = device.get({ challenge: "" });
  expect(excludeCredentials).toEqual([{ id, type: "public-key" }]);
  expect(user).toEqual({ id: response.userHandle, name: ann.email, displayName: ann.name });
});

test("the first editor gets a link each time until somebody has a passkey, and only one editor is added", async () => {
  const { db, browser } = await startEditors();
  const first = { name: "Editor", email: "editor@localhost" };
  const forgotten = (await inviteFirst(db, first)) ?? "";
  const link = (await inviteFirst(db, first)) ?? "";
  expect((await browser().enrol(forgotten)).statusCode).toBe(404);
  expect((await browser().enrol(link)).statusCode).toBe(204);
  expect(await inviteFirst(db, first)).toBeUndefined();
  expect(await listEditors(db)).toMatchObject([{ ...first, passkeys: 1, rights: "content,orders,shop" }]);
});

test("inviting the first editor again leaves another editor's link alone", async () => {
  const { db, browser } = await startEditors();
  const first = { name: "Editor", email: "editor@localhost" };
  await inviteFirst(db, first);
  const link = await addEditor(db, ann);
  const again = (await inviteFirst(db, first)) ?? "";
  const device = browser();
  expect((await device.enrol(again)).statusCode).toBe(204);
  expect(await device.whoAmI()).toBe("Editor editor@localhost");
  expect((await browser().enrol(link)).statusCode).toBe(204);
});

test("whoever was an editor before there were rights may do everything", async () => {
  const { db } = await startEditors();
  await db.schema.alterTable("editors").dropColumn("rights").execute();
  const before = { ...ann, user_handle: "x".repeat(43), created_at: now() };
  await db.insertInto("editors").values(before).execute();
  for (const _time of ["first", "again"]) await migrateAgain(db, "2026-11-26-21-add-editor-rights");
  expect(await listEditors(db)).toMatchObject([{ ...ann, rights: "content,orders,shop" }]);
});

test("an editor is known by one address in any case, and by a name that Git can write", async () => {
  const { db } = await startEditors();
  await addEditor(db, { name: " Ann Archer ", email: "Ann@Shop.example" });
  expect(await listEditors(db)).toMatchObject([{ ...ann, passkeys: 0, used_at: null, rights: "content" }]);
  await expect(addEditor(db, ann)).rejects.toThrow("ann@shop.example is an editor already.");
  for (const name of ["", "...", "Ann <x>", "\u200b\u202e", "x".repeat(129)])
    await expect(addEditor(db, { name, email: "b@shop.example" })).rejects.toThrow("Write a name of 1 to 128");
  await expect(addEditor(db, { name: "B", email: "b@shop example" })).rejects.toThrow("isn't an e-mail address");
  await expect(renewLink(db, "b@shop.example", false)).rejects.toThrow("b@shop.example isn't an editor.");
  await removeEditor(db, "ANN@ｓhop.ex\u00adample ");
  await expect(removeEditor(db, ann.email)).rejects.toThrow("ann@shop.example isn't an editor.");
});
