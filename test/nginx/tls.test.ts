import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { connect as connectHttp2 } from "node:http2";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { findFreePort } from "../../nginx/local/ports.ts";
import { reloadScript } from "../../nginx/render.ts";
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

const runHook = ({ folder }: TestNginx) => spawnSync("sh", ["-c", reloadScript(folder)], { encoding: "utf8" });

test("the hook of certbot and lego puts a renewed certificate into use", async () => {
  const { nginx, tlsPort } = await runTlsNginx("old.example");
  const renewed = makeCertificate("renewed.example");
  cpSync(renewed.certificate, join(certificates, "old.example.pem"));
  cpSync(renewed.key, join(certificates, "old.example.key"));
  expect(await greet(tlsPort)).toMatchObject({ name: "old.example" });
  expect(runHook(nginx).status).toBe(0);
  await eventually(async () => expect(await greet(tlsPort)).toMatchObject({ name: "renewed.example" }));
});

test("the hook leaves nginx as it is if the key doesn't belong to the certificate, and fails with the reason", async () => {
  const { nginx, tlsPort } = await runTlsNginx("kept.example");
  cpSync(makeCertificate("other.example").key, join(certificates, "kept.example.key"));
  const { status, stderr } = runHook(nginx);
  expect(status).toBe(1);
  expect(stderr).toMatch(/key values mismatch/);
  expect(await greet(tlsPort)).toMatchObject({ name: "kept.example" });
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
  expect(await askHttp2(tlsPort, { ":path": "/admin" })).toMatchObject({ ":status": 200, body: "written" });
  const elsewhere = await askHttp2(tlsPort, { ":path": "/admin", ":authority": "other.example" });
  expect(elsewhere).toMatchObject({ ":status": 302, location: "https://shop.example/admin" });
  const post = { ":path": "/admin/publish", ":method": "POST" };
  expect(await askHttp2(tlsPort, { ...post, origin: "https://evil.example" })).toMatchObject({ ":status": 403 });
  expect(await askHttp2(tlsPort, { ...post, origin: "https://shop.example" })).toMatchObject({ ":status": 200 });
});
