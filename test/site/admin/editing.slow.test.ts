import { rmSync } from "node:fs";
import { posix } from "node:path";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { DRAFTS, MAIN } from "../../../site/admin/content/drafts.ts";
import { git, moveRef, readCommit, readLog, writeCommit } from "../../../site/admin/content/git.ts";
import type { FormGroup } from "../../../site/admin/forms/form.ts";
import { base64, openAdmin, send } from "./admin-app.ts";
import { ANN, BOB, textOf } from "./repository.ts";

const printer = "content/products/receipt-printers/pellcott-r80.md";
const terms = "content/pages/terms.md";
const svg = (inside: string) => `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600">${inside}</svg>`;

test("nobody gets in without the headers that nginx sets", async () => {
  const { app, get } = await openAdmin();
  for (const url of ["/admin/history", "/admin/cms/", "/admin/cms/config.json", "/api/admin/user", "/api/admin/problems"]) {
    const answer = await get(url, {});
    expect([answer.statusCode, answer.json().message]).toEqual([401, expect.stringMatching(/no longer signed in/)]);
  }
  const write = await app.inject({ method: "POST", url: "/api/admin/repos/shop/content/contents", payload: {} });
  expect(write.statusCode).toBe(401);
});

test("an editor who opens what isn't there, or can't be read, is told so in a page", async () => {
  const { get, repository } = await openAdmin();
  const browser = { "editor-name": "Ann", "editor-email": "a@b.example", accept: "text/html" };
  const missing = await get("/admin/histories", browser);
  expect([missing.statusCode, missing.headers["content-type"]]).toEqual([404, "text/html; charset=utf-8"]);
  expect(missing.body).toContain("<p>There is no such page.");
  await git(repository, ["update-ref", "-d", DRAFTS]);
  await git(repository, ["update-ref", "-d", MAIN]);
  const unreadable = await get("/admin/history", browser);
  expect(unreadable.statusCode).toBe(503);
  expect(unreadable.body).toContain("Nothing is lost: please try again in a minute.");
  expect((await get("/admin/publish")).json().message).toContain("Nothing is lost");
});

test("an editor's name is what Git can write of it", async () => {
  const { get } = await openAdmin();
  const named = { "editor-name": encodeURIComponent("<b>Änn"), "editor-email": "a@b.example" };
  const answer = await get("/api/admin/user", named);
  expect([answer.headers["cache-control"], answer.json().full_name]).toEqual(["no-store", "bÄnn"]);
});

test("a page leads to orders and stock alone who may open them", async () => {
  const { get, editor } = await openAdmin();
  const linksFor = async (rights: string) => {
    const { body } = await get("/admin/history", editor(ANN, rights));
    return ["/admin/orders", "/admin/stock", "/admin/publish"].filter((path) => body.includes(`href="${path}"`));
  };
  expect(await linksFor("content")).toEqual(["/admin/publish"]);
  expect(await linksFor("content,orders")).toEqual(["/admin/orders", "/admin/stock", "/admin/publish"]);
});

test("a changed price is one line of a commit by the editor", async () => {
  const { repository, open, save } = await openAdmin();
  const before = (await textOf(repository, MAIN, printer)) ?? "";
  const { sha, form, format } = await open(printer);
  (form.values["variants"] as { price: string }[])[0] = {
    ...(form.values["variants"] as { price: string }[])[0],
    price: "1234.00",
  };
  const answer = await save([{ operation: "update", path: printer, sha, content: send(format, form) }]);
  expect(answer.statusCode).toBe(201);
  const after = (await textOf(repository, DRAFTS, printer)) ?? "";
  const changed = after.split("\n").filter((line, index) => line !== before.split("\n")[index]);
  expect(changed).toEqual([expect.stringMatching(/^ +price: "1234\.00"$/)]);
  const [entry] = await readLog(repository, DRAFTS, { limit: 1 });
  expect(entry).toMatchObject({ id: answer.json().commit.sha, author: ANN, subject: "Edit" });
  expect((await open(printer)).sha).toBe(answer.json().files[0].sha);
});

