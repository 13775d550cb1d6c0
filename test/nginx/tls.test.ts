import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { connect as connectHttp2 } from "node:http2";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls, getCACertificates, setDefaultCACertificates, type TLSSocket } from "node:tls";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { findWeaknesses, readPair } from "../../nginx/certificate.ts";
import { findFreePort } from "../../nginx/local/ports.ts";
import { StartError } from "../../nginx/programs.ts";
import { reloadScript } from "../../nginx/render.ts";
import { takeCertificate } from "../../nginx/take-certificate.ts";
import { eventually } from "../eventually.ts";
import { startAdmin } from "./admin-process.ts";
import { headerLines } from "./raw-request.ts";
import { runNginx, type TestNginx } from "./run-nginx.ts";

const SITE = { "index.html": "<html>home", "index.md": "# Home", "404.html": "<html>nothing", "404.md": "# Nothing" };
/** Stands in for the API: answers with the address that nginx passed on. */
const api = createServer(({ headers }, response) =>
  response.end(`${headers["x-forwarded-proto"]}://${headers["x-forwarded-host"]}`),
);
const certificates = mkdtempSync(join(tmpdir(), "twinfront-certificates-"));
let apiPort: number;

beforeAll(async () => {
  await once(api.listen(0, "127.0.0.1"), "listening");
  ({ port: apiPort } = api.address() as AddressInfo);
});
afterAll(() => {
  api.close();
  rmSync(certificates, { recursive: true });
});

/** Makes a certificate for `name`; returns the paths of it and its key. */
function makeCertificate(name: string) {
  const [certificate, key] = [join(certificates, `${name}.pem`), join(certificates, `${name}.key`)];
  const type = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  const args = ["req", "-x509", ...type, "-subj", `/CN=${name}`, "-out", certificate, "-keyout", key];
  execFileSync("openssl", args, { stdio: "ignore" });
  return { certificate, key };
}

async function runTlsNginx(name: string, more = {}): Promise<{ nginx: TestNginx; tlsPort: number }> {
  const tlsPort = await findFreePort();
  const nginx = await runNginx(SITE, apiPort, [], { tls: { ...makeCertificate(name), port: tlsPort }, ...more });
  onTestFinished(() => nginx.stop());
  return { nginx, tlsPort };
}

/** Connects and returns the protocol that was chosen and the name in the certificate. */
async function greet(port: number): Promise<{ protocol: string | false | null; name: string | string[] | undefined }> {
  const socket: TLSSocket = connectTls({ port, host: "127.0.0.1", ALPNProtocols: ["h2"], rejectUnauthorized: false });
  await once(socket, "secureConnect");
  const found = { protocol: socket.alpnProtocol, name: socket.getPeerCertificate().subject?.CN };
  socket.destroy();
  return found;
}

/** Sends one request over HTTP/2 and returns its headers and body. */
async function askHttp2(port: number, headers: Record<string, string>) {
  const session = connectHttp2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false });
  try {
    const stream = session.request({ ":authority": "shop.example", ...headers });
    stream.end();
    const [answer] = await once(stream, "response");
    return { ...answer, body: (await stream.toArray()).join("") };
  } finally {
    session.destroy();
  }
}

test("with a certificate nginx speaks HTTP/2, in both faces, and HSTS leaves other hosts of the domain alone", async () => {
  const { tlsPort } = await runTlsNginx("shop.example");
  expect(await greet(tlsPort)).toEqual({ protocol: "h2", name: "shop.example" });
  expect(await askHttp2(tlsPort, { ":path": "/", accept: "text/html" })).toMatchObject({
    ...{ ":status": 200, "content-type": "text/html; charset=utf-8", body: "<html>home" },
    "strict-transport-security": "max-age=31536000",
  });
  const markdown = await askHttp2(tlsPort, { ":path": "/", accept: "text/markdown" });
  expect(markdown).toMatchObject({ ":status": 200, body: "# Home" });
});

