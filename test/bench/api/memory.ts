import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type Findings, median } from "../table.ts";
import type { BenchDatabase } from "./database.ts";
import { AS_PARTNER, startApiProcess } from "./processes.ts";

const MINUTES = 60;
/** Real duration of one simulated minute. */
const MINUTE_MS = 2_000;

type Ask = (path: string, headers?: Record<string, string>) => Promise<Response>;

/** One minute of a partner who follows changes: 8 requests. */
async function pollAsPartner(ask: Ask, minute: number): Promise<void> {
  const polls = [
    `/api/orders?changed_after=${minute * 40_000}&limit=250`,
    `/api/orders?since_id=${minute * 15_000}`,
    `/api/orders?status=pending,on_hold&since_id=${minute * 15_000}`,
    ...[1, 2, 3].map((id) => `/api/orders/${minute * 100 + id}`),
    `/api/erp/orders/${minute + 1}/preview`,
    "/api/products?changed_after=0",
  ];
  for (const path of polls) await (await ask(path, AS_PARTNER)).arrayBuffer();
}

/** One minute of five agents: 4 requests each. */
async function lookAsAgents(ask: Ask): Promise<void> {
  const look = async () => {
    for (const path of ["/api/erp/status", "/api/orders", "/api/products", "/api/nowhere"])
      await (await ask(path)).arrayBuffer();
  };
  await Promise.all(Array.from({ length: 5 }, look));
}

/** Sends an hour's requests to a new API process within two minutes, and samples its resident memory. */
export async function measureMemory(database: BenchDatabase): Promise<Required<Findings>> {
  const { url, running, stop } = await startApiProcess(database);
  let requests = 0;
  const ask: Ask = (path, headers = {}) => {
    requests += 1;
    return fetch(url + path, { headers });
  };
  const points: { x: number; y: number }[] = [];
  for (let minute = 0; minute < MINUTES; minute += 1) {
    const over = sleep(MINUTE_MS);
    await Promise.all([pollAsPartner(ask, minute), lookAsAgents(ask)]);
    await over;
    points.push({ x: minute + 1, y: residentMb(running.child.pid) });
  }
  await stop();
  const quarter = (index: number) => points.slice(index * 15, (index + 1) * 15).map(({ y }) => y);
  const row = {
    what: "Memory of the API after an hour's requests",
    unit: "MB",
    ours: { name: "the last quarter", values: [median(quarter(3))] },
    theirs: { name: "the second quarter", values: [median(quarter(1))] },
    bar: { atMost: 1.1 },
    note: `resident; one run: ${requests.toLocaleString("en-GB")} requests of an hour within two minutes, by a partner who polls each minute and five agents`,
  };
  const plot = {
    name: "api-memory",
    title: `Memory of the API, ${requests.toLocaleString("en-GB")} requests`,
    xLabel: "minute of the hour",
    yLabel: "MB resident",
    lines: [{ name: "one process", points: points.filter(({ x }) => x % 5 === 0) }],
  };
  return { rows: [row], plots: [plot] };
}

const residentMb = (pid: number | undefined) =>
  (Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024) / 1e6;
