import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { RowDataPacket } from "mysql2/promise";
import { serializeMessage } from "../../../api/partners/erp/message.ts";
import { now } from "../../../api/platform/database/columns.ts";
import { findOrder } from "../../../api/selling/orders/queries.ts";
import { interleave } from "../rounds.ts";
import { type Findings, median } from "../table.ts";
import type { BenchDatabase } from "./database.ts";
import { type ApiProcess, startApiProcess, startPeer } from "./processes.ts";

const PROCESSES = [1, 2, 4] as const;
/** Deliveries that are due at once. */
const BATCH = 500;

type Received = Record<"messages" | "orders" | "seconds", number>;

/** Measures how fast API processes that share one queue deliver it to an ERP that answers at once. */
export async function measureQueue(database: BenchDatabase): Promise<Required<Findings>> {
  const erp = await startPeer("fast-erp.ts");
  const settings = {
    ERP_WEBHOOK_URL: `http://127.0.0.1:${erp.firstMessage}/orders`,
    ERP_WEBHOOK_SECRET: `whsec_${randomBytes(24).toString("base64")}`,
    ERP_WEBHOOK_ALLOW: "127.0.0.0/8",
    ERP_WEBHOOK_ALLOW_HTTP: "true",
  };
  const processes: ApiProcess[] = [];
  for (const _ of Array(Math.max(...PROCESSES))) processes.push(await startApiProcess(database, settings));
  const deliver = (working: number) => async (): Promise<Received> => {
    await emptyQueue(database);
    // The others are paused, not stopped, so that every process stays warm.
    for (const { running } of processes.slice(working)) running.child.kill("SIGSTOP");
    await queueBatch(database);
    await waitUntilDelivered(database);
    for (const { running } of processes.slice(working)) running.child.kill("SIGCONT");
    return (await erp.ask({})) as Received;
  };
  const sides = Object.fromEntries(PROCESSES.map((count) => [`${count}`, deliver(count)]));
  await interleave(sides, 1);
  const received = await interleave(sides);
  for (const { stop } of processes) await stop();
  await emptyQueue(database);
  return describe(received);
}

async function emptyQueue({ connection }: BenchDatabase): Promise<void> {
  for (const table of ["delivery_attempts", "deliveries"]) await connection.query(`delete from ${table}`);
}

/** Queues deliveries of the first orders, as a push stores them, all due now. */
async function queueBatch({ db }: BenchDatabase): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    for (let id = 1; id <= BATCH; id += 1) {
      const order = await findOrder(transaction, id);
      if (!order) throw new Error(`Order ${id} is missing.`);
      const row = {
        order_id: id,
        order_version: order.version,
        resend: 1,
        webhook_id: `msg_order_${id}_${order.version}`,
        body: serializeMessage(order, "order.pushed").body,
        state: "pending" as const,
        next_attempt_at: now(),
        created_at: now(),
      };
      await transaction.insertInto("deliveries").values(row).execute();
    }
  });
}

async function waitUntilDelivered({ connection }: BenchDatabase): Promise<void> {
  for (;;) {
    const [[row]] = await connection.query<RowDataPacket[]>(
      "select count(*) as waiting from deliveries where state <> 'delivered'",
    );
    if (row?.["waiting"] === 0) return;
    await sleep(50);
  }
}

function describe(received: Readonly<Record<string, Received[]>>): Required<Findings> {
  const rates = (count: number) => (received[count] ?? []).map(({ messages, seconds }) => messages / seconds);
  const alone = { name: "1 process", values: rates(1) };
  const rows = PROCESSES.map((count) => ({
    what: `Deliveries by ${count} ${count === 1 ? "process" : "processes"}`,
    unit: "deliveries/s",
    ours: { name: `${count} processes`, values: rates(count) },
    ...(count > 1 ? { theirs: alone } : {}),
  }));
  const twice = Object.values(received)
    .flat()
    .map(({ messages, orders }) => messages - orders + (BATCH - orders));
  const exact = {
    what: "Deliveries lost or made twice",
    unit: `of ${BATCH}`,
    ours: { name: "API", values: twice },
    bar: { atMost: 0 },
  };
  const points = PROCESSES.map((count) => ({ x: count, y: median(rates(count)) }));
  const plot = {
    name: "api-queue",
    title: "The queue, shared by API processes",
    xLabel: "processes",
    yLabel: "deliveries/s",
    lines: [{ name: "to a fast ERP", points }],
  };
  return { rows: [...rows, exact], plots: [plot] };
}
