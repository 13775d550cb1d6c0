import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { type AddressInfo, createServer, type Server } from "node:net";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { findFreePort } from "../../nginx/local/ports.ts";
import { openMigratedDatabase, token } from "../api/api.ts";
import { run } from "../api/server-process.ts";
import { bareEnvironment } from "../bare-environment.ts";
import { debianEnvironment, debianProgram } from "../debian-program.ts";
import { eventually } from "../eventually.ts";
import { runNginx } from "./run-nginx.ts";

const ROOT = new URL("../..", import.meta.url);
const CLIENTS = 12;
let databaseUrl: string;

beforeEach(async () => {
  ({ url: databaseUrl } = await openMigratedDatabase());
});

const settings = (port: number) => ({
  API_PORT: String(port),
  BASE_URL: "https://shop.example",
  DATABASE_URL: databaseUrl,
  ERP_PULL_API_TOKEN: token,
  RATE_LIMIT_PER_MINUTE: "0",
});

/** The ids of the processes that have said that they listen. */
const listening = (log: string): number[] =>
  log
    .split("\n")
    .filter((line) => line.includes("Server listening"))
    .map((line) => JSON.parse(line).pid);

/** Starts the API again and again with the socket that it inherits as number 3, as systemd does. */
const SUPERVISOR = `while :; do sh -c 'LISTEN_FDS=1 LISTEN_PID=$$ exec "$@"' sh "$@"; done`;

/** Runs the API under the supervisor, which holds a listening socket. Returns its port and the API's log so far. */
async function superviseApi() {
  const holder = createServer().listen(0, "127.0.0.1");
  await once(holder, "listening");
  const { port } = holder.address() as AddressInfo;
  const api = [process.execPath, "api/server.ts"];
  const child = spawn("setpriv", ["--pdeathsig", "KILL", "sh", "-c", SUPERVISOR, "sh", ...api], {
    cwd: ROOT,
    // A port of its own would be taken: the supervisor's socket has it.
    env: { ...bareEnvironment(), ...settings(port) },
    stdio: ["ignore", "pipe", "inherit", descriptorOf(holder)],
    detached: true,
  });
  holder.close();
  onTestFinished(() => endGroup(child));
  let log = "";
  child.stdout?.on("data", (data) => {
    log += data;
  });
  return { port, log: () => log };
}

const descriptorOf = (server: Server): number => Object(server)._handle.fd;

async function endGroup(child: ChildProcess): Promise<void> {
  process.kill(-(child.pid as number), "SIGKILL");
  await once(child, "exit");
}

const REQUESTS = {
  GET: { path: "/api/orders?limit=1", body: "" },
  POST: { path: "/api/orders/1/payments", body: "{}" },
};
type Method = keyof typeof REQUESTS;

/** Sends requests by several clients until stopped; gives how many were answered, and each failure. */
function sendRequests(port: number, methods: readonly [Method, ...Method[]]) {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const result = { answered: 0, failures: [] as string[] };
  let running = true;
  const send = async (method: Method) => {
    const { path, body } = REQUESTS[method];
    const headers = {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "content-length": body.length,
    };
    const asked = request({ host: "127.0.0.1", port, method, path, agent, headers }).end(body);
    const [answer] = await once(asked, "response");
    await answer.toArray();
    if (answer.statusCode >= 500) throw new Error(answer.statusCode);
  };
  const client = async (index: number) => {
    for (let count = index; running; count += 1) {
      const method = methods[count % methods.length] ?? methods[0];
      await send(method).then(
        () => {
          result.answered += 1;
        },
        ({ message }) => result.failures.push(`${method}: ${message}`),
      );
    }
  };
  const clients = Array.from({ length: CLIENTS }, (_, index) => client(index));
  return {
    result,
    async stop() {
      running = false;
      await Promise.all(clients);
      agent.destroy();
      console.log(`${result.answered} answered, ${result.failures.length} failed`);
      return result;
    },
  };
}

const ss = debianProgram("iproute2", "bin/ss");

/** How many connections may wait at a port; for sockets that listen, ss(8) shows it in the column Send-Q. */
function backlogOf(port: number): number {
  const { stdout } = spawnSync(ss ?? "", ["--listening", "--tcp", "--numeric", "--no-header", `sport = :${port}`], {
    env: { ...process.env, ...debianEnvironment("iproute2") },
    encoding: "utf8",
  });
  return Number(stdout.split(/\s+/)[2]);
}

test.skipIf(!ss)(
  "4,096 connections may wait at the API's port, its own or the one that it gets from systemd",
  async () => {
    const { port, log } = await superviseApi();
    const own = await findFreePort();
    const { output } = run("server.ts", settings(own));
    await eventually(() => expect([log(), output.stdout].map((text) => listening(text).length)).toEqual([1, 1]));
    expect([port, own].map(backlogOf)).toEqual([4096, 4096]);
  },
);

test("an API that gets its socket from systemd is restarted five times under load, and no request fails", async () => {
  const api = await superviseApi();
  const nginx = await runNginx({ "index.html": "<html>" }, api.port);
  onTestFinished(() => nginx.stop());
  const load = sendRequests(nginx.port, ["GET", "POST"]);
  for (let restarts = 0; restarts < 5; restarts += 1) {
    const [pid] = await eventually(() => {
      const pids = listening(api.log());
      expect(pids).toHaveLength(restarts + 1);
      return pids.slice(-1);
    });
    const before = load.result.answered;
    await eventually(() => expect(load.result.answered).toBeGreaterThan(before + 300));
    process.kill(pid as number, "SIGTERM");
  }
  await eventually(() => expect(listening(api.log())).toHaveLength(6));
  const { answered, failures } = await load.stop();
  expect(failures).toEqual([]);
  expect(answered).toBeGreaterThan(1500);
});

test("of two APIs behind nginx, each is restarted in turn under load, and no GET fails", async () => {
  const ports = [await findFreePort(), await findFreePort()];
  const apis = ports.map((port) => run("server.ts", settings(port)));
  const isListening = (api: (typeof apis)[number]) =>
    eventually(() => expect(listening(api.output.stdout)).toHaveLength(1));
  await Promise.all(apis.map(isListening));
  const nginx = await runNginx({ "index.html": "<html>" }, ports);
  onTestFinished(() => nginx.stop());
  const load = sendRequests(nginx.port, ["GET"]);
  for (const [index, port] of [...ports, ...ports].entries()) {
    const api = apis[index];
    const before = load.result.answered;
    await eventually(() => expect(load.result.answered).toBeGreaterThan(before + 300));
    api?.child.kill("SIGTERM");
    expect(await api?.ended).toBe(0);
    const next = run("server.ts", settings(port));
    apis.push(next);
    await isListening(next);
  }
  expect((await load.stop()).failures).toEqual([]);
});
