import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, onTestFinished, test } from "vitest";
import { findFreePort } from "../../../nginx/local/ports.ts";
import { eventually } from "../../eventually.ts";
import { codeOf, isInstalled } from "./developers-page.ts";

const url = inject("shopUrl");
const token = inject("shopToken");

const LOOPS = [
  { name: "TypeScript", fence: "ts", file: "loop.mts", command: [process.execPath, "--no-warnings"] },
  { name: "Python", fence: "python", file: "loop.py", command: ["python3"] },
] as const;

/** Starts one of the developer page's loops in its own folder, with `base` as its address. */
function startLoop({ name, fence, file, command }: (typeof LOOPS)[number], base: string, credential: string) {
  const folder = mkdtempSync(join(tmpdir(), "twinfront-loop-"));
  writeFileSync(join(folder, file), codeOf(`In ${name}`, fence).replace("https://shop.example", base));
  const [program, ...args] = command;
  const env = { PATH: process.env["PATH"], ERP_PULL_API_TOKEN: credential };
  const child: ChildProcess = spawn(program, [...args, file], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", (text) => (output += text));
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  onTestFinished(async () => {
    child.kill();
    await ended;
    rmSync(folder, { recursive: true });
  });
  const numberFile = join(folder, "changed-after.txt");
  const kept = () => (existsSync(numberFile) ? readFileSync(numberFile, "utf8") : "");
  return { output: () => output, kept, ended };
}

/** All orders as the loops print them: `id version status`. */
async function allOrders(): Promise<{ lines: string[]; last: string }> {
  const answer = await fetch(`${url}/api/orders?changed_after=0&limit=250`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { orders, next_changed_after: last } = JSON.parse(await answer.text());
  const lines = orders.map(({ id, version, status }: Record<string, unknown>) => `${id} ${version} ${status}`);
  return { lines, last: String(last) };
}

const runnable = LOOPS.filter(({ command: [program] }) => isInstalled(program));

test.each(runnable)("the $name loop fetches every order and keeps its number", async (loop) => {
  const { lines, last } = await allOrders();
  expect(lines.length).toBeGreaterThan(0);
  const running = startLoop(loop, url, token);
  await eventually(() => expect([running.kept(), ...running.output().trim().split("\n")]).toEqual([last, ...lines]));
});

test.each(runnable)("the $name loop stops at a wrong token and says why", async (loop) => {
  const running = startLoop(loop, url, "x".repeat(32));
  expect(await running.ended).toBe(1);
  expect(running.output()).toMatch(/401: .*token/); // the answer's detail
});

/** Answers with each of `steps` in turn, then repeats the last. Returns its URL and the queries received. */
async function startServer(steps: readonly ((response: ServerResponse) => void)[]) {
  const port = await findFreePort();
  const queries: string[] = [];
  const server = createServer(({ url: path = "" }, response) => {
    const step = steps[Math.min(queries.length, steps.length - 1)];
    queries.push(path);
    step?.(response);
  }).listen(port, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { base: `http://127.0.0.1:${port}`, queries };
}

const later = (status: number) => (response: ServerResponse) =>
  void response.writeHead(status, { "retry-after": "1", "content-type": "application/problem+json" }).end("{}");

const pageOf = (id: number, has_more: boolean) =>
  JSON.stringify({ orders: [{ id, version: 1, status: "paid" }], next_changed_after: id, has_more });

const cutInHalf = (response: ServerResponse) => {
  response.writeHead(200, { "content-length": "5000" }).write(pageOf(1, true));
  setTimeout(() => response.destroy(), 50);
};

test("the loops survive a truncated answer, 429 and 503, and miss nothing", async () => {
  const ask = (after: number) => `/api/orders?changed_after=${after}&limit=250`;
  const ride = async (loop: (typeof LOOPS)[number]) => {
    const steps = [pageOf(1, true), pageOf(2, false)].map(
      (page) => (response: ServerResponse) => void response.end(page),
    );
    const { base, queries } = await startServer([
      cutInHalf,
      later(429),
      ...steps.slice(0, 1),
      later(503),
      ...steps.slice(1),
    ]);
    const running = startLoop(loop, base, token);
    // A loop's output may arrive after its file has been written.
    const seen = () => [running.kept(), running.output().trim().split("\n")];
    await eventually(() => expect(seen()).toEqual(["2", ["1 1 paid", "2 1 paid"]]));
    expect(queries).toEqual([ask(0), ask(0), ask(0), ask(1), ask(1)]);
  };
  await Promise.all(runnable.map(ride));
});
