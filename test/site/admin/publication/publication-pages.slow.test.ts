import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { DRAFTS, MAIN, readDrafts, saveToDrafts } from "../../../../site/admin/content/drafts.ts";
import { moveRef, readCommit, readFile } from "../../../../site/admin/content/git.ts";
import { Unpublishable, writePublication } from "../../../../site/admin/publication/changes.ts";
import {
  endPublication,
  readRequest,
  requestPublication,
  writeProgress,
} from "../../../../site/admin/publication/request.ts";
import { buildAdmin } from "../../../../site/admin/server/app.ts";
import { findHtmlFaults } from "../../../html-faults.ts";
import { newProduct, validContent } from "../../content-check/content-tree.ts";
import { ANN, BOB, commitToMain, makeRepository, textOf } from "../repository.ts";

const kestrel = "content/products/barcode-scanners/kestrel-c2.md";
const about = "content/pages/about.md";

// vitest sets one of its own, which the check refuses.
beforeAll(() => void vi.stubEnv("BASE_URL", undefined));
afterAll(() => void vi.unstubAllEnvs());

/** The admin of a small shop, for an editor with these rights. */
async function openAdmin(rights = "content,orders,shop") {
  const files = Object.fromEntries(Object.entries(validContent).map(([path, text]) => [`content/${path}`, text]));
  const repository = await makeRepository(files);
  const folder = mkdtempSync(join(tmpdir(), "twinfront-admin-"));
  const app = buildAdmin({ repository, folder });
  onTestFinished(async () => {
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const headers = {
    ...{ "editor-name": encodeURIComponent(ANN.name), "editor-email": encodeURIComponent(ANN.email) },
    "editor-rights": rights,
  };
  const form = { ...headers, "content-type": "application/x-www-form-urlencoded" };
  return {
    repository,
    folder,
    get: async (url: string) => app.inject({ url, headers }),
    post: async (url: string, fields: [string, string][]) =>
      app.inject({ method: "POST", url, headers: form, payload: new URLSearchParams(fields).toString() }),
    draft: (path: string) => textOf(repository, DRAFTS, path),
    async save(path: string, edit: (text: string) => string, author = ANN) {
      const file = await readFile(repository, await readDrafts(repository), path);
      const bytes = Buffer.from(edit(file?.bytes.toString() ?? ""));
      await saveToDrafts(repository, {
        changes: [{ path, bytes }],
        seen: [{ path, id: file?.id }],
        author,
        message: `Edit ${path}`,
      });
    },
    /** What the release process does with Git. */
    async publish(...files: string[]) {
      const main = (await readCommit(repository, MAIN)) ?? "";
      const drafts = await readDrafts(repository);
      const commit = await writePublication(repository, main, { drafts, files, editor: ANN, mayShop: true });
      await moveRef(repository, MAIN, commit, main);
      return commit;
    },
    push: async (path: string, text: string) =>
      commitToMain(repository, { [path]: text }, (await readCommit(repository, MAIN)) ?? ""),
  };
}

test("the publishing page shows what has changed line by line, what the check says, and asks for what is ticked", async () => {
  const { repository, get, post, save } = await openAdmin();
  expect((await get("/admin/publish")).body).toContain("Nothing differs from what is live.");
  await save(kestrel, (text) => text.replace('"189.00"', '"<b>"'));
  await save(about, (text) => text.replace("We test.", "We test twice."));
  const { body } = await get("/admin/publish");
  expect(body).toContain("<del>price: &#34;189.00&#34;</del>\n<ins>price: &#34;&#60;b&#62;&#34;</ins>");
  expect(body).toMatch(/<div class="notice bad"><ul>\n<li>Line \d+: Price &#34;&#60;b&#62;&#34; /);
  expect(body).toContain('href="/admin/preview/products/kestrel-c2"');
  expect(body).not.toContain("<b>");
  const drafts = await readDrafts(repository);
  const asked = await post("/admin/publish", [
    ["drafts", drafts],
    ["file", about],
  ]);
  expect([asked.statusCode, asked.headers.location]).toEqual([303, "/admin/publish"]);
  expect(readRequest(repository)).toMatchObject({ editor: ANN, drafts, files: [about], mayShop: true });
});

/** Where money and mails go, and what could make pages say something else. */
const OF_SHOP = [
  "content/store.yaml",
  "content/mails/sent.md",
  "content/words.yaml",
  "content/theme.css",
  "content/redirects.csv",
  "content/static/letterhead.txt",
  "content/products.md",
];

test("with the right to content alone, nothing is published that says where money or mails go", async () => {
  const { repository, get, post, save } = await openAdmin("content");
  await save(about, (text) => text.replace("We test.", "We test twice."));
  for (const path of OF_SHOP) await save(path, (text) => `${text}# changed\n`);
  const { body } = await get("/admin/publish");
  const boxes = [...body.matchAll(/name="file" value="([^"]*)" id="[^"]*"( checked| disabled)?>/g)];
  const expected = [[about, " checked"], ...OF_SHOP.map((path) => [path, " disabled"])];
  expect(boxes.map(([, path, state]) => [path, state]).toSorted()).toEqual(expected.toSorted());
  expect(body).toContain("for who may publish the shop’s settings and mails");
  const drafts = await readDrafts(repository);
  const main = (await readCommit(repository, MAIN)) ?? "";
  for (const path of OF_SHOP) {
    const asked = await post("/admin/publish", [
      ["drafts", drafts],
      ["file", about],
      ["file", path],
    ]);
    expect([path, asked.statusCode, readRequest(repository)]).toEqual([path, 409, undefined]);
    expect(asked.body).toContain("Nothing was published: these belong to the shop’s settings and mails");
    // The release asks again, whatever the request was.
    const release = writePublication(repository, main, { drafts, files: [path], editor: ANN, mayShop: false });
    await expect(release).rejects.toMatchObject({ reason: "of_shop", files: [path] });
  }
  const asked = await post("/admin/publish", [
    ["drafts", drafts],
    ["file", about],
  ]);
  expect([asked.statusCode, readRequest(repository)?.mayShop]).toEqual([303, false]);
});

test("a file of the shop that was renamed to a page is still the shop's", async () => {
  const { repository } = await openAdmin();
  const path = "content/pages/settings.md";
  const text = (await textOf(repository, MAIN, "content/store.yaml")) ?? "";
  const blob = (await readFile(repository, MAIN, "content/store.yaml"))?.id;
  await saveToDrafts(repository, {
    changes: [
      { path, bytes: Buffer.from(text) },
      { path: "content/store.yaml", bytes: null },
    ],
    seen: [{ path: "content/store.yaml", id: blob }],
    author: ANN,
    message: "Rename",
  });
  const [drafts, main] = [await readDrafts(repository), (await readCommit(repository, MAIN)) ?? ""];
  const release = writePublication(repository, main, { drafts, files: [path], editor: ANN, mayShop: false });
  await expect(release).rejects.toMatchObject({ reason: "of_shop", files: [path] });
});

test("what others saved, and what has mistakes, isn't ticked, and mistakes are refused before anything is built", async () => {
  const { repository, get, post, save } = await openAdmin();
  await save(about, (text) => text.replace("We test.", "We test twice."));
  await save("content/pages/contact.md", (text) => text.replace("Write", "Do write"), BOB);
  await save(kestrel, (text) => text.replace('"189.00"', '"x"'));
  const { body } = await get("/admin/publish");
  const ticked = [...body.matchAll(/name="file" value="([^"]*)" id="[^"]*" checked/g)].map(([, path]) => path);
  expect(ticked).toEqual([about]);
  expect(body).toMatch(
    /pages\/contact\.md<\/label> <span class="muted">changed, Bob, 20\d\d-\d\d-\d\d \d\d:\d\d<\/span>/,
  );
  const drafts = await readDrafts(repository);
  const asked = await post("/admin/publish", [
    ["drafts", drafts],
    ["file", about],
    ["file", kestrel],
  ]);
  expect([asked.statusCode, readRequest(repository)]).toEqual([409, undefined]);
  expect(asked.body).toMatch(
    /There are mistakes, so nothing was published\.[\s\S]*<li>\S*kestrel-c2\.md, line \d+: Price /,
  );
});

test("what is published is checked alone: a mistake that another draft has hidden is told, and one that it has caused isn't", async () => {
  const { repository, post, save } = await openAdmin();
  const withSku = (text: string, sku: string) => text.replace(/^sku: .*$/m, `sku: ${sku}`);
  // Ann's draft has the SKU that Bob's gives up.
  const osprey = "content/products/barcode-scanners/osprey-2.md";
  await save(osprey, () => newProduct("osprey-2", "55.00").replace(/^sku: .*$/m, "sku: KES-C2"));
  await save(kestrel, (text) => withSku(text, "KES-C3"), BOB);
  const ask = async (file: string) =>
    post("/admin/publish", [
      ["drafts", await readDrafts(repository)],
      ["file", file],
    ]);
  const refused = await ask(osprey);
  expect([refused.statusCode, readRequest(repository)]).toEqual([409, undefined]);
  expect(refused.body).toMatch(/<li>\S*md, line \d+: SKU KES-C2 is also in /);
  // Now Ann's has Bob's new one.
  await save(osprey, (text) => withSku(text, "KES-C3"));
  expect((await ask(osprey)).statusCode).toBe(303);
});

test("a draft is discarded, changed, new, deleted or renamed, and what others drafted stays", async () => {
  const { repository, get, post, save, draft } = await openAdmin();
  const [added, renamed] = ["content/pages/new.md", "content/pages/write-to-us.md"];
  const contact = await readFile(repository, await readDrafts(repository), "content/pages/contact.md");
  await save(about, (text) => text.replace("We test.", "We test twice."));
  await save(added, () => "---\ntitle: New\n---\n");
  await saveToDrafts(repository, {
    changes: [
      { path: "content/pages/contact.md", bytes: null },
      { path: renamed, bytes: contact?.bytes ?? null },
      { path: "content/pages/shipping.md", bytes: null },
    ],
    seen: [],
    author: BOB,
    message: "Rename one, delete another",
  });
  await save(kestrel, (text) => text.replace('"189.00"', '"190.00"'), BOB);
  const discard = async (file: string, drafts: string) => {
    const answer = await post("/admin/publish/discard", [
      ["drafts", drafts],
      ["path", file],
    ]);
    return [answer.statusCode, answer.headers.location];
  };
  const opened = await readDrafts(repository);
  for (const path of [about, added, renamed, "content/pages/shipping.md"])
    expect(await discard(path, await readDrafts(repository))).toEqual([303, "/admin/publish"]);
  const shown = (await get("/admin/publish")).body;
  expect([...shown.matchAll(/name="file" value="([^"]*)" id=/g)].map(([, path]) => path)).toEqual([kestrel]);
  expect(await draft(kestrel)).toContain('"190.00"');
  // Twice, and on a page that has been overtaken.
  expect(await discard(about, await readDrafts(repository))).toEqual([409, undefined]);
  expect(await discard(kestrel, opened)).toEqual([409, undefined]);
});

test("while a publication runs, the page shows its step and loads itself again, and refuses another", async () => {
  const { repository, get, post, save } = await openAdmin();
  await save(about, (text) => text.replace("We test.", "We test twice."));
  const drafts = await readDrafts(repository);
  const progress = { id: "1", editor: BOB, step: "build", since: "2026-11-23T08:00:00Z" } as const;
  requestPublication(repository, { id: "1", editor: BOB, drafts, files: [about], mayShop: true });
  writeProgress(repository, progress);
  const running = await get("/admin/publish");
  expect(running.body).toContain('<noscript><meta http-equiv="refresh" content="1"></noscript>');
  expect(running.body).toContain("Bob is publishing. Checking and building the shop");
  const second = await post("/admin/publish", [
    ["drafts", drafts],
    ["file", about],
  ]);
  expect([second.statusCode, readRequest(repository)?.id]).toEqual([409, "1"]);
  const items = ["content/pages/about.md:3: title is missing."];
  endPublication(repository, { ...progress, isLive: false, failure: { reason: "mistakes", items } });
  const ended = await get("/admin/publish");
  expect(ended.body).not.toContain("http-equiv");
  expect(ended.body).toContain("<li>pages/about.md, line 3: Title is missing.</li>");
});

test("a change that is stored but couldn't be shown is published again, with the reference under which the log says why", async () => {
  const { repository, get, post } = await openAdmin();
  const failed = { id: "1", editor: BOB, step: "live", since: "2026-11-23T08:00:00Z" } as const;
  endPublication(repository, { ...failed, isLive: false, failure: { reason: "not_shown", reference: "a1b2c3d4" } });
  const { body } = await get("/admin/publish");
  expect(body).toMatch(/The change is stored, but couldn&#39;t be shown\.[\s\S]*this reference: a1b2c3d4/);
  expect(body).toContain('<button type="submit" name="again">Publish it again</button>');
  expect((await post("/admin/publish", [["again", ""]])).statusCode).toBe(303);
  expect(readRequest(repository)).toMatchObject({ editor: ANN, files: [] });
});

test("what somebody saved after the page was opened is not published unseen", async () => {
  const { repository, post, save } = await openAdmin();
  await save(about, (text) => text.replace("We test.", "We test twice."));
  const drafts = await readDrafts(repository);
  await save(about, (text) => text.replace("twice", "thrice"), BOB);
  const late = await post("/admin/publish", [
    ["drafts", drafts],
    ["file", about],
  ]);
  expect([late.statusCode, readRequest(repository)]).toEqual([409, undefined]);
});

test("a renamed page is one change, and publishing it removes the old file", async () => {
  const { repository, publish, get } = await openAdmin();
  const file = await readFile(repository, await readDrafts(repository), about);
  const renamed = "content/pages/about-us.md";
  await saveToDrafts(repository, {
    changes: [
      { path: about, bytes: null },
      { path: renamed, bytes: file?.bytes ?? null },
    ],
    seen: [{ path: about, id: file?.id }],
    author: ANN,
    message: "Rename",
  });
  expect((await get("/admin/publish")).body).toContain("renamed, before: pages/about.md");
  await publish(renamed);
  expect([await textOf(repository, MAIN, about), await textOf(repository, MAIN, renamed)]).toEqual([
    undefined,
    file?.bytes.toString(),
  ]);
});

test("files that contradict what is live are shown with both versions, and the editor chooses which stays", async () => {
  const { repository, get, post, save, push, publish, draft } = await openAdmin();
  const text = (await textOf(repository, MAIN, about)) ?? "";
  await save(about, (before) => before.replace("We test.", "We test twice."));
  await save(kestrel, (before) => before.replace("189.00", "190.00"));
  await push(about, text.replace("We test.", "We test daily."));
  await push(kestrel, ((await textOf(repository, MAIN, kestrel)) ?? "").replace("189.00", "191.00"));
  const { body } = await get("/admin/publish");
  expect(body).toMatch(/<del>We test daily\. .*<\/del>\n<ins>We test twice\. /);
  expect(body).toContain(`name="keep:${about}" value="draft"`);
  await expect(publish(about)).rejects.toThrow(Unpublishable);
  const drafts = await readDrafts(repository);
  const half = await post("/admin/publish/conflicts", [
    ["drafts", drafts],
    [`keep:${about}`, "draft"],
  ]);
  expect([half.statusCode, await readDrafts(repository)]).toEqual([409, drafts]);
  const resolved = await post("/admin/publish/conflicts", [
    ["drafts", drafts],
    [`keep:${about}`, "draft"],
    [`keep:${kestrel}`, "live"],
  ]);
  expect(resolved.statusCode).toBe(303);
  expect(await draft(about)).toContain("We test twice.");
  expect(await draft(kestrel)).toContain("191.00");
  await publish(about);
  expect(await textOf(repository, MAIN, about)).toContain("We test twice.");
});

test("the history names who published what, and a publication is taken back as a draft, with what came later kept", async () => {
  const { repository, get, post, save, publish, draft } = await openAdmin();
  await save(about, (text) => text.replace("We test.", "We test twice."));
  const published = await publish(about);
  await save(about, (text) => text.replace(/^title: .*$/m, "title: All about us"));
  await publish(about);
  expect((await get("/admin/history")).body).toMatch(
    /Publish pages\/about\.md<\/a><br><span class="muted">Ann Änderung, /,
  );
  expect((await get(`/admin/history/${published}`)).body).toContain("<ins>We test twice. ");
  expect((await post(`/admin/history/${published}/revert`, [])).statusCode).toBe(303);
  const taken = await draft(about);
  expect([taken?.includes("We test."), taken?.includes("title: All about us")]).toEqual([true, true]);
  expect(await textOf(repository, MAIN, about)).toContain("We test twice.");
});

test("one file of a publication is taken back, and the others stay; where it has been changed since, that is said", async () => {
  const { repository, get, post, save, publish, draft } = await openAdmin();
  const [contact, renamed] = ["content/pages/contact.md", "content/pages/write-to-us.md"];
  const former = await textOf(repository, MAIN, contact);
  await save(about, (text) => text.replace("We test.", "We test twice."));
  await save(kestrel, (text) => text.replace("189.00", "199.00"));
  const changes = [
    { path: contact, bytes: null },
    { path: renamed, bytes: Buffer.from(former ?? "") },
  ];
  await saveToDrafts(repository, { changes, seen: [], author: ANN, message: "Rename" });
  const published = await publish(about, kestrel, renamed);
  const { body } = await get(`/admin/history/${published}`);
  for (const path of [about, kestrel, renamed])
    expect(body).toMatch(
      new RegExp(`form="revert" name="path" value="${path}" aria-label="Take this file back: \\S+"`),
    );
  const take = (path: string) => post(`/admin/history/${published}/revert`, [["path", path]]);
  expect((await take(kestrel)).headers.location).toBe("/admin/publish");
  expect([(await draft(kestrel))?.includes("189.00"), (await draft(about))?.includes("twice")]).toEqual([true, true]);
  expect((await take(renamed)).statusCode).toBe(303);
  expect([await draft(contact), await draft(renamed)]).toEqual([former, undefined]);
  const again = await take(kestrel);
  expect([again.statusCode, again.body]).toEqual([409, expect.stringContaining("This is as it was before already:")]);
  await save(about, (text) => text.replace("twice", "thrice"), BOB);
  const refused = await take(about);
  expect([refused.statusCode, refused.body]).toEqual([
    409,
    expect.stringMatching(/Somebody has changed the same lines since[\s\S]*<li>pages\/about\.md<\/li>/),
  ]);
  expect(await draft(about)).toContain("thrice");
});

test("what was changed again since can't be taken back blindly, and the message names the file", async () => {
  const { repository, post, save, publish } = await openAdmin();
  await save(about, (text) => text.replace("We test.", "We test twice."));
  const published = await publish(about);
  await save(about, (text) => text.replace("twice", "thrice"));
  const drafts = await readDrafts(repository);
  const { statusCode, body } = await post(`/admin/history/${published}/revert`, []);
  expect([statusCode, body]).toEqual([409, expect.stringContaining("pages/about.md")]);
  expect(await readDrafts(repository)).toBe(drafts);
});

test.each(["HEAD", "refs", "0".repeat(40), "--all"])("the history has no page for %s", async (id) => {
  const { get } = await openAdmin();
  expect([400, 404]).toContain((await get(`/admin/history/${id}`)).statusCode);
});

/** The fields of the table's form as a browser sends them. */
function fieldsOf(page: string): [string, string][] {
  const inputs = [...page.matchAll(/<input(?=[^>]* name="([^"]+)")(?=[^>]* value="([^"]*)")/g)];
  const selects = [...page.matchAll(/<select name="([^"]+:[^"]+)"[\s\S]*?<option value="([^"]*)" selected/g)];
  return [...inputs, ...selects].map(([, name = "", value = ""]) => [name, value]);
}

const withValue = (fields: [string, string][], name: string, value: string): [string, string][] =>
  fields.map((field) => (field[0] === name ? [name, value] : field));

test("prices and stock of all versions of a category are saved as one commit, and only what was changed", async () => {
  const { repository, get, post, draft } = await openAdmin();
  const osprey = "content/products/barcode-scanners/osprey.md";
  const { body } = await get("/admin/prices?category=barcode-scanners");
  const fields = fieldsOf(body);
  const unchanged = await post("/admin/prices?category=barcode-scanners", fields);
  expect([unchanged.statusCode, await readCommit(repository, DRAFTS)]).toEqual([
    200,
    await readCommit(repository, MAIN),
  ]);
  const changed = withValue(
    withValue(withValue(fields, `price:${kestrel}:0`, "199.00"), `availability:${osprey}:1`, "preorder"),
    `available_from:${osprey}:1`,
    "2099-03-01",
  );
  expect((await post("/admin/prices?category=barcode-scanners", changed)).statusCode).toBe(200);
  const before = await readCommit(repository, MAIN);
  const parent = await readCommit(repository, `${DRAFTS}^`);
  expect(parent).toBe(before);
  const [oldText = "", newText = ""] = [await textOf(repository, MAIN, kestrel), await draft(kestrel)];
  expect(newText).toBe(oldText.replace("189.00", "199.00"));
  expect(await draft(osprey)).toMatch(
    /sku: "?OSP-WH"?[\s\S]*availability: preorder\n[\s\S]*available_from: "?2099-03-01/,
  );
});

test("a mistake in the table is saved, and told with its line and what to write", async () => {
  const { get, post, draft } = await openAdmin();
  const fields = fieldsOf((await get("/admin/prices?category=barcode-scanners")).body);
  const wrong = withValue(fields, `price:${kestrel}:0`, "0.00");
  const { statusCode, body } = await post("/admin/prices?category=barcode-scanners", wrong);
  expect([statusCode, await draft(kestrel)]).toEqual([200, expect.stringContaining("0.00")]);
  const file = kestrel.replace("content/", "");
  expect(body).toMatch(new RegExp(`<li>${file}, line \\d+: Price `));
  const right = withValue(fieldsOf(body), `price:${kestrel}:0`, "91.50");
  expect((await post("/admin/prices?category=barcode-scanners", right)).body).not.toContain(`<li>${file}`);
});

test("a price is stored as the shop writes it, after the editor has seen how what was typed is meant", async () => {
  const { repository, get, post, draft } = await openAdmin();
  const { body } = await get("/admin/prices?category=barcode-scanners");
  const price = `price:${kestrel}:0`;
  const typed = await post("/admin/prices?category=barcode-scanners", withValue(fieldsOf(body), price, "1.089,5 €"));
  expect([typed.statusCode, await readCommit(repository, DRAFTS)]).toEqual([200, await readCommit(repository, MAIN)]);
  expect(typed.body).toContain("Nothing has been saved yet. Is this what you mean?");
  expect(typed.body).toMatch(
    /<li><a href="#price-(\d+)">[^<]+<\/a>: €1,089\.50<\/li>[\s\S]*id="price-\1"[^>]* value="1089\.50"/,
  );
  expect((await post("/admin/prices?category=barcode-scanners", fieldsOf(typed.body))).statusCode).toBe(200);
  expect(await draft(kestrel)).toContain('price: "1089.50"');
});

test("a price with two readings, and one that isn't a price, are asked for at their fields, and nothing is saved", async () => {
  const { repository, get, post, draft } = await openAdmin();
  const osprey = "content/products/barcode-scanners/osprey.md";
  const price = `price:${kestrel}:0`;
  const fields = withValue(
    withValue(fieldsOf((await get("/admin/prices?category=barcode-scanners")).body), price, "1.089"),
    `price:${osprey}:1`,
    "about 90",
  );
  const asked = await post("/admin/prices?category=barcode-scanners", fields);
  expect([asked.statusCode, await readCommit(repository, DRAFTS)]).toEqual([422, await readCommit(repository, MAIN)]);
  expect(await findHtmlFaults(asked.body, "the table")).toEqual([]);
  expect(asked.body).toContain("Price: “1.089” may be €1,089.00 or €1.09. Write 1089.00 or 1.09.");
  expect(asked.body).toContain("Price: “about 90” isn&#39;t an amount in this shop&#39;s currency.");
  expect(fieldsOf(asked.body)).toContainEqual([`price:${osprey}:1`, "about 90"]);
  const choices = fieldsOf(asked.body).filter(([name]) => name === `meant:${price}`);
  expect(choices.map(([, value]) => value)).toEqual(["1089.00", "1.09"]);
  const chosen: [string, string][] = [...withValue(fields, `price:${osprey}:1`, "90"), [`meant:${price}`, "1.09"]];
  const read = await post("/admin/prices?category=barcode-scanners", chosen);
  expect([read.statusCode, read.body]).toEqual([200, expect.stringContaining(": €90.00</li>")]);
  await post("/admin/prices?category=barcode-scanners", fieldsOf(read.body));
  expect([await draft(kestrel), await draft(osprey)]).toEqual([
    expect.stringContaining('price: "1.09"'),
    expect.stringContaining('price: "90.00"'),
  ]);
});

test("a price that was wrong in the file already doesn't keep others from being saved", async () => {
  const { get, post, save, draft } = await openAdmin();
  await save(kestrel, (text) => text.replace("189.00", "1.089"));
  const fields = fieldsOf((await get("/admin/prices?category=barcode-scanners")).body);
  const osprey = "content/products/barcode-scanners/osprey.md";
  const changed = withValue(fields, `price:${osprey}:0`, "90.00");
  expect((await post("/admin/prices?category=barcode-scanners", changed)).statusCode).toBe(200);
  expect(await draft(osprey)).toContain('price: "90.00"');
});

test("prices are said to be saved even where they can't be checked", async () => {
  const { folder, get, post, draft } = await openAdmin();
  const fields = fieldsOf((await get("/admin/prices?category=barcode-scanners")).body);
  // Nothing can be checked out there any more.
  rmSync(folder, { recursive: true });
  writeFileSync(folder, "");
  const changed = withValue(fields, `price:${kestrel}:0`, "199.00");
  const { statusCode, body } = await post("/admin/prices?category=barcode-scanners", changed);
  expect([statusCode, body]).toEqual([200, expect.stringContaining(`Saved as drafts: ${kestrel}`)]);
  expect(await draft(kestrel)).toContain("199.00");
});

test("a table whose product somebody else has changed saves nothing, says so, and keeps what was entered", async () => {
  const { repository, get, post, save } = await openAdmin();
  const fields = fieldsOf((await get("/admin/prices?category=barcode-scanners")).body);
  await save(kestrel, (text) => text.replace("189.00", "150.00"), BOB);
  const drafts = await readDrafts(repository);
  const { statusCode, body } = await post(
    "/admin/prices?category=barcode-scanners",
    withValue(fields, `price:${kestrel}:0`, "199.00"),
  );
  expect([statusCode, body]).toEqual([409, expect.stringContaining(kestrel)]);
  expect(await readDrafts(repository)).toBe(drafts);
  expect(fieldsOf(body)).toContainEqual([`price:${kestrel}:0`, "199.00"]);
  expect((await post("/admin/prices?category=barcode-scanners", fieldsOf(body))).statusCode).toBe(200);
  expect(await textOf(repository, DRAFTS, kestrel)).toContain("199.00");
});

test("columns that the partner's system decides can't be changed, and a table that was opened before says so", async () => {
  const { repository, get, post, save, draft } = await openAdmin();
  const opened = fieldsOf((await get("/admin/prices?category=barcode-scanners")).body);
  await save("content/store.yaml", (text) => `${text}\nerp: { owns: [price] }\n`);
  const before = await readDrafts(repository);
  const day = `available_from:${kestrel}:0`;
  const late = await post(
    "/admin/prices?category=barcode-scanners",
    withValue(withValue(opened, `price:${kestrel}:0`, "199.00"), day, "2099-03-01"),
  );
  expect([late.statusCode, await readDrafts(repository)]).toEqual([409, before]);
  expect(late.body).toContain("Nothing was saved");
  expect(await findHtmlFaults(late.body, "the table")).toEqual([]);
  const fields = fieldsOf(late.body);
  expect(fields.filter(([name]) => name.startsWith("price:"))).toEqual([]);
  expect(fields).toContainEqual([day, "2099-03-01"]);
  expect(late.body).toMatch(/sets the prices[\s\S]*<td data-name="Price">189\.00<\/td>/);
  await post("/admin/prices?category=barcode-scanners", fields);
  expect(await draft(kestrel)).toMatch(/price: "189\.00"[\s\S]*available_from: "?2099-03-01/);
  await save("content/store.yaml", (text) => text.replace("owns: [price]", "owns: [stock]"));
  const counted = (await get("/admin/prices?category=barcode-scanners")).body;
  const names = new Set(fieldsOf(counted).map(([name]) => name.split(":")[0]));
  expect([names.has("price"), names.has("availability")]).toEqual([true, false]);
  expect(counted).toMatch(/counts the pieces[\s\S]*<td data-name="Availability">In stock<\/td>/);
});

test("the table writes to products alone", async () => {
  const { repository, post } = await openAdmin();
  const id = (await readFile(repository, MAIN, about))?.id ?? "";
  const { statusCode } = await post("/admin/prices?category=barcode-scanners", [[`base:${about}`, id]]);
  expect([statusCode, await readCommit(repository, DRAFTS)]).toEqual([422, await readCommit(repository, MAIN)]);
});
