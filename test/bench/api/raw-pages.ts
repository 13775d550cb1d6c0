// Reads pages of orders with mysql2 alone, from the columns of orders and lines.
import { createPool, type RowDataPacket } from "mysql2";

const [, , socketPath = "", columns = ""] = process.argv;
const pool = createPool({
  socketPath,
  user: "root",
  database: "twinfront",
  timezone: "Z",
  dateStrings: true,
  supportBigNumbers: true,
});

const query = (statement: string, values: readonly number[]) =>
  new Promise<RowDataPacket[]>((resolve, reject) => {
    pool.query<RowDataPacket[]>(statement, [...values], (error, rows) => (error ? reject(error) : resolve(rows)));
  });

/** 50 orders after `since`, each with its lines. */
async function readPage(since: number): Promise<{ order: RowDataPacket; lines: RowDataPacket[] }[]> {
  const rows = await query(`select ${columns} from \`orders\` where \`id\` > ? order by \`id\` limit ?`, [since, 51]);
  const orders = rows.slice(0, 50);
  const lines = await query(
    `select * from \`order_lines\` where \`order_id\` in (${orders.map(() => "?").join(", ")}) order by \`order_id\`, \`position\``,
    orders.map(({ id }) => id),
  );
  const byOrder = Map.groupBy(lines, ({ order_id }) => order_id);
  return orders.map((order) => ({ order, lines: byOrder.get(order["id"]) ?? [] }));
}

interface Measurement {
  starts: readonly number[];
  seconds: number;
  concurrency: number;
  /** Whether to serialise each page as JSON. */
  asJson: boolean;
}

/** Pages a second. */
async function measure({ starts, seconds, concurrency, asJson }: Measurement): Promise<number> {
  let read = 0;
  const begin = performance.now();
  const readOn = async () => {
    while (performance.now() - begin < seconds * 1000) {
      const page = await readPage(starts[read % starts.length] ?? 0);
      if (asJson) Buffer.from(JSON.stringify(page));
      read += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, readOn));
  return (read * 1000) / (performance.now() - begin);
}

process.on("message", async (measurement: Measurement) => process.send?.(await measure(measurement)));
process.on("disconnect", () => process.exit());
process.send?.("ready");
