import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, createServer, type IncomingHttpHeaders, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningChild, startChild, stopChild, waitUntilReady } from "../../../nginx/local/child-process.ts";
import { findFreePort } from "../../../nginx/local/ports.ts";
import { movedFiles } from "../../../site/finish/moved-pages.ts";
import { debianEnvironment, debianProgram } from "../../debian-program.ts";
import { eventually } from "../../eventually.ts";
import { CLIENTS, RULES } from "../negotiation/accept-cases.ts";
import { randomHeaders } from "../negotiation/random-accept-headers.ts";
import { LONG, runNginx, type TestNginx } from "../run-nginx.ts";

const ROOT = join(import.meta.dirname, "../../..");
const RECIPE = join(ROOT, "nginx/production/varnish.vcl");
const varnishd = debianProgram("varnish", "usr/sbin/varnishd");
const withVarnish = test.skipIf(!varnishd);

/** What a stand-in for the API says of everything: the worst that could be kept. */
const KEEP_ME = { "Cache-Control": "public, max-age=3600", ETag: '"1"', "Content-Type": "text/html" };

const api = createServer((asked, answer) => {
  apiRequests.push(`${asked.method} ${asked.url}`);
  answer.writeHead(200, { ...KEEP_ME, ...(asked.url?.includes("cookie") && { "Set-Cookie": "session=1" }) });
  answer.end(`asked ${apiRequests.length} times, cookie ${asked.headers.cookie}`);
});
const apiRequests: string[] = [];
const folder = mkdtempSync(join(tmpdir(), "twinfront-varnish-"));
const agent = new Agent({ keepAlive: true, maxSockets: 16 });
let nginx: TestNginx;
let varnish: RunningChild;
let port: number;

const site = (text: string) => ({
  "index.html": `<html>home ${text} ${LONG}`,
  "index.md": `# Home ${text} ${LONG}`,
  "about.html": `<html>about ${text} ${LONG}`,
  "about.md": `# About ${text} ${LONG}`,
  "404.html": "<html>nothing here",
  "404.md": "# Nothing here",
  "products.json": JSON.stringify({ text }),
  "_astro/page.a1b2.css": "body{}",
  ...Object.fromEntries(movedFiles("/former /about\n", "", () => true)),
});

beforeAll(async () => {
  if (!varnishd) return;
  await once(api.listen(0, "127.0.0.1"), "listening");
  nginx = await runNginx(site("first"), (api.address() as AddressInfo).port, ["127.0.0.1/32"]);
  port = await findFreePort();
  const recipe = join(folder, "varnish.vcl");
  const ours = readFileSync(RECIPE, "utf8").replace('.port = "8080"', `.port = "${nginx.port}"`);
  // On a busy machine more than ten seconds may pass between two requests for a page, which should find it kept.
  writeFileSync(recipe, ours.replace("beresp.grace = 5s", "beresp.grace = 600s"));
  const { PATH, ...environment } = debianEnvironment("varnish");
  const options = ["-j", "none", "-n", folder, "-F", "-a", `127.0.0.1:${port}`, "-s", "malloc,64m"];
  // The compiler may be unpacked too, and then doesn't find the system's start files: what a recipe becomes needs none.
  const compiler = "cc_command=exec gcc -O1 -fpic -shared -nostdlib -o %o %s";
  // By default, Varnish closes a connection after five seconds, which a busy machine may let pass between two requests.
  const parameters = ["http_gzip_support=off", compiler, "timeout_idle=600"];
  varnish = startChild({
    ...{ name: "Varnish", program: "env", env: environment, logFile: join(folder, "varnish.log") },
    args: [`PATH=${PATH}`, varnishd, ...options, ...parameters.flatMap((value) => ["-p", value]), "-f", recipe],
  });
  const answers = () =>
    ask("/").then(
      ({ status }) => status === 200,
      () => false,
    );
  await waitUntilReady(varnish, join(folder, "varnish.log"), answers);
});
afterAll(async () => {
  agent.destroy();
  if (!varnishd) return;
  await stopChild(varnish, "SIGTERM", 5000);
  await nginx.stop();
  api.close();
  rmSync(folder, { recursive: true });
});

