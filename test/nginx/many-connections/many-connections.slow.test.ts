import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type RunningChild, startChild, stopChild } from "../../../nginx/local/child-process.ts";
import { hostFiles } from "../../../nginx/production/host.ts";
import { openFilesHere, renderNginx } from "../../../nginx/render.ts";
import { debianEnvironment, debianProgram } from "../../debian-program.ts";
import { eventually } from "../../eventually.ts";
import { writeSite } from "../run-nginx.ts";
import { canMakeNetworks, makeNetwork, type Network, readLines } from "./network.ts";

/** Where each comes from, and the shop's address that it knows. */
const ATTACKER = ["198.51.100.1", "192.0.2.1"] as const;
const VISITOR = ["203.0.113.1", "192.0.2.2"] as const;
const PROXY = ["10.0.0.7", "192.0.2.3"] as const;
/** Two addresses of one network. */
const ATTACKERS6 = [
  ["2001:db8:a::1", "2001:db8::1"],
  ["2001:db8:a::2", "2001:db8::2"],
] as const;
const VISITOR6 = ["2001:db8:b::1", "2001:db8::3"] as const;
const [PLAIN, HTTP2, TLS] = [8080, 8082, 8443];
const COUNT = 10_000;

// A worker may hold half as many connections, and there are two.
const canHold = canMakeNetworks() && openFilesHere() >= 2 * COUNT;
const withNetwork = test.skipIf(!canHold);
let folder: string;
let network: Network;
let nginx: RunningChild;

beforeAll(async () => {
  if (!canHold) return;
  folder = mkdtempSync(join(tmpdir(), "twinfront-connections-"));
  network = await makeNetwork([ATTACKER, VISITOR, PROXY, ...ATTACKERS6, VISITOR6]);
  const [configuration, dist] = [join(folder, "nginx"), join(folder, "dist")];
  writeSite(dist, {
    "index.html": "<html>home",
    "llms.txt": "# Shop\n",
    ".session/errors/429": "<h1>Too many requests</h1>",
    "large.txt": "0123456789abcdef".repeat(500_000),
  });
  renderNginx(configuration, {
    ...{ host: "::", port: PLAIN, apiPorts: [1], baseUrl: "https://shop.example", dist, trustedProxies: [] },
    ...{ workerUser: "root", errorLog: "error.log", accessLog: "access.log", openFiles: openFilesHere() },
  });
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  const ec = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key];
  execFileSync("openssl", ["req", "-x509", ...ec, "-subj", "/CN=shop.example", "-out", certificate], {
    stdio: "ignore",
  });
  // Without TLS, 10,000 connections of HTTP/2 take the attacker little time.
  writeFileSync(
    join(configuration, "tls.conf"),
    `listen ${HTTP2} http2 backlog=4096;\nlisten ${TLS} ssl http2 backlog=4096;\nssl_certificate ${certificate};\nssl_certificate_key ${key};\n`,
  );
  const [program = "", ...args] = network.inside;
  nginx = startChild({
    ...{ name: "nginx", program, logFile: join(folder, "nginx.log") },
    args: [...args, "nginx", "-p", configuration, "-c", "nginx.conf", "-e", "stderr", "-g", "daemon off;"],
  });
  const ended = nginx.ended.then(() => {
    throw new Error(readFileSync(join(folder, "nginx.log"), "utf8"));
  });
  await Promise.race([
    ended,
    eventually(() => expect(existsSync(join(configuration, "temp", "nginx.pid"))).toBe(true)),
  ]);
});
afterAll(async () => {
  if (nginx) await stopChild(nginx, "SIGTERM", 5000);
  await network?.close();
  if (folder) rmSync(folder, { recursive: true });
});

/** Starts a program of this folder in the network. */
function start(name: string, ...args: readonly string[]) {
  const [program = "", ...inside] = network.inside;
  return spawn(program, [...inside, process.execPath, join(import.meta.dirname, name), ...args], {
    stdio: ["pipe", "pipe", "inherit"],
  });
}

/** What a visitor got, while it was so. */
async function visit(turns: number, urls = [`http://${VISITOR[1]}:${PLAIN}/`, `https://${VISITOR[1]}:${TLS}/`]) {
  const { answers, milliseconds }: { answers: Record<string, number>; milliseconds: number[] } = JSON.parse(
    await readLines(start("visit.ts", String(turns), ...urls))(),
  );
  return { answers, p99: milliseconds[Math.ceil(milliseconds.length * 0.99) - 1] };
}

withNetwork.each([
  ["half headers", PLAIN],
  ["half TLS handshakes", TLS],
  ["slow bodies", PLAIN],
  ["slow readers", PLAIN],
  ["idle connections", PLAIN],
  ["HTTP/2 streams", HTTP2],
  ["HTTP/2 resets", HTTP2],
])("while an address holds 10,000 connections with %s, another gets each page (run as root)", async (kind, port) => {
  const attacker = attack(kind, COUNT, ATTACKER[1], port);
  const [coming] = await Promise.all([visit(50), attacker.had()]);
  const there = await visit(100);
  expect([coming.answers, there.answers]).toEqual([{ 200: 100 }, { 200: 200 }]);
  console.log(kind, JSON.stringify({ coming, there, most: await attacker.most() }));
});

