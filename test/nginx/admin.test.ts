import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeLoggerOptions } from "../../api/platform/monitoring/log.ts";
import { addEditor, setRights } from "../../api/staff/sign-in/editors.ts";
import { buildTemplates } from "../api/platform/private-pages/pages.ts";
import { ann, startEditors, startWithAnn } from "../api/staff/sign-in/editors-shop.ts";
import { startAdmin } from "./admin-process.ts";
import { headerLines, type RawAnswer, rawRequest } from "./raw-request.ts";
import { runNginx, type TestNginx } from "./run-nginx.ts";
import { signInFiles } from "./sign-in-files.ts";

/** What a browser at the admin's own address sends. */
const here = { Host: "shop.example", "X-Forwarded-Proto": "https" };
const own = { ...here, Origin: "https://shop.example", "Sec-Fetch-Site": "same-origin" };

/** nginx before the real API, where Ann is signed in, and a process that notes what reaches it, or none. */
async function runAdmin({ hasContent = true } = {}) {
  const log: string[] = [];
  const logger = {
    ...makeLoggerOptions({ texts: [], patterns: [] }),
    stream: { write: (line: string) => void log.push(line) },
  };
  const origin = "https://shop.example";
  const sessionPages = await buildTemplates();
  const { app, db, browser } = await startWithAnn({ logger, sessionPages, editors: { origin, hasContent } });
  const { port } = new URL(await app.listen({ host: "127.0.0.1", port: 0 }));
  const admin = await startAdmin();
  const pages = Object.fromEntries(
    ["errors/403", "errors/503", "admin/refused"].map((path) => [
      `.session/${path}`,
      readFileSync(join(sessionPages, path), "utf8"),
    ]),
  );
  const configuration = { admin: { origin, socket: hasContent ? admin.socket : undefined } };
  const nginx = await runNginx({ ...signInFiles(), ...pages }, Number(port), [], configuration);
  onTestFinished(() => nginx.stop());
  const cookie = `__Host-admin=${browser.jar.get("__Host-admin")}`;
  return { nginx, app, db, admin, log, cookie, asAnn: { ...own, Cookie: cookie } };
}

const send = (nginx: TestNginx, path: string, headers: Record<string, string>, body: string) => {
  const lines = Object.entries({ ...headers, "Content-Length": String(body.length), Connection: "close" });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return rawRequest(nginx.port, `POST ${path} HTTP/1.1\r\n${head}\r\n${body}`);
};

const only = (answer: RawAnswer, name: string) => headerLines(answer, name).join(" | ");

test("where passkeys can't be used, pages of /admin are as missing as any, and /api/admin as any address of the API", async () => {
  const { app } = await startEditors({ editors: undefined });
  const { port } = new URL(await app.listen({ host: "127.0.0.1", port: 0 }));
  const nginx = await runNginx({ ...signInFiles(), "404.html": "<html>nothing here" }, Number(port));
  onTestFinished(() => nginx.stop());
  for (const path of ["/admin", "/admin/sign-in", "/admin/enrol", "/admin/cms/"])
    expect([path, (await nginx.get(path, here)).status]).toEqual([path, path.endsWith("/") ? 301 : 404]);
  expect((await nginx.get("/api/admin/session", here)).status).toBe(404);
  expect((await nginx.get("/admin/admin.css", here)).status).toBe(200);
});

test("without a content repository there is signing in, and the API's pages, and nothing that writes", async () => {
  const { nginx, admin, asAnn } = await runAdmin({ hasContent: false });
  expect((await nginx.get("/admin/sign-in", here)).status).toBe(200);
  const home = await nginx.get("/admin", asAnn);
  expect([home.status, home.body.includes("signed in as Ann Archer")]).toEqual([200, true]);
  expect([home.body.includes("/admin/orders"), home.body.includes("/admin/cms/")]).toEqual([true, false]);
  for (const path of ["/admin/cms/x", "/admin/publish", "/api/admin/version"])
    expect([path, (await nginx.get(path, asAnn)).status]).toEqual([path, 404]);
  for (const path of ["/admin", "/admin/orders", "/admin/stock"])
    expect(only(await nginx.get(`${path}/`, asAnn), "location")).toMatch(new RegExp(`${path}$`));
  expect(admin.seen).toEqual([]);
});