test("HSTS includes subdomains if that is asked for", async () => {
  const { tlsPort } = await runTlsNginx("subdomains.example", { hstsIncludeSubdomains: true });
  const hsts = { "strict-transport-security": "max-age=31536000; includeSubDomains" };
  expect(await askHttp2(tlsPort, { ":path": "/" })).toMatchObject(hsts);
});

test("over HTTP/2 the API learns the address in the browser", async () => {
  const { tlsPort } = await runTlsNginx("forms.example");
  expect((await askHttp2(tlsPort, { ":path": "/cart" })).body).toBe("https://shop.example");
});

test("plain HTTP leads to the same address of the shop over HTTPS, with method and body where there is one", async () => {
  const { nginx } = await runTlsNginx("redirect.example");
  const locations = async (line: string, headers = {}) => {
    const answer = await nginx.send(line, headers);
    return [answer.status, ...headerLines(answer, "location")];
  };
  expect(await locations("GET /search?q=a%20b", { Host: "elsewhere.example" })).toEqual([
    301,
    "https://shop.example/search?q=a%20b",
  ]);
  expect(await locations("HEAD /")).toEqual([301, "https://shop.example/"]);
  expect(await locations("POST /cart", { "Content-Length": "0" })).toEqual([308, "https://shop.example/cart"]);
  expect(await locations("GET /.well-known/security.txt")).toEqual([
    301,
    "https://shop.example/.well-known/security.txt",
  ]);
});

test("a certificate authority finds its proof over plain HTTP, with TLS and before there is any", async () => {
  const { nginx: withTls } = await runTlsNginx("acme.example");
  const without = await runNginx(SITE, apiPort);
  onTestFinished(() => without.stop());
  for (const nginx of [withTls, without]) {
    const folder = join(nginx.folder, "acme", ".well-known", "acme-challenge");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "token-1"), "token-1.thumbprint");
    const proof = await nginx.get("/.well-known/acme-challenge/token-1");
    expect([proof.status, proof.body, headerLines(proof, "content-type")]).toEqual([
      200,
      "token-1.thumbprint",
      ["text/plain; charset=utf-8"],
    ]);
    expect((await nginx.get("/.well-known/acme-challenge/token-2")).status).toBe(404);
    expect((await nginx.get("/.well-known/acme-challenge/")).status).toBe(404);
    expect((await nginx.send("POST /.well-known/acme-challenge/token-1")).status).toBe(405);
  }
});

function runHook({ folder }: TestNginx, tls?: Parameters<typeof reloadScript>[1], ...args: string[]) {
  const { status, stderr } = spawnSync("sh", ["-c", reloadScript(folder, tls), "sh", ...args], { encoding: "utf8" });
  return { status, stderr };
}

/** What `reload` is told of a shop whose certificate is called `name`. */
const told = (name: string, port: number, host = "shop.example") => ({
  ...{ certificate: join(certificates, `${name}.pem`), key: join(certificates, `${name}.key`), host },
  ...{ address: "127.0.0.1", port },
});