interface Answer {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Asks Varnish, or nginx itself if `to` is its port. */
function ask(path: string, headers: Record<string, string> = {}, { method = "GET", to = port } = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port: to, path, method, agent, headers };
    const asked = request(options, (answer) => {
      let body = "";
      answer.setEncoding("latin1").on("data", (chunk: string) => {
        body += chunk;
      });
      answer.on("end", () => resolve({ status: answer.statusCode, headers: answer.headers, body }));
    });
    asked.on("error", reject).end();
  });
}

/** Varnish names two requests if the answer is one that it had: this one, and the one that fetched it. */
const wasKept = ({ headers }: Answer) => String(headers["x-varnish"]).includes(" ");

/** Without what differs from answer to answer, and what Varnish adds. */
function comparable({ status, headers, body }: Answer) {
  const { date, age, via, connection, "x-varnish": _, "keep-alive": __, "accept-ranges": ___, ...rest } = headers;
  return { status, headers: rest, body };
}

const known = [...CLIENTS.map(([, accept]) => accept), ...RULES.map(([accept]) => accept)];

withVarnish("for every Accept header and encoding, Varnish gives byte for byte what nginx gives", async () => {
  const headers: Record<string, string>[] = [
    {},
    ...known.map((Accept) => ({ Accept })),
    ...[
      "br",
      "gzip",
      "gzip, deflate, br, zstd",
      "br;q=0, gzip",
      "gzip;q=0.0",
      "GZIP;q=0.5",
      "identity",
      "*",
      "xbr",
    ].flatMap((encoding) =>
      ["text/html", "text/markdown", "*/*"].map((Accept) => ({ Accept, "Accept-Encoding": encoding })),
    ),
    ...randomHeaders(3_000, 20261123).map((Accept) => ({ Accept, "Accept-Encoding": "gzip, br" })),
  ];
  let kept = 0;
  const compare = async (sent: Record<string, string>) => {
    const [direct, cached] = await Promise.all([ask("/about", sent, { to: nginx.port }), ask("/about", sent)]);
    if (wasKept(cached)) kept += 1;
    expect({ sent, ...comparable(cached) }).toEqual({ sent, ...comparable(direct) });
  };
  // Twice, so that each is also asked for while the others are kept.
  for (const sent of [...headers, ...headers.slice(0, 200).reverse()]) await compare(sent);
  console.log(`${headers.length} headers: as nginx alone; ${kept} answers were kept ones`);
  expect(kept).toBeGreaterThan(500);
});

withVarnish("known clients share one kept answer of each face, and nginx decides about the others", async () => {
  const asked = async (accept: string) => {
    await ask("/", { accept });
    return wasKept(await ask("/", { accept }));
  };
  const undecided: string[] = [];
  for (const [client, accept] of CLIENTS) if (!(await asked(accept))) undecided.push(client);
  expect(undecided).toEqual(["OpenCode, text", "OpenCode, html"]);
  const faces = await Promise.all(
    CLIENTS.filter(([client]) => !undecided.includes(client)).map(([, accept]) => ask("/", { accept })),
  );
  expect(new Set(faces.map(({ headers }) => headers["content-type"])).size).toBe(2);
  expect(faces.filter((face) => !wasKept(face)).length).toBeLessThan(3);
});

withVarnish.each([
  ...["/cart", "/cart/x", "/checkout", "/checkout/x", "/account", "/account/x", "/buy/A:1", "/counter"],
  ...[
    "/index.php/cart",
    "//cart",
    "/./account",
    "/%63art",
    "/about/../cart",
    "/account/open?key=sesame",
    "/buy/A.md",
    "/counter.md",
    "/counter?chosen=A",
  ],
  ...["/search?q=scanner", "/api/orders", "/api/orders?cookie", "/api/assistant/tools", "/index.php/api/orders"],
])("%s is asked of the API each time and never kept, whatever the API says", async (path) => {
  for (const headers of [{}, { cookie: "session=mine" }, { authorization: "Bearer mine" }]) {
    const before = apiRequests.length;
    const answers = [await ask(path, headers), await ask(path, headers), await ask(path, headers, { method: "HEAD" })];
    expect(answers.map(wasKept)).toEqual([false, false, false]);
    expect(apiRequests.length - before).toBe(3);
    expect(answers[1]?.body).toContain(`cookie ${headers.cookie}`);
  }
});