/** What nginx passes to the process, and what it must know of it. */
const WRITING = [
  "/admin/cms/",
  "/admin/cms/config.json",
  "/admin/prices",
  "/admin/publish",
  "/admin/history",
  "/admin/preview/products/x",
  "/admin/preview-face/x",
  "/api/admin/version",
  "/api/admin/problems",
  "/api/admin/repos/shop/content/git/blobs",
];

test("who lacks the right to write reaches nothing of it, pages say so in words, and a right counts at once", async () => {
  const { nginx, db, admin, asAnn } = await runAdmin();
  await setRights(db, ann.email, new Set(["orders", "shop"]));
  const claims = { ...asAnn, "Editor-Rights": "content", "Right-Missing": "" };
  for (const path of [...WRITING, ...WRITING.map((path) => `/index.php${path}`)]) {
    const isPage = !path.includes("/api/");
    const answer = await nginx.get(`${path}?may=content`, claims);
    const type = isPage ? "text/html; charset=utf-8" : "application/problem+json";
    expect([path, answer.status, only(answer, "content-type")]).toEqual([path, 403, type]);
    expect([path, only(answer, "cache-control")]).toEqual([path, "no-store"]);
    const said = isPage ? "Texts, products and prices of this shop are for others" : "You may not write content.";
    expect([path, answer.body.includes(said)]).toEqual([path, true]);
    const write = await nginx.send(`POST ${path}`, { ...claims, "Content-Length": "0" });
    expect([path, write.status, write.body.includes(said)]).toEqual([path, 403, true]);
  }
  expect(admin.seen).toEqual([]);
  // Another site's is refused for that.
  const foreign = { ...claims, Origin: "https://evil.example", "Content-Length": "0" };
  expect((await nginx.send("POST /admin/publish", foreign)).body).toContain("sent from another site");
  await setRights(db, ann.email, new Set(["content"]));
  for (const path of WRITING) expect([path, (await nginx.get(path, claims)).status]).toEqual([path, 200]);
  expect(admin.seen.map(({ headers }) => headers["editor-rights"])).toEqual(WRITING.map(() => "content"));
});

test("the process behind /admin learns from nginx alone who writes, and gets neither cookie nor a client's claims", async () => {
  const { nginx, admin, asAnn } = await runAdmin();
  const claims = {
    ...{ "Editor-Name": "Mallory", "Editor-Email": "m@evil.example", Editor_Name: "Mallory" },
    ...{ "Editor-Rights": "evil", Editor_Rights: "evil" },
  };
  for (const path of ["/admin/history", "/admin/cms/", "/api/admin/version", "/index.php/admin/publish?a=1&b=%2F"]) {
    const answer = await nginx.get(path, { ...asAnn, ...claims });
    expect([path, answer.status, answer.body]).toEqual([path, 200, "written"]);
  }
  expect(admin.seen.map(({ url }) => url)).toEqual([
    "/admin/history",
    "/admin/cms/",
    "/api/admin/version",
    "/admin/publish?a=1&b=%2F",
  ]);
  for (const { headers } of admin.seen) {
    expect(headers).toMatchObject({
      ...{ "editor-name": "Ann%20Archer", "editor-email": "ann%40shop.example" },
      "editor-rights": "content,orders,shop",
    });
    expect(JSON.stringify(headers)).not.toMatch(/Mallory|evil|__Host/);
    expect(headers["x-request-id"]).toMatch(/^[0-9a-f]{32}$/);
  }
});