/** An authority and one below it, which signs certificates for shop.example; paths and PEM. */
function makeAuthority(called = "Root") {
  const folder = mkdtempSync(join(certificates, "authority-"));
  const path = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync("openssl", args, { cwd: folder, stdio: "ignore" });
  const newKey = (type: string[], name: string, subject: string) =>
    openssl("req", "-new", "-newkey", ...type, "-nodes", "-subj", `/CN=${subject}`, "-out", "csr", "-keyout", name);
  const sign = (authority: string, days: number, extensions: string, out: string) => {
    writeFileSync(path("extensions"), extensions);
    const by = ["-CA", `${authority}.pem`, "-CAkey", `${authority}.key`, "-extfile", "extensions"];
    openssl("x509", "-req", "-in", "csr", ...by, "-days", `${days}`, "-out", out);
  };
  openssl(
    "req",
    "-x509",
    "-newkey",
    ...EC,
    "-nodes",
    "-subj",
    `/CN=${called}`,
    "-out",
    "root.pem",
    "-keyout",
    "root.key",
  );
  newKey(EC, "middle.key", "Middle");
  sign("root", 9, "basicConstraints=critical,CA:TRUE", "middle.pem");
  const read = (name: string) => readFileSync(path(name), "utf8");
  return {
    root: path("root.pem"),
    chain: read("middle.pem"),
    /** The certificate of one of the two, signed by another. */
    signAgain(name: "root" | "middle", subject: string, authority: string, days: number) {
      openssl("req", "-new", "-key", `${name}.key`, "-subj", `/CN=${subject}`, "-out", "csr");
      sign(authority, days, "basicConstraints=critical,CA:TRUE", "again.pem");
      return read("again.pem");
    },
    /** A certificate and its key, in PEM. */
    make({ days = 9, type = EC, names = "DNS:shop.example", extensions = "" } = {}) {
      newKey(type, "own.key", "shop.example");
      sign("middle", days, `subjectAltName=${names}\n${extensions}`, "own.pem");
      return { certificate: read("own.pem"), key: read("own.key") };
    },
  };
}
const EC = ["ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"];

test("the hook of certbot and lego puts a renewed certificate into use, by its link, and keeps no other", async () => {
  const { nginx, tlsPort } = await runTlsNginx("old.example");
  const renewed = makeCertificate("renewed.example");
  for (const ending of ["pem", "key"]) {
    const path = join(certificates, `old.example.${ending}`);
    rmSync(path);
    symlinkSync(join(certificates, `renewed.example.${ending}`), path);
  }
  expect(await greet(tlsPort)).toMatchObject({ name: "old.example" });
  // Neither is for the shop's host, and neither is an authority's: no worse than before.
  const { status, stderr } = runHook(nginx, told("old.example", tlsPort));
  expect([status, stderr]).toEqual([
    0,
    expect.stringContaining("It isn't for shop.example, but for CN=renewed.example."),
  ]);
  expect(await greet(tlsPort)).toMatchObject({ name: "renewed.example" });
  expect(readFileSync(join(nginx.folder, "tls/current/certificate.pem"), "utf8")).toBe(
    readFileSync(renewed.certificate, "utf8"),
  );
  const pairs = readdirSync(join(nginx.folder, "tls"));
  expect(pairs.filter((name) => name !== "current")).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/)]);
  const modeOf = (name: string) => (statSync(join(nginx.folder, "tls", name)).mode & 0o777).toString(8);
  expect(["current", "current/certificate.pem", "current/key.pem"].map(modeOf)).toEqual(["700", "600", "600"]);
});