withVarnish("other methods reach nginx, also at the address of a page that is kept", async () => {
  await ask("/about");
  expect(wasKept(await ask("/about"))).toBe(true);
  expect((await ask("/about", {}, { method: "POST" })).status).toBe(405);
  const before = apiRequests.length;
  expect((await ask("/cart/add", { cookie: "session=mine" }, { method: "POST" })).body).toContain("session=mine");
  expect(apiRequests.slice(before)).toEqual(["POST /cart/add"]);
});

withVarnish("a visitor with a cookie gets the kept page", async () => {
  await ask("/about");
  expect(wasKept(await ask("/about", { cookie: "session=mine" }))).toBe(true);
});

withVarnish("a page that the visitor has is 304 from what is kept, and of each face and encoding its own", async () => {
  for (const accept of ["text/html", "text/markdown"])
    for (const encoding of ["br", "gzip", "identity"]) {
      const sent = { accept, "accept-encoding": encoding };
      const { etag = "" } = (await ask("/about", sent)).headers;
      const again = await ask("/about", { ...sent, "if-none-match": etag });
      expect([again.status, again.body, wasKept(again), again.headers.vary]).toEqual([
        304,
        "",
        true,
        "Accept, Accept-Encoding",
      ]);
      const other = accept === "text/html" ? "text/markdown" : "text/html";
      expect((await ask("/about", { ...sent, accept: other, "if-none-match": etag })).status).toBe(200);
    }
});

withVarnish("a renamed page redirects, each face to its own, with the query", async () => {
  for (const [path, location] of [
    ["/former", "/about"],
    ["/former.md", "/about.md"],
    ["/former?from=mail", "/about?from=mail"],
  ])
    for (const _ of ["asked", "asked again"]) {
      const { status, headers } = await ask(path ?? "");
      expect([path, status, headers.location]).toEqual([path, 301, location]);
    }
});

withVarnish("visitors over TLS get HSTS, others don't, though both get kept pages", async () => {
  const overTls = { "x-forwarded-proto": "https" };
  for (const _ of ["asked", "asked again"]) {
    expect((await ask("/about", overTls)).headers["strict-transport-security"]).toContain("max-age=");
    expect((await ask("/about")).headers["strict-transport-security"]).toBeUndefined();
  }
  expect(wasKept(await ask("/about", overTls))).toBe(true);
});

withVarnish(
  "a release reaches visitors without a command, what may be kept for an hour by a ban, and unchanged pages are asked by ETag",
  async () => {
    const markdown = { accept: "text/markdown" };
    for (const path of ["/about", "/products.json", "/_astro/page.a1b2.css"]) await ask(path);
    await ask("/", markdown);
    nginx.replaceSite({ ...site("second"), "index.md": site("first")["index.md"] });
    await eventually(async () => expect((await ask("/about")).body).toContain("about second"));
    await eventually(async () => {
      await ask("/", markdown);
      expect(nginx.requests()).toContainEqual(expect.objectContaining({ path: "/", status: 304, face: "md" }));
    });
    expect((await ask("/products.json")).body).toContain("first");
    const varnishadm = debianProgram("varnish", "usr/bin/varnishadm") ?? "";
    const [, ban = ""] =
      /varnishadm '(ban [^']+)'/.exec(readFileSync(join(ROOT, "nginx/production/README.md"), "utf8")) ?? [];
    const env = { ...process.env, ...debianEnvironment("varnish") };
    expect(spawnSync(varnishadm, ["-n", folder, ban], { env, encoding: "utf8" })).toMatchObject({ status: 0 });
    expect((await ask("/products.json")).body).toContain("second");
    expect(wasKept(await ask("/_astro/page.a1b2.css"))).toBe(true);
  },
);

test("the recipe folds by the patterns of negotiation.conf, word for word", () => {
  const [recipe, negotiation] = [RECIPE, join(ROOT, "nginx/conf/negotiation.conf")].map((file) =>
    readFileSync(file, "utf8"),
  );
  const folded = [...(recipe ?? "").matchAll(/Accept ~ \{?"(?:\(\?i\))?(.+?)"\}?\)/g)].map(([, pattern]) => pattern);
  expect(folded).toHaveLength(4);
  for (const pattern of folded) expect(negotiation).toContain(pattern);
});
