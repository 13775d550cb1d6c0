import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeLoggerOptions } from "../../api/platform/monitoring/log.ts";
import { mintOrderKey } from "../../api/selling/mail/order-keys.ts";
import { placeOrder } from "../../api/selling/orders/place-order.ts";
import { pdfOf } from "../api/partners/orders/documents.ts";
import { buildTemplates, startShopApi } from "../api/platform/private-pages/pages.ts";
import { boughtOrder } from "../api/selling/mail/mail-shop.ts";
import { actByCommand } from "../api/selling/orders/act-by-command.ts";
import { headerLines, type RawAnswer, rawRequest } from "./raw-request.ts";
import { runNginx } from "./run-nginx.ts";

/** The files of `.session/`, as a built site has them. */
async function templateFiles(): Promise<Record<string, string>> {
  const folder = await buildTemplates();
  const paths = globSync(["**/*.{liquid,json}", "errors/*"], { cwd: folder });
  return Object.fromEntries(paths.map((path) => [`.session/${path}`, readFileSync(join(folder, path), "utf8")]));
}

/** nginx before the real API, whose log is `log`. */
async function runShop() {
  const log: string[] = [];
  const logger = {
    ...makeLoggerOptions({ texts: [], patterns: [] }),
    stream: { write: (line: string) => void log.push(line) },
  };
  const api = await startShopApi({ logger });
  const { port } = new URL(await api.app.listen({ host: "127.0.0.1", port: 0 }));
  const nginx = await runNginx({ "index.html": "<html>home", ...(await templateFiles()) }, Number(port));
  onTestFinished(() => nginx.stop());
  return { nginx, log, db: api.db };
}

const only = (answer: RawAnswer, name: string) => headerLines(answer, name).join(" | ");

test("fault 35: a private page is for one browser: never kept, listed, framed or readable by another site, whatever the Accept", async () => {
  const { nginx } = await runShop();
  for (const path of [
    "/cart/x",
    "/checkout/x",
    "/account/x",
    "/buy/x/y",
    "/counter",
    "/index.php/cart/x",
    "//cart/./x",
  ]) {
    const answer = await nginx.get(path, { Accept: "text/markdown, application/json", Origin: "https://evil.example" });
    // Of these, a link to buy and the counter have two faces.
    const [type, title, policy] = /buy|counter/.test(path)
      ? ["markdown", "# Page not found", ""]
      : ["html", "<h1>Page not found</h1>", "frame-ancestors 'none'"];
    expect([path, answer.status, only(answer, "content-type")]).toEqual([path, 404, `text/${type}; charset=utf-8`]);
    expect(answer.body).toContain(title);
    expect(only(answer, "cache-control")).toBe("no-store");
    expect(only(answer, "x-robots-tag")).toBe("noindex");
    expect(only(answer, "referrer-policy")).toBe("same-origin");
    expect(only(answer, "x-content-type-options")).toBe("nosniff");
    expect(only(answer, "content-security-policy")).toContain(policy);
    expect(headerLines(answer, "x-request-id")).toHaveLength(1);
    for (const name of ["access-control-allow-origin", "etag", "last-modified", "set-cookie"])
      expect(headerLines(answer, name)).toEqual([]);
  }
});

test("a private page with a trailing slash redirects to its own address", async () => {
  const { nginx } = await runShop();
  for (const path of ["/cart", "/checkout", "/account", "/counter"]) {
    const answer = await nginx.get(`${path}/`);
    expect([answer.status, only(answer, "location")]).toEqual([301, path]);
    expect(only(answer, "x-content-type-options")).toBe("nosniff");
  }
});