test("whatever is wrong with a pair, the hook says so and fails, and nginx keeps the good one", async () => {
  const { root, chain, make } = makeAuthority();
  const [path, keyPath] = [join(certificates, "attacked.pem"), join(certificates, "attacked.key")];
  const write = (certificate: string, key: string) => {
    writeFileSync(path, certificate);
    writeFileSync(keyPath, key);
  };
  const good = make();
  write(good.certificate + chain, good.key);
  const tlsPort = await findFreePort();
  const nginx = await runNginx(SITE, apiPort, [], { tls: { certificate: path, key: keyPath, port: tlsPort } });
  onTestFinished(() => nginx.stop());
  const reload = reloadScript(nginx.folder, told("attacked", tlsPort));
  const hook = (...args: string[]) =>
    spawnSync("sh", ["-c", reload, "sh", ...args], {
      encoding: "utf8",
      env: { ...process.env, NODE_EXTRA_CA_CERTS: root },
    });
  const taken = () =>
    ["certificate.pem", "key.pem"].map((name) => readFileSync(join(nginx.folder, "tls/current", name), "utf8"));
  const shown = async () => {
    const socket = connectTls({ port: tlsPort, host: "127.0.0.1", rejectUnauthorized: false });
    await once(socket, "secureConnect");
    const { raw } = socket.getPeerCertificate();
    socket.destroy();
    return raw.toString("base64");
  };
  const before = { files: taken(), shown: await shown() };
  const authorities = getCACertificates("default");
  setDefaultCACertificates([...authorities, readFileSync(root, "utf8")]);
  onTestFinished(() => setDefaultCACertificates(authorities));
  /** What the hook does first; returns what it says. */
  const refuse = (anyway = false) => {
    const files = { certificate: path, key: keyPath };
    const taking = { folder: nginx.folder, files, host: "shop.example", port: tlsPort, isProduction: false, anyway };
    try {
      return `taken ${takeCertificate(taking).warnings}`;
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      return error.message;
    }
  };

  const [other, rsa] = [make(), make({ type: ["rsa:2048"] })];
  const expired = make({ days: -1 });
  const elsewhere = make({ names: "DNS:elsewhere.example" });
  const forClients = make({ extensions: "extendedKeyUsage=clientAuth" });
  const [weak, odd] = [make({ type: ["rsa:1024"] }), make({ type: ["ed25519"] })];
  const half = (text: string) => text.slice(0, text.length / 2);
  const encrypted = execFileSync("openssl", ["pkey", "-aes128", "-passout", "pass:secret"], { input: other.key });
  const wrong: [what: string, certificate: string, key: string, reason: RegExp][] = [
    ["another's key", other.certificate + chain, good.key, /attacked\.key isn't the key of the certificate in/],
    ["an RSA key beside an EC certificate", other.certificate + chain, rsa.key, /isn't the key of the certificate/],
    ["an expired one", expired.certificate + chain, expired.key, /isn't good enough\. It expired at .+: renew it\./],
    [
      "another host's",
      elsewhere.certificate + chain,
      elsewhere.key,
      /isn't for shop\.example, but for DNS:elsewhere\.ex/,
    ],
    ["a client's", forClients.certificate + chain, forClients.key, /isn't for servers/],
    ["one without its chain", other.certificate, other.key, /doesn't lead to an authority .+ fullchain\.pem/],
    ["an empty file", "", other.key, /attacked\.pem is empty\. If it's being written, run this again/],
    ["an empty key", other.certificate + chain, "\n", /attacked\.key is empty/],
    ["half of a file", half(other.certificate), other.key, /attacked\.pem isn't complete\. If it's being written/],
    ["half of a key", other.certificate + chain, half(other.key), /attacked\.key isn't complete/],
    ["a damaged one", other.certificate.replace(/\n.{20}/, "\n"), other.key, /certificate that can't be read/],
    ["a damaged key", other.certificate + chain, other.key.replace(/\n.{20}/, "\n"), /key that can't be read/],
    ["a key with a passphrase", other.certificate + chain, `${encrypted}`, /passphrase, .+: openssl pkey -in/],
    ["the key in both", other.key, other.key, /attacked\.pem has no certificate in PEM/],
    ["the certificate in both", other.certificate, other.certificate, /attacked\.key has no private key in PEM/],
    ["a short key", weak.certificate + chain, weak.key, /key that browsers don't take \(RSA with 1024 bits\)/],
    ["a kind that browsers don't know", odd.certificate + chain, odd.key, /key that browsers don't take \(ed25519\)/],
    ["something else", "x".repeat(2_000_000), other.key, /too large to be a certificate/],
  ];
  const said = wrong.map(([what, certificate, key, reason]) => {
    write(certificate, key);
    const text = refuse();
    return [what, reason.test(text) || text];
  });
  expect(said).toEqual(wrong.map(([what]) => [what, true]));
  const { status, stderr } = hook();
  expect([status, stderr]).toEqual([1, expect.stringMatching(/too large to be .+\nThe certificate in use stays\.\n$/)]);
  expect(readFileSync(join(nginx.folder, "refused-certificate"), "utf8")).toMatch(/^2\d{3}-\S+Z .+ too large/);

  rmSync(path);
  symlinkSync("nowhere.pem", path);
  expect(refuse()).toContain("attacked.pem isn't there, or leads nowhere.");
  rmSync(path);
  mkdirSync(path);
  expect(refuse()).toContain("attacked.pem isn't a file.");
  rmSync(path, { recursive: true });
  expect([taken(), await shown()]).toEqual([before.files, before.shown]);
  expect(readdirSync(join(nginx.folder, "tls"))).toHaveLength(2);

  // In any order, with more than is needed, and with Windows' ends of lines.
  const all = chain + readFileSync(root, "utf8") + rsa.certificate + other.certificate + other.key;
  write(
    all.replaceAll("\n", "\r\n"),
    `-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n${rsa.key}`,
  );
  expect(hook()).toMatchObject({ status: 0, stderr: "" });
  expect(taken()).toEqual([rsa.certificate + chain, rsa.key]);
  expect(await shown()).toBe(rsa.certificate.replaceAll(/-----.+-----|\n/g, ""));
  expect(existsSync(join(nginx.folder, "refused-certificate"))).toBe(false);
  // An operator's word goes above what browsers want, but not above what nginx can't do.
  write(elsewhere.certificate, good.key);
  expect(refuse(true)).toContain("isn't the key of the certificate");
  write(elsewhere.certificate, elsewhere.key);
  expect(refuse()).toContain("isn't good enough. It isn't for shop.example");
  expect(hook("--anyway")).toMatchObject({ status: 0, stderr: expect.stringContaining("It isn't for shop.example") });
});

test("a pair in use that somebody has damaged is written again", async () => {
  const { nginx, tlsPort } = await runTlsNginx("damaged.example");
  const key = join(nginx.folder, "tls/current/key.pem");
  const good = readFileSync(key, "utf8");
  for (const damage of [() => writeFileSync(key, ""), () => rmSync(key)]) {
    damage();
    expect(runHook(nginx, told("damaged.example", tlsPort)).status).toBe(0);
    expect(readFileSync(key, "utf8")).toBe(good);
  }
});

test("a certificate that isn't valid yet, or is named in its subject alone, counts as one that browsers refuse", () => {
  const pair = readPair(makeCertificate("early.example"));
  expect([...findWeaknesses(pair, "early.example", new Date(0)).keys()]).toEqual(["early", "host", "trust"]);
  expect([...findWeaknesses(pair, "early.example", new Date()).keys()]).toEqual(["host", "trust"]);
});

test("a chain counts up to an authority that is trusted, whatever comes after, and each before it must be valid", () => {
  const { root, chain, make, signAgain } = makeAuthority();
  const authorities = getCACertificates("default");
  setDefaultCACertificates([...authorities, readFileSync(root, "utf8")]);
  onTestFinished(() => setDefaultCACertificates(authorities));
  const { certificate, key } = make();
  const files = { certificate: join(certificates, "chained.pem"), key: join(certificates, "chained.key") };
  const weaknessesWith = (others: string) => {
    writeFileSync(files.certificate, certificate + others);
    writeFileSync(files.key, key);
    return [...findWeaknesses(readPair(files), "shop.example", new Date()).values()];
  };
  const gone = makeAuthority("Gone");
  writeFileSync(join(root, "../gone.pem"), readFileSync(gone.root));
  writeFileSync(join(root, "../gone.key"), readFileSync(join(gone.root, "../root.key")));
  expect(weaknessesWith(chain)).toEqual([]);
  expect(weaknessesWith(chain + signAgain("root", "Root", "gone", 9))).toEqual([]);
  expect(weaknessesWith(signAgain("middle", "Middle", "root", -1))).toEqual([
    "A certificate on its way to its authority has expired (CN=Middle): take a new chain.",
  ]);
});

test("of reloads at once each waits for the others, and nginx keeps a pair", async () => {
  const { nginx, tlsPort } = await runTlsNginx("first.example");
  const link = join(nginx.folder, "tls/current");
  const hooks: [number | null, string | undefined][] = [];
  for (const name of ["second.example", "third.example"]) {
    makeCertificate(name);
    const script = reloadScript(nginx.folder, told(name, tlsPort));
    const started = [1, 2, 3].map(() => spawn("sh", ["-c", script], { stdio: "ignore" }));
    for (const [status] of await Promise.all(started.map((each) => once(each, "exit"))))
      hooks.push([
        status,
        readPair({ certificate: join(link, "certificate.pem"), key: join(link, "key.pem") }).own.subject,
      ]);
  }
  const named = (name: string) => Array(3).fill([0, `CN=${name}`]);
  expect(hooks).toEqual([...named("second.example"), ...named("third.example")]);
  expect(await greet(tlsPort)).toMatchObject({ name: "third.example" });
});

test("where nginx doesn't take a reload, the hook goes back to the certificate before", async () => {
  const { nginx, tlsPort } = await runTlsNginx("before.example");
  makeCertificate("after.example");
  const current = () => readlinkSync(join(nginx.folder, "tls/current"));
  const before = current();
  // A configuration that `nginx -t` takes and a reload doesn't: another program has its port.
  const port = await findFreePort();
  const occupied = createServer();
  await once(occupied.listen(port, "127.0.0.1"), "listening");
  onTestFinished(() => void occupied.close());
  const file = join(nginx.folder, "https.conf");
  writeFileSync(file, `listen 127.0.0.1:${port};\n${readFileSync(file, "utf8")}`);
  const hook = runHook(nginx, told("after.example", tlsPort));
  expect(hook).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/nginx doesn't show the certificate at port/),
  });
  expect([current(), (await greet(tlsPort)).name]).toEqual([before, "before.example"]);
});

test("an operator's own tls.conf still works", async () => {
  const nginx = await runNginx(SITE, apiPort);
  onTestFinished(() => nginx.stop());
  const tlsPort = await findFreePort();
  const { certificate, key } = makeCertificate("own.example");
  const own = `listen 127.0.0.1:${tlsPort} ssl http2;\nssl_certificate ${certificate};\nssl_certificate_key ${key};\n`;
  writeFileSync(join(nginx.folder, "tls.conf"), own);
  expect(runHook(nginx).status).toBe(0);
  await eventually(async () => expect(await greet(tlsPort)).toMatchObject({ name: "own.example" }));
});

test("over HTTP/2 the admin is at its own address, and the API is told of TLS, on which the cookie's name depends", async () => {
  const { socket } = await startAdmin();
  /** Stands in for the API: somebody is signed in under TLS. */
  const session = createServer(({ headers }, response) =>
    response.writeHead(headers["x-forwarded-proto"] === "https" ? 204 : 401, { "Editor-Name": "Ann" }).end(),
  );
  await once(session.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void session.close());
  const { port } = session.address() as AddressInfo;
  const { tlsPort } = await runTlsNginx("shop.example", {
    apiPorts: [port],
    admin: { origin: "https://shop.example", socket },
  });
  const page = await askHttp2(tlsPort, { ":path": "/admin/history" });
  expect(page).toMatchObject({ ":status": 200, body: "written" });
  const elsewhere = await askHttp2(tlsPort, { ":path": "/admin", ":authority": "other.example" });
  expect(elsewhere).toMatchObject({ ":status": 302, location: "https://shop.example/admin" });
  const post = { ":path": "/admin/publish", ":method": "POST" };
  expect(await askHttp2(tlsPort, { ...post, origin: "https://evil.example" })).toMatchObject({ ":status": 403 });
  expect(await askHttp2(tlsPort, { ...post, origin: "https://shop.example" })).toMatchObject({ ":status": 200 });
});