/** An attacker, which is ended after the test. */
function attack(kind: string, count: number, to: string, port: number) {
  const attacker = start("attack.ts", kind, String(count), to, String(port));
  const ended = once(attacker, "exit");
  onTestFinished(async () => {
    attacker.kill();
    await ended;
  });
  const next = readLines(attacker);
  return {
    /** Done when it has had as many connections. */
    had: next,
    /** Done when it has lost one. */
    lost: next,
    /** How many it has held at once. */
    async most(): Promise<number> {
      attacker.stdin.end();
      for (;;) {
        const line = await next();
        if (/\d/.test(line)) return Number(line);
      }
    },
  };
}

withNetwork(
  "an address with 256 requests open gets 429 with Retry-After for another one, in the face of its address (run as root)",
  async () => {
    await attack("slow readers", 300, ATTACKER[1], PLAIN).had();
    const ask = (path: string) => {
      const [program = "", ...inside] = network.inside;
      const url = `http://${ATTACKER[1]}:${PLAIN}${path}`;
      return execFileSync(program, [...inside, "curl", "-si", url], { encoding: "utf8" });
    };
    await eventually(() => expect(ask("/")).toMatch(/^HTTP\/1\.1 429 /));
    for (const [path, type, words] of [
      ["/", "text/plain; charset=utf-8", "Your address has too many requests open at once."],
      ["/cart", "text/html; charset=utf-8", "<h1>Too many requests</h1>"],
      ["/api/orders", "application/problem+json", '"title":"Too Many Requests","status":429'],
    ]) {
      const answer = ask(path ?? "");
      expect(answer).toMatch(/^HTTP\/1\.1 429 /);
      expect(answer).toContain(`\r\nContent-Type: ${type}\r\n`);
      expect(answer).toContain("\r\nRetry-After: 5\r\n");
      expect(answer).toContain(words);
    }
    expect(await visit(5)).toMatchObject({ answers: { 200: 10 } });
  },
);

withNetwork(
  "half headers and half TLS handshakes are given up before a body that doesn't come (run as root)",
  async () => {
    const order: string[] = [];
    const kinds = [
      ["no bodies", PLAIN],
      ["half headers", PLAIN],
      ["half TLS handshakes", TLS],
    ] as const;
    await Promise.all(
      kinds.map(async ([kind, port]) => {
        const attacker = attack(kind, 1, ATTACKER[1], port);
        await attacker.had();
        await attacker.lost();
        order.push(kind);
      }),
    );
    expect(order.at(-1)).toBe("no bodies");
  },
);

const nft = debianProgram("nftables", "usr/sbin/nft");

test.skipIf(!canHold || !nft)(
  "with the rules of install:host an address, and a /64 of IPv6, have 256 connections, proxies any number, and other rules stay (run as root)",
  async () => {
    const files = hostFiles({
      ...{ root: "/srv", contentRoot: "/srv", apiPorts: [], metricsPorts: [], releasesDir: "/srv/releases" },
      ...{ nginxPorts: [PLAIN, TLS], trustedProxies: ["10.0.0.0/8"] },
    });
    const rules = join(folder, "connections.nft");
    writeFileSync(rules, files.find(({ path }) => path.endsWith(".nft"))?.content ?? "");
    const runNft = (...args: string[]) => {
      const [program = "", ...inside] = network.inside;
      const env = { ...process.env, ...debianEnvironment("nftables") };
      return execFileSync(program, [...inside, nft ?? "", ...args], { env, encoding: "utf8" });
    };
    runNft("add", "table", "inet", "own");
    runNft("--check", "--file", rules);
    for (let turn = 0; turn < 2; turn += 1) runNft("--file", rules);
    const attackers = [ATTACKER, ...ATTACKERS6].map(([, to]) => attack("idle connections", 1000, to, PLAIN));
    await eventually(() => {
      const from = network.connectionsTo(PLAIN);
      expect([
        from.filter((address) => address.length === 8).length,
        from.filter((address) => address.length > 8).length,
      ]).toEqual([256, 256]);
    });
    expect(await visit(10)).toMatchObject({ answers: { 200: 20 } });
    expect(await visit(10, [`http://[${VISITOR6[1]}]:${PLAIN}/`])).toMatchObject({ answers: { 200: 10 } });
    await attack("idle connections", 1000, PROXY[1], PLAIN).had();
    expect(await attackers[0]?.most()).toBeLessThanOrEqual(256);
    runNft("delete", "table", "inet", "twinfront");
    expect(runNft("list", "ruleset")).toBe("table inet own {\n}\n");
  },
);