test("the second of two editors gets 409 with both versions, and loses nothing", async () => {
  const { repository, open, save } = await openAdmin();
  const { sha, form, format } = await open(terms);
  const written = (title: string) => send(format, { ...form, values: { ...form.values, title } });
  const update = { operation: "update" as const, path: terms, sha };
  expect((await save([{ ...update, content: written("Bob's terms") }], BOB)).statusCode).toBe(201);
  const answer = await save([{ ...update, content: written("Ann's terms") }]);
  expect(answer.statusCode).toBe(409);
  const { message, files } = answer.json();
  expect(message).toMatch(
    /^Bob and you have both changed this in content\/pages\/terms\.md, .*\nTitle: Bob “Bob's terms”, you “Ann's terms”$/,
  );
  expect(files).toEqual([
    { path: terms, yours: expect.stringContaining("Ann's terms"), theirs: expect.stringContaining("Bob's terms") },
  ]);
  expect(await textOf(repository, DRAFTS, terms)).toContain("Bob's terms");
});

describe("when somebody else has saved, renamed or deleted the file meanwhile", () => {
  const moved = "content/pages/conditions.md";

  /** Terms as Ann has them open, and what Bob makes of them. */
  async function openTerms() {
    const admin = await openAdmin();
    const { sha, form, format } = await admin.open(terms);
    const bobs = (values: FormGroup) => send(format, { ...form, values: { ...form.values, ...values } });
    const renamed = { operation: "update" as const, path: moved, from_path: terms, sha, content: send(format, form) };
    return { ...admin, sha, form, format, bobs, renamed, update: { operation: "update" as const, path: terms, sha } };
  }

  test("a save keeps what each of the two has changed", async () => {
    const { repository, save, bobs, update, form, format } = await openTerms();
    await save([{ ...update, content: bobs({ title: "Bob's title" }) }], BOB);
    const body = form.body.replace("## Whom", "## To whom");
    const values = { ...form.values, summary: "Ann's summary." };
    expect((await save([{ ...update, content: send(format, { values, body }) }])).statusCode).toBe(201);
    const text = await textOf(repository, DRAFTS, terms);
    for (const part of ["title: Bob's title\n", "summary: Ann's summary.\n", "## To whom"])
      expect(text).toContain(part);
  });

  test("a file that was renamed isn't made again without being asked for, and then it is", async () => {
    const { app, editor, repository, save, bobs, update, form, format, renamed } = await openTerms();
    expect((await save([renamed], BOB)).statusCode).toBe(201);
    const answer = await save([{ ...update, content: bobs({ title: "Ann's title" }) }]);
    expect([answer.statusCode, answer.json().message]).toEqual([
      409,
      expect.stringMatching(/^Bob has deleted or renamed content\/pages\/terms\.md/),
    ]);
    expect(await textOf(repository, DRAFTS, terms)).toBeUndefined();
    const data = { ...form.values, title: "Ann's title", body: form.body };
    const prepare = (choice?: object) => {
      const payload = { path: terms, isNew: false, data, shown: [], choice };
      return app.inject({ method: "POST", url: "/api/admin/forms", headers: editor(ANN), payload });
    };
    const { on, dialog } = (await prepare()).json();
    expect([on, Object.keys(dialog.answers)]).toEqual([null, ["mine"]]);
    const { body, ...values } = (await prepare({ prefer: "mine", on })).json().data;
    const saved = await save([{ operation: "update", path: terms, content: send(format, { values, body }) }]);
    expect(saved.statusCode).toBe(201);
    expect(await textOf(repository, DRAFTS, terms)).toMatch(/^---\ntitle: Ann's title\n/);
  });

  test("a file that is renamed takes what was saved under its old name with it", async () => {
    const { repository, save, bobs, update, renamed } = await openTerms();
    await save([{ ...update, content: bobs({ title: "Bob's title" }) }], BOB);
    expect((await save([renamed])).statusCode).toBe(201);
    expect(await textOf(repository, DRAFTS, terms)).toBeUndefined();
    const text = await textOf(repository, DRAFTS, moved);
    expect(text).toContain("title: Bob's title\n");
    expect(text).toContain("formerly: [terms]\n");
  });

  test("a file isn't made or renamed over another's, and the answer says that the name is taken", async () => {
    const { app, editor, repository, save, form, bobs } = await openTerms();
    await save([{ operation: "create", path: moved, content: bobs({ title: "Bob's" }) }], BOB);
    for (const isNew of [true, false]) {
      const payload = { path: moved, isNew, data: { ...form.values, title: "Ann's", body: form.body }, shown: [] };
      const answer = await app.inject({ method: "POST", url: "/api/admin/forms", headers: editor(ANN), payload });
      expect([answer.statusCode, answer.json().message]).toEqual([
        422,
        `${moved} is there already. Give yours another title or name.`,
      ]);
    }
    expect(await textOf(repository, DRAFTS, moved)).toContain("title: Bob's\n");
  });

  test("a file isn't deleted by somebody who hasn't seen what was saved", async () => {
    const { repository, save, bobs, update, sha } = await openTerms();
    await save([{ ...update, content: bobs({ title: "Bob's title" }) }], BOB);
    const answer = await save([{ operation: "delete", path: terms, sha }]);
    expect([answer.statusCode, answer.json().message]).toEqual([
      409,
      expect.stringMatching(/^Bob has changed content\/pages\/terms\.md since you opened it, so it wasn't deleted/),
    ]);
    expect(await textOf(repository, DRAFTS, terms)).toContain("Bob's title");
  });
});

test("what was deleted is missed where other files name it, and the check says so", async () => {
  const { find, get, save } = await openAdmin();
  await save([{ operation: "delete", path: printer, sha: await find(printer) }]);
  const { problems } = (await get(`/api/admin/problems?gone=${printer}`)).json();
  expect(problems.length).toBeGreaterThan(0);
  for (const problem of problems) expect(problem).toMatch(/^content\/.*pellcott-r80/);
});

test("a new product is written with its picture in one commit, and another cannot take its place", async () => {
  const { repository, save } = await openAdmin();
  const path = "content/products/receipt-printers/acme-p1.md";
  const files = [
    {
      operation: "create" as const,
      path,
      content: base64("---\ntitle: Acme P1\nprice: '79.00'\ndraft: true\n---\n\nNew.\n"),
    },
    { operation: "create" as const, path: "content/products/receipt-printers/acme-p1.svg", content: base64(svg("")) },
  ];
  expect((await save(files)).statusCode).toBe(201);
  expect(await textOf(repository, DRAFTS, path)).toBe('---\ntitle: Acme P1\nprice: "79.00"\ndraft: true\n---\nNew.\n');
  expect(await textOf(repository, DRAFTS, "content/products/receipt-printers/acme-p1.svg")).toBe(svg(""));
  expect((await save(files)).statusCode).toBe(409);
});

test("a draft with mistakes is kept, and the check names them", async () => {
  const { get, open, save } = await openAdmin();
  const { sha, form, format } = await open(terms);
  const values = { ...form.values, summary: "", questions: [{ question: "Why?" }] };
  const answer = await save([{ operation: "update", path: terms, sha, content: send(format, { ...form, values }) }]);
  expect(answer.statusCode).toBe(201);
  const { problems } = (await get(`/api/admin/problems?path=${terms}`)).json();
  expect(problems).toEqual([
    expect.stringMatching(/^content\/pages\/terms\.md:\d+: summary is missing/),
    expect.stringMatching(/^content\/pages\/terms\.md:\d+: question 1, answer is missing/),
  ]);
});

describe("a renamed page", () => {
  const renamed = "content/pages/conditions.md";

  test("keeps its old address, if visitors know it", async () => {
    const { repository, open, save } = await openAdmin();
    const { sha, form, format } = await open(terms);
    const file = { operation: "update" as const, path: renamed, from_path: terms, sha, content: send(format, form) };
    expect((await save([file])).statusCode).toBe(201);
    expect(await textOf(repository, DRAFTS, terms)).toBeUndefined();
    expect(await textOf(repository, DRAFTS, renamed)).toContain("formerly: [terms]\n");
  });

  test("that was never published has none", async () => {
    const { repository, open, save, find } = await openAdmin();
    const draft = "content/pages/new.md";
    await save([{ operation: "create", path: draft, content: base64("---\ntitle: New\n---\n") }]);
    const { form, format } = await open(draft);
    const sha = await find(draft);
    await save([{ operation: "update", path: renamed, from_path: draft, sha, content: send(format, form) }]);
    expect(await textOf(repository, DRAFTS, renamed)).toBe("---\ntitle: New\n---\n");
  });
});

test("files are deleted", async () => {
  const { repository, find, save } = await openAdmin();
  const answer = await save([{ operation: "delete", path: terms, sha: await find(terms) }]);
  expect([answer.statusCode, answer.json().files]).toEqual([201, [null]]);
  expect(await textOf(repository, DRAFTS, terms)).toBeUndefined();
});

describe("with a text that is deleted", () => {
  const folder = "content/products/scanners";
  const product = (picture: string, more = "") =>
    `---\ntitle: A\nimages:\n  - src: ./${picture}\n    alt: A\n${more}---\n`;

  test("go the pictures and documents that it alone names, and no others, though Sveltia deletes all beside it", async () => {
    const { repository, find, save } = await openAdmin({
      files: {
        [`${folder}/a.md`]: product("a.svg", "documents:\n  - file: ./a.pdf\n"),
        [`${folder}/b.md`]: product("b.svg", "documents:\n  - file: ./both.pdf\n"),
        "content/guides/g.md": "---\ntitle: G\n---\n![C](../products/scanners/%C3%BC%20c.svg)\n",
        "content/pages/a.md": "---\ntitle: Another a.svg\n---\n![Not that one](./a.svg) kes-a.svg\n",
        ...Object.fromEntries(
          ["a.svg", "b.svg", "ü c.svg", "a.pdf", "both.pdf"].map((name) => [`${folder}/${name}`, name]),
        ),
      },
    });
    const names = ["a.md", "a.svg", "b.svg", "ü c.svg", "a.pdf", "both.pdf"].map((name) => `${folder}/${name}`);
    const deletions = names.map(async (path) => ({ operation: "delete" as const, path, sha: await find(path) }));
    expect((await save(await Promise.all(deletions))).statusCode).toBe(201);
    const left = await Promise.all(
      names.map(async (path) => ((await find(path)) === undefined ? [] : posix.basename(path))),
    );
    expect(left.flat()).toEqual(["b.svg", "ü c.svg", "both.pdf"]);
    expect(await textOf(repository, DRAFTS, `${folder}/b.svg`)).toBe("b.svg");
  });

  test("a picture that a text names isn't deleted alone, and the answer says where it is in use", async () => {
    const path = `${folder}/a.svg`;
    const { find, open, save } = await openAdmin({ files: { [`${folder}/a.md`]: product("a.svg"), [path]: "a" } });
    const answer = await save([{ operation: "delete", path, sha: await find(path) }]);
    expect([answer.statusCode, answer.json().message]).toEqual([
      422,
      `${path} is in use in ${folder}/a.md. Take it out there first, or it would be missing.`,
    ]);
    const { sha, form, format } = await open(`${folder}/a.md`);
    const content = send(format, { ...form, values: { ...form.values, images: [] } });
    const emptied = { operation: "update" as const, path: `${folder}/a.md`, sha, content };
    const gone = { operation: "delete" as const, path, sha: await find(path) };
    expect((await save([emptied, gone])).statusCode).toBe(201);
    expect(await find(path)).toBeUndefined();
  });
});

describe("what is refused with a sentence, and not saved", () => {
  const form = base64("---\ntitle: A\n---\n");
  const paths = [
    "outside.md",
    "content/../outside.md",
    "content/pages/../../api/app.ts",
    "/content/pages/a.md",
    "content/.git/hooks/post-update",
    ".git/config",
    "content/pages/.hidden.md",
    "content/pages/-o.md",
    "content/pages/a\0.md",
    "content/pages/a\nb.md",
    "content/pages/a\u202Eb.md",
    "content\\pages\\a.md",
    "content/pages/C:a.md",
    `content/pages/${"a".repeat(1_000_000)}.md`,
    "content/a/b/c/d/e/f.md",
    "content/pages/script.js",
    "content/pages/page.html",
    "content/README.md",
    "content/theme.css",
    "content/static/sign.png",
    "content/static/terms.pdf",
  ];
  test.each(paths)("a file named %j", async (path) => {
    const { repository, save } = await openAdmin({ files: { [terms]: "---\ntitle: A\n---\n" } });
    const answer = await save([{ operation: "create", path, content: form }]);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().message).toMatch(
      /can't be a file's name|isn't a text, a picture or a document|come by Git alone/,
    );
    expect(await readCommit(repository, DRAFTS)).toBe(await readCommit(repository, MAIN));
  });

  test("whatever is at or below a symbolic link", async () => {
    const { repository, save } = await openAdmin({ files: { [terms]: "---\ntitle: A\n---\n" } });
    const blob = (await git(repository, ["hash-object", "-w", "--stdin"], { input: "/etc" })).toString().trim();
    const link = (name: string) => `120000 blob ${blob}\t${name}\n`;
    const pages = (await git(repository, ["mktree"], { input: link("link.md") })).toString().trim();
    const content = (await git(repository, ["mktree"], { input: `040000 tree ${pages}\tpages\n${link("guides")}` }))
      .toString()
      .trim();
    const tree = (await git(repository, ["mktree"], { input: `040000 tree ${content}\tcontent\n` })).toString().trim();
    const main = await readCommit(repository, MAIN);
    await moveRef(
      repository,
      MAIN,
      await writeCommit(repository, { tree, parents: [main ?? ""], author: ANN, message: "Links" }),
      main,
    );
    for (const path of ["content/pages/link.md", "content/guides/passwd.md"]) {
      const answer = await save([{ operation: "create", path, content: form }]);
      expect([answer.statusCode, answer.json().message]).toEqual([
        422,
        expect.stringMatching(/isn't a plain file or folder/),
      ]);
    }
  });

  const picture = "content/products/receipt-printers/new";
  const uploads: [string, string, () => Promise<string | Buffer>, RegExp][] = [
    ["an SVG with a script", `${picture}.svg`, async () => svg("<script>alert(1)</script>"), /contains <script>/],
    ["an SVG that handles an event", `${picture}.svg`, async () => svg('<g onload="alert(1)"/>'), /runs a script/],
    [
      "an SVG that loads a file",
      `${picture}.svg`,
      async () => svg('<image href="https://evil.example/a.png"/>'),
      /refers to https/,
    ],
    [
      "a picture bomb",
      `${picture}.png`,
      () =>
        sharp({ create: { width: 9000, height: 9000, channels: 3, background: "#fff" } })
          .png()
          .toBuffer(),
      /9,000 × 9,000 pixels/,
    ],
    ["a program with a picture's name", `${picture}.png`, async () => "#!/bin/sh\n", /can't be read as a picture/],
    ["a picture of 21 MB", `${picture}.jpg`, async () => Buffer.alloc(21_000_000), /21 MB. The limit is 20 MB/],
  ];
  test.each(uploads)("%s", async (_, path, make, message) => {
    const { repository, save } = await openAdmin({ files: { [terms]: "---\ntitle: A\n---\n" } });
    const answer = await save([{ operation: "create", path, content: base64(await make()) }]);
    expect([answer.statusCode, answer.json().message]).toEqual([422, expect.stringMatching(message)]);
    expect(await readCommit(repository, DRAFTS)).toBe(await readCommit(repository, MAIN));
  });

  test("a form that can't be read", async () => {
    const { find, save } = await openAdmin();
    for (const text of ["no fields", "---\ntitle: [\n---\n", "---\n- a\n---\n"]) {
      const answer = await save([{ operation: "update", path: terms, sha: await find(terms), content: base64(text) }]);
      expect(answer.statusCode).toBe(422);
    }
  });

  test("a text that isn't UTF-8, which a save would damage", async () => {
    const { find, save } = await openAdmin({ files: { [terms]: Buffer.from("---\ntitle: Caf\xe9\n---\n", "latin1") } });
    const answer = await save([{ operation: "update", path: terms, sha: await find(terms), content: form }]);
    expect([answer.statusCode, answer.json().message]).toEqual([422, expect.stringMatching(/isn't in UTF-8/)]);
  });

  test("a body that is no save at all", async () => {
    const { app, save } = await openAdmin();
    expect((await save([])).statusCode).toBe(400);
    const headers = { "editor-name": "A", "editor-email": "a", "content-type": "text/plain" };
    const url = "/api/admin/repos/shop/content/contents";
    expect((await app.inject({ method: "POST", url, headers, payload: "{}" })).statusCode).toBe(400);
  });
});

test("pictures are served without what a page may do, and nothing outside the drafts is", async () => {
  const { get } = await openAdmin({ files: { "content/pages/home.svg": svg(""), [terms]: "---\ntitle: A\n---\n" } });
  const media = "/api/admin/repos/shop/content/media/drafts/";
  const { headers, body } = await get(`${media}content/pages/home.svg`);
  expect(body).toBe(svg(""));
  expect(headers["content-type"]).toBe("image/svg+xml");
  expect(headers["content-security-policy"]).toMatch(/default-src 'none'.*sandbox/);
  for (const path of ["content/pages/none.svg", "../etc/passwd.png", "content/pages/%2e%2e/%2e%2e/HEAD.svg"])
    expect((await get(media + path)).statusCode).toBe(404);
});

test("without a repository the admin says so, and works once it is back", async () => {
  const { repository, get } = await openAdmin();
  rmSync(repository, { recursive: true });
  const answer = await get("/api/admin/repos/shop/content/branches/drafts");
  expect([answer.statusCode, answer.json().message]).toEqual([
    503,
    expect.stringMatching(/can't be read or saved right now/),
  ]);
});