test("fault 35: a private page is compressed, and static pages are as cacheable as before and set no cookie", async () => {
  const { nginx } = await runShop();
  const page = await fetch(`${nginx.url}/cart/x`, { headers: { "accept-encoding": "gzip" } });
  expect(page.headers.get("content-encoding")).toBe("gzip");
  const home = await nginx.get("/", { Cookie: "session=mine", "Accept-Encoding": "gzip" });
  expect(only(home, "cache-control")).toBe("public, max-age=0, must-revalidate");
  expect(only(home, "access-control-allow-origin")).toBe("*");
  expect(headerLines(home, "etag")).toHaveLength(1);
  for (const name of ["set-cookie", "content-encoding", "x-robots-tag"]) expect(headerLines(home, name)).toEqual([]);
});

test("an invoice is saved, and neither shown, kept nor compressed, for the browser that has its order", async () => {
  const { nginx, db } = await runShop();
  const { id } = await placeOrder(db, boughtOrder());
  const pdf = pdfOf("x".repeat(300_000));
  const invoice = { number: "RE-1", kind: "invoice", issued_on: "2026-10-19", total: "1", currency: "EUR" } as const;
  await actByCommand(db, "A-1001", { name: "invoiced", ...invoice, pdf, xml: null }, async () => {});
  const opened = await nginx.get(`/account/open?key=${await mintOrderKey(db, id)}`);
  const [Cookie = ""] = only(opened, "set-cookie").split(";");
  const path = "/account/orders/A-1001/invoices/1.pdf";
  const answer = await nginx.get(path, { Cookie, "Accept-Encoding": "gzip" });
  expect([answer.status, Buffer.from(answer.body, "latin1").equals(pdf)]).toEqual([200, true]);
  for (const [name, value] of [
    ["content-type", "application/pdf"],
    ["content-disposition", 'attachment; filename="A-1001-RE-1.pdf"'],
    ["cache-control", "no-store"],
    ["x-content-type-options", "nosniff"],
    ["x-robots-tag", "noindex"],
  ] as const)
    expect(only(answer, name)).toBe(value);
  expect((await nginx.get(path)).status).toBe(404);
});

test("a form of the shop's own passes, whichever of the two headers the browser sends, also behind TLS", async () => {
  const { nginx } = await runShop();
  const post = async (headers: Record<string, string>) => {
    const form = { "Content-Type": "application/x-www-form-urlencoded", "Content-Length": "0" };
    return (await nginx.send("POST /cart/nothing", { ...form, ...headers })).status;
  };
  expect(await post({ "Sec-Fetch-Site": "same-origin" })).toBe(404);
  expect(await post({ Host: "shop.example", Origin: "http://shop.example" })).toBe(404);
  expect(await post({ Host: "shop.example", Origin: "https://shop.example", "X-Forwarded-Proto": "https" })).toBe(404);
  expect(await post({ Host: "shop.example", Origin: "https://shop.example" })).toBe(403);
  expect(await post({ Origin: "https://evil.example", "X-Forwarded-Host": "evil.example" })).toBe(403);
  expect(await post({})).toBe(403);
});

const long = "x".repeat(40_000);
test.each([
  [
    "the API is away",
    "GET /cart HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    503,
    "The shop can’t answer right now",
  ],
  [
    "the API is away, behind the prefix",
    "GET /index.php/buy/A:1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    503,
    "The shop can’t answer right now",
  ],
  [
    "the body is too large",
    "POST /checkout HTTP/1.1\r\nHost: x\r\nContent-Length: 70000\r\nConnection: close\r\n\r\n",
    413,
    "Too much was sent",
  ],
  [
    "the address is too long",
    `GET /account/open?key=${long} HTTP/1.1\r\nHost: x\r\n\r\n`,
    414,
    "This address is too long",
  ],
  ["a header is too large", `GET /cart HTTP/1.1\r\nHost: x\r\nX: ${long}\r\n\r\n`, 400, "This page can’t be shown"],
])("if %s, people get a page in the shop's frame", async (_what, message, status, title) => {
  const nginx = await runNginx(await templateFiles());
  onTestFinished(() => nginx.stop());
  const answer = await rawRequest(nginx.port, message);
  expect([answer.status, only(answer, "content-type")]).toEqual([status, "text/html; charset=utf-8"]);
  expect(Buffer.from(answer.body, "latin1").toString()).toContain(`<title>${title} | Shop</title>`);
  expect(only(answer, "cache-control")).toBe("no-store");
  expect(only(answer, "content-security-policy")).toContain("default-src 'none'");
  expect(only(answer, "retry-after")).toBe(status === 503 ? "5" : "");
  expect(headerLines(answer, "access-control-allow-origin")).toEqual([]);
});

