import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SettingsError } from "../../api/env.ts";
import { renderNginx } from "../../nginx/render.ts";
import { readNginxSettings } from "../../nginx/settings.ts";
import { runNginx, type TestNginx } from "./run-nginx.ts";

/** Stands in for the API: answers with the client address that nginx passed on. */
const api = createServer((asked, response) => response.end(String(asked.headers["x-forwarded-for"])));
let alone: TestNginx;
let behindProxies: TestNginx;

beforeAll(async () => {
  await once(api.listen(0, "127.0.0.1"), "listening");
  const { port } = api.address() as AddressInfo;
  alone = await runNginx({}, port);
  behindProxies = await runNginx({}, port, ["127.0.0.2/32", "203.0.113.0/24", "2001:db8::/32"]);
});
afterAll(async () => {
  await alone.stop();
  await behindProxies.stop();
  api.close();
});

/** The client address that the API sees, for a request from `from`, one of this machine's addresses. */
async function addressOf(nginx: TestNginx, from: string, forwardedFor: string | string[]): Promise<string> {
  const headers = { "X-Forwarded-For": forwardedFor };
  const asked = request({ host: "127.0.0.1", port: nginx.port, path: "/api/x", localAddress: from, headers }).end();
  const [answer] = await once(asked, "response");
  return (await answer.toArray()).join("");
}

test("without trusted proxies X-Forwarded-For is ignored", async () => {
  expect(await addressOf(alone, "127.0.0.2", "198.51.100.7")).toBe("127.0.0.2");
});

test.each([
  ["127.0.0.2", "198.51.100.7", "198.51.100.7", "a trusted proxy's header counts"],
  ["127.0.0.2", "192.0.2.1, 198.51.100.7", "198.51.100.7", "what the client wrote before it doesn't"],
  ["127.0.0.2", "192.0.2.1, 198.51.100.7, 203.0.113.9", "198.51.100.7", "a chain of trusted proxies is followed"],
  ["127.0.0.2", "2001:db9::7, 2001:db8::1", "2001:db9::7", "IPv6 addresses work too"],
  ["127.0.0.2", "nonsense", "127.0.0.2", "an invalid address is ignored"],
  ["127.0.0.1", "198.51.100.7", "127.0.0.1", "other senders aren't trusted"],
])("behind trusted proxies: from %s, forwarded for %s, the client is %s: %s", async (from, header, client) => {
  expect(await addressOf(behindProxies, from, header)).toBe(client);
});

test("TRUSTED_PROXIES must be a list of ranges that don't include everyone", () => {
  expect(readNginxSettings({}).trustedProxies).toEqual([]);
  expect(readNginxSettings({ TRUSTED_PROXIES: "10.0.0.0/8, fd00::/8" }).trustedProxies).toEqual([
    "10.0.0.0/8",
    "fd00::/8",
  ]);
  for (const value of [
    "10.0.0.1",
    "10.0.0.0/33",
    "proxy.example/8",
    "10.0.0.0/8;",
    "10.0.0.0/8,",
    "0.0.0.0/0",
    "::/0",
  ]) {
    const read = () => readNginxSettings({ TRUSTED_PROXIES: value });
    expect(read).toThrow(SettingsError);
    expect(read).toThrow(/TRUSTED_PROXIES isn't a list of address ranges\. Write/);
  }
});

const hasIpv6 = Object.values(networkInterfaces()).some((some) => some?.some(({ address }) => address === "::1"));

test.skipIf(!hasIpv6)("HOST=:: takes IPv4 and IPv6 clients, each with its own address, also over TLS", async () => {
  const { port } = api.address() as AddressInfo;
  const nginx = await runNginx({}, port, [], { host: "::" });
  const seen = await Promise.all(
    ["127.0.0.1", "[::1]"].map(async (host) => (await fetch(`http://${host}:${nginx.port}/api/x`)).text()),
  );
  await nginx.stop();
  expect(seen).toEqual(["127.0.0.1", "::1"]);
  const tls = { port: 443 };
  const folder = mkdtempSync(join(tmpdir(), "twinfront-nginx-"));
  const plain = { host: "::", port: 80, apiPorts: [1], baseUrl: "https://shop.example", dist: folder };
  renderNginx(folder, { ...plain, tls, trustedProxies: [], workerUser: undefined, errorLog: "e", accessLog: "a" });
  const written = ["https.conf", "http-to-https.conf"].map((name) => readFileSync(join(folder, name), "utf8")).join("");
  rmSync(folder, { recursive: true });
  expect(written.match(/listen .*;/g)).toEqual([
    "listen 0.0.0.0:443 ssl http2 backlog=4096 default_server;",
    "listen [::]:443 ssl http2 backlog=4096 default_server;",
    "listen 0.0.0.0:80 backlog=4096 default_server;",
    "listen [::]:80 backlog=4096 default_server;",
  ]);
});