test("who isn't signed in reaches nothing: pages lead to signing in and back, scripts get 401, whatever they claim", async () => {
  const { nginx, db, admin, asAnn } = await runAdmin();
  const claims = { "Editor-Name": "Mallory", "Editor-Email": "m@evil.example" };
  const refuses = async (headers: Record<string, string>) => {
    for (const path of [
      "/admin",
      "/admin/orders",
      "/admin/orders/A-1042",
      "/admin/stock",
      "/admin/cms/",
      "/admin/preview/products/x",
      "/index.php/admin",
      "//admin/./x",
      "/%61dmin",
    ]) {
      const answer = await nginx.get(path, { ...headers, ...claims });
      expect([path, answer.status]).toEqual([path, 302]);
      expect(only(answer, "location")).toMatch(/^\/admin\/sign-in\?next=\/admin/);
    }
    for (const path of ["/api/admin/version", "/api/admin/repos/x/y/contents", "/index.php/api/admin/user"]) {
      const answer = await nginx.get(path, { ...headers, ...claims });
      expect([path, answer.status, only(answer, "content-type")]).toEqual([path, 401, "application/problem+json"]);
      expect(JSON.parse(answer.body).detail).toBe("Sign in at /admin/sign-in.");
    }
    const post = await nginx.send("POST /api/admin/repos/x/y/contents", { ...own, ...headers, "Content-Length": "0" });
    expect(post.status).toBe(401);
    // What the form held is still the browser's to send again.
    for (const path of ["/admin/prices", "/admin/orders/A-1042"]) {
      const form = await nginx.send(`POST ${path}`, { ...own, ...headers, "Content-Length": "0" });
      expect([path, form.status, headerLines(form, "location")]).toEqual([path, 200, []]);
      expect(form.body).toMatch(/You are no longer signed in[\s\S]*reload this page/);
    }
  };
  await refuses(here);
  await refuses({ ...here, Cookie: `__Host-admin=${"x".repeat(43)}` });
  await refuses({ ...asAnn, "X-Forwarded-Proto": "http" }); // the cookie of TLS is none on plain http
  await db.deleteFrom("editors").execute();
  await refuses(asAnn);
  expect(admin.seen).toEqual([]);
  const next = await nginx.get("/admin/cms/a%20b%26c?d=e", here);
  expect(only(next, "location")).toBe("/admin/sign-in?next=/admin/cms/a%20b%26c");
});

/**
 * Spellings of a path that servers have taken for it: prefixes, slashes, dots, encodings, parameters, case, forms of
 * the target.
 */