test("without a build, an error under a private address is one plain sentence", async () => {
  const nginx = await runNginx({ "index.html": "<html>" });
  onTestFinished(() => nginx.stop());
  const answer = await nginx.get("/cart");
  expect([answer.status, only(answer, "content-type")]).toEqual([503, "text/plain; charset=utf-8"]);
});

test("the templates themselves are hidden", async () => {
  const { nginx } = await runShop();
  for (const path of ["manifest.json", "words.json", "problem.liquid", "errors/503"])
    expect((await nginx.get(`/.session/${path}`)).status).toBe(404);
});

test("fault 39: a key in an address is in no log, whether the API answers, refuses or is away", async () => {
  const { nginx, log } = await runShop();
  const away = await runNginx(await templateFiles());
  onTestFinished(() => away.stop());
  for (const path of ["/account/open?key=sesame", "/index.php/account/open?key=sesame", "/account/%zz?key=sesame"]) {
    await nginx.get(path);
    await away.get(path, { "User-Agent": "key.test" });
  }
  await expect.poll(() => away.requests().filter(({ agent }) => agent === "key.test").length).toBe(2); // malformed requests have no agent
  const written = [nginx, away].map((each) => JSON.stringify(each.requests()) + each.errors()).join("");
  expect(written).toContain("/account/open");
  expect(log.join("")).toContain("answered");
  expect(written + log.join("")).not.toContain("sesame");
});

test("the API learns the face of /counter and of a /buy/ address, and what the browser's address is, and clients can't pretend", async () => {
  const seen: unknown[] = [];
  /** Stands in for the API, whose answer doesn't matter here. */
  const api = createServer(({ url, headers }, response) => {
    seen.push([url, headers["x-face"], headers["x-forwarded-for"], headers["x-forwarded-host"]]);
    response.end();
  });
  await once(api.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void api.close());
  const address = api.address();
  const nginx = await runNginx({}, typeof address === "object" ? address?.port : undefined);
  onTestFinished(() => nginx.stop());
  const claims = { Host: "shop.example", "X-Face": "md", "X-Forwarded-For": "192.0.2.1", "X-Forwarded-Host": "x" };
  const asked: [path: string, accept: string, url: string, face: string][] = [
    ["/buy/A:1,~Yi9j:2?utm=x", "text/html", "/buy/A:1,~Yi9j:2?utm=x", "html"],
    ["/buy/A:1", "text/markdown", "/buy/A:1", "md"],
    ["/buy/A:1.md?x.html", "text/html", "/buy/A:1?x.html", "md"],
    ["/buy/A:1?x.md", "text/html", "/buy/A:1?x.md", "html"],
    ["/index.php/buy/A:1.md", "text/html", "/buy/A:1", "md"],
    ["/counter?chosen=A.md", "text/html", "/counter?chosen=A.md", "html"],
    ["/counter?chosen=A+B", "text/markdown", "/counter?chosen=A+B", "md"],
    ["/counter.md?chosen=A", "text/html", "/counter?chosen=A", "md"],
    ["/index.php/counter.md", "text/html", "/counter", "md"],
    ["/cart", "text/markdown", "/cart", "html"],
    ["/cart/a.md", "text/markdown", "/cart/a.md", "html"],
  ];
  for (const [path, Accept] of asked) await nginx.get(path, { ...claims, Accept });
  expect(seen).toEqual(asked.map(([, , url, face]) => [url, face, "127.0.0.1", "shop.example"]));
});