const spell = (path: string): string[] => {
  const name = path.slice(1);
  const encoded = (text: string) => text.replaceAll(/./g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
  const prefixes = ["", "/", "/.", "/./", "/x/..", "/index.php", "//index.php/", "/index.php/index.php", "/INDEX.PHP"];
  const more = [
    "/%69ndex.php",
    "/index.php/index.php/.",
    "/index%2ephp",
    "/index.php/x/..",
    "/index.php/%2e%2e",
    "/_astro",
  ];
  const odd = [
    "/_astro/..",
    "/index.php/_astro/..",
    "/index.php/_astro/%2e%2e",
    "/index.php;x",
    "/index.php/_astro/%2e.%2f",
  ];
  const names = [name, encoded(name), name.replace("_", "%5f"), name.replace("_", "%255f"), `%2f${name}`, `%5c${name}`];
  const ends = [
    "",
    "/",
    "//",
    "?",
    "?x=1",
    ";",
    ";x=1",
    "/.",
    "/x/..",
    "%00",
    "%0a",
    "%20",
    "%3f",
    "%23",
    ".",
    "/x",
    ".md",
    ".html",
  ];
  const paths = [...prefixes, ...more, ...odd].flatMap((prefix) => names.map((written) => `${prefix}/${written}`));
  const ended = ["", "/index.php", "/index.php/index.php"].flatMap((prefix) => ends.map((end) => prefix + path + end));
  const cased = ["", "/index.php"].map((prefix) => prefix + path.toUpperCase());
  return [...paths, ...ended, ...cased, `http://shop.example${path}`, `http://shop.example/index.php${path}`];
};

test("no spelling of an address reaches what nginx keeps to itself", async () => {
  const { nginx, admin } = await runAdmin();
  const written = globSync("**/*.conf", { cwd: nginx.folder }).map((file) =>
    readFileSync(join(nginx.folder, file), "utf8"),
  );
  const kept = written.flatMap((text) =>
    [...text.matchAll(/^location (?:= )?(\S+) \{\n {4}internal;/gm)].map(([, path = ""]) => path),
  );
  expect(kept.toSorted()).toEqual([
    "/_editor",
    "/_error/api",
    "/_error/not-for-editor",
    "/_error/not-for-editor-script",
    "/_error/precondition",
    "/_error/private",
    "/_error/range",
    "/_error/site",
    "/_home",
    "/_search",
  ]);
  for (const path of kept.flatMap(spell)) {
    const { status, body } = await nginx.get(`${path}${path.includes("?") ? "&" : "?"}q=scanner`, here);
    // A redirect or a refusal by nginx, never what a location that is its own answers: 401, 416, 500, 503 or a page of results.
    expect([path, [301, 400, 404].includes(status), /Kestrel|editor/i.test(body)]).toEqual([path, true, false]);
  }
  expect(admin.seen).toEqual([]);
});

test("no spelling of an editor's address reaches the process without a session", async () => {
  const { nginx, admin } = await runAdmin();
  for (const path of ["/admin", "/admin/orders", "/admin/publish", "/api/admin/version"].flatMap(spell)) {
    const { status } = await nginx.get(path, here);
    expect([path, [301, 302, 400, 401, 404].includes(status)]).toEqual([path, true]);
  }
  expect(admin.seen).toEqual([]);
});

test.each([
  ["another site's form", { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" }],
  ["a form of another host of the shop's", { Origin: "https://other.shop.example", "Sec-Fetch-Site": "same-site" }],
  ["the shop on plain http", { Origin: "http://shop.example", "Sec-Fetch-Site": "cross-site" }],
  ["a sandboxed frame", { Origin: "null", "Sec-Fetch-Site": "cross-site" }],
  ["a request that says no Origin", { "Sec-Fetch-Site": "same-origin" }],
  [
    "one that claims the Origin, but that the browser says is another's",
    { Origin: "https://shop.example", "Sec-Fetch-Site": "same-site" },
  ],
])("%s writes nothing, though the cookie came along", async (_what, from) => {
  const { nginx, admin, db, cookie } = await runAdmin();
  for (const [line, type] of [
    ["POST /admin/publish", "text/html"],
    ["POST /admin/sign-out", "text/html"],
    ["POST /api/admin/repos/x/y/contents", "application/problem+json"],
    ["POST /api/admin/session/options", "application/problem+json"],
    ["PUT /api/admin/repos/x/y/contents", "application/problem+json"],
    ["DELETE /admin/publish", "text/html"],
  ] as const) {
    const headers = { ...here, ...from, Cookie: cookie, "Content-Type": "text/plain", "Content-Length": "0" };
    const answer = await nginx.send(line, headers);
    expect([line, answer.status, only(answer, "content-type").split(";")[0]]).toEqual([line, 403, type]);
  }
  expect(admin.seen).toEqual([]);
  expect(await db.selectFrom("editor_sessions").select("editor_id").execute()).toHaveLength(1);
  expect(await db.selectFrom("editor_challenges").select("challenge").execute()).toEqual([]);
});

test("the admin's own forms and scripts write, also from a browser without Sec-Fetch-Site", async () => {
  const { nginx, admin, asAnn } = await runAdmin();
  const { "Sec-Fetch-Site": _, ...older } = asAnn;
  for (const headers of [asAnn, older, { ...asAnn, "Sec-Fetch-Site": "none" }])
    expect((await nginx.send("POST /admin/publish", { ...headers, "Content-Length": "0" })).status).toBe(200);
  expect(admin.seen.map(({ method }) => method)).toEqual(["POST", "POST", "POST"]);
});

test("at another address, such as 127.0.0.1, the admin leads to its own, with path and query", async () => {
  const { nginx, admin, cookie } = await runAdmin();
  for (const [path, target] of [
    ["/admin", "https://shop.example/admin"],
    ["/admin/enrol?x=1", "https://shop.example/admin/enrol?x=1"],
    ["/api/admin/version", "https://shop.example/api/admin/version"],
  ] as const) {
    const answer = await nginx.get(path, { Host: "127.0.0.1:8080", Cookie: cookie });
    expect([answer.status, only(answer, "location")]).toEqual([302, target]);
  }
  expect(admin.seen).toEqual([]);
});

test("nothing of the admin is kept, listed, framed by others or readable by another site", async () => {
  const { nginx, asAnn } = await runAdmin();
  for (const path of [
    "/admin",
    "/admin/cms/",
    "/admin/sign-in",
    "/admin/enrol",
    "/api/admin/session",
    "/api/admin/version",
  ]) {
    const answer = await nginx.get(path, { ...asAnn, Origin: "https://evil.example" });
    expect([path, only(answer, "x-robots-tag")]).toEqual([path, "noindex"]);
    expect([path, only(answer, "referrer-policy")]).toEqual([path, "same-origin"]);
    expect([path, only(answer, "cache-control")]).toEqual([path, "no-store"]);
    expect([path, headerLines(answer, "x-request-id").length]).toEqual([path, 1]);
    expect([path, only(answer, "strict-transport-security")]).toEqual([path, "max-age=31536000"]);
    for (const name of ["access-control-allow-origin", "etag", "last-modified"])
      expect([path, headerLines(answer, name)]).toEqual([path, []]);
  }
  for (const path of ["/admin", "/api/admin/version"])
    expect(only(await nginx.get(path, here), "cache-control")).toBe("no-store");
  const kept = await nginx.get("/admin/cms/kept.js", asAnn);
  expect(only(kept, "cache-control")).toBe("private, max-age=31536000, immutable");
});

test("pages of the admin load only from the shop, and the CMS alone has inline styles and WebAssembly", async () => {
  const { nginx, asAnn } = await runAdmin();
  for (const path of ["/admin", "/admin/cms/", "/admin/sign-in", "/admin/enrol"]) {
    const policy = only(await nginx.get(path, asAnn), "content-security-policy");
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'[; ].*frame-ancestors '(none|self)'$/);
    expect(policy).not.toMatch(/'unsafe-eval'|https?:/);
    const [, scripts = ""] = /script-src ([^;]+)/.exec(policy) ?? [];
    const isCms = path === "/admin/cms/";
    expect([path, scripts]).toEqual([path, isCms ? "'self' 'wasm-unsafe-eval'" : "'self'"]);
    expect([path, /unsafe-inline|blob:|data:/.test(policy)]).toEqual([path, isCms]);
  }
});

test("a body of 30 MB is taken from an editor, read from nobody else, and everything else keeps its limit", async () => {
  const { nginx, app, admin, asAnn } = await runAdmin();
  const { Cookie: _, ...stranger } = asAnn;
  const length = 31_457_280;
  expect((await send(nginx, "/api/admin/repos/x/y/contents", asAnn, "x".repeat(length))).status).toBe(200);
  expect(admin.seen.map(({ bytes }) => bytes)).toEqual([length]);
  const announce = async (path: string, bytes: number, headers: Record<string, string> = asAnn) =>
    (await nginx.send(`POST ${path}`, { ...headers, "Content-Length": String(bytes) })).status;
  expect(await announce("/api/admin/repos/x/y/contents", length, stranger)).toBe(401);
  for (const path of ["/api/admin/repos/x/y/contents", "/admin/publish"])
    expect(await announce(path, length + 1)).toBe(413);
  for (const path of ["/api/admin/session", "/api/admin/passkeys", "/admin/sign-out", "/api/orders", "/checkout"])
    expect(await announce(path, 65_537)).toBe(413);
  await app.close();
  expect(await announce("/api/admin/repos/x/y/contents", length)).toBe(503);
  expect(admin.seen).toHaveLength(1);
});

test("while the API or the admin's process is away, pages are 503 and not 401, and signing in and the style sheet still open", async () => {
  const { nginx, app, admin, asAnn } = await runAdmin();
  admin.stop();
  const expectAway = async () => {
    const page = await nginx.get("/admin/publish", asAnn);
    expect([page.status, only(page, "retry-after"), only(page, "content-type")]).toEqual([
      503,
      "5",
      "text/html; charset=utf-8",
    ]);
    const problem = await nginx.get("/api/admin/version", asAnn);
    expect([problem.status, only(problem, "retry-after"), only(problem, "content-type")]).toEqual([
      503,
      "5",
      "application/problem+json",
    ]);
    expect(JSON.parse(problem.body).status).toBe(503);
  };
  await expectAway();
  await app.close();
  await expectAway();
  expect((await nginx.get("/", here)).status).toBe(200);
  // Signing in opens all the same, and so does what every page loads of the build.
  const page = await nginx.get("/admin/sign-in", here);
  expect([page.status, only(page, "content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  expect((await nginx.get("/admin/enrol", here)).body).toContain("Create your passkey");
  const script = await nginx.get("/admin/admin.js", { ...here, Cookie: "" });
  expect([script.status, only(script, "content-type")]).toEqual([200, "text/javascript; charset=utf-8"]);
  const loaded = [...page.body.matchAll(/(?:href|src)="(\/admin\/[^"]+\.(?:css|js))"/g)].map(([, path = ""]) => path);
  expect(loaded).toEqual(["/admin/admin.css", "/admin/sign-in.js"]);
  for (const path of [...loaded, "/admin/prices.js"]) {
    const file = await nginx.get(path, { ...here, Cookie: "" });
    const type = path.endsWith("css") ? "text/css" : "text/javascript";
    expect([path, file.status, only(file, "content-type")]).toEqual([path, 200, `${type}; charset=utf-8`]);
    // The next release may change it.
    expect([path, only(file, "cache-control")]).toEqual([path, "public, max-age=0, must-revalidate"]);
    const kept = await nginx.get(path, { ...here, "If-None-Match": only(file, "etag") });
    expect([path, kept.status]).toEqual([path, 304]);
  }
  for (const path of ["/admin/sign-in", ...loaded])
    expect([path, (await nginx.send(`POST ${path}`, { ...own, "Content-Length": "0" })).status]).toEqual([path, 405]);
});

test("a link and a cookie are in no log, whether the API answers, refuses or is away", async () => {
  const { nginx, app, db, log, asAnn } = await runAdmin();
  const link = await addEditor(db, { name: "Bob", email: "bob@shop.example" });
  const visit = async () => {
    for (const path of [
      `/admin/enrol?key=${link}`,
      `/admin/x?key=${link}`,
      `/admin/%zz?key=${link}`,
      `/api/admin/x?key=${link}`,
    ])
      await nginx.get(path, asAnn);
    const json = { ...own, "Content-Type": "application/json" };
    await send(nginx, "/api/admin/passkeys/options", json, JSON.stringify({ link }));
  };
  await visit();
  await app.close();
  await visit();
  await expect.poll(() => nginx.requests().filter(({ path }) => path === "/api/admin/passkeys/options").length).toBe(2);
  const written = JSON.stringify(nginx.requests()) + nginx.errors() + log.join("");
  expect(written).toContain("/admin/enrol");
  for (const secret of [link, asAnn.Cookie.slice("__Host-admin=".length), ann.email])
    expect(written).not.toContain(secret);
});
