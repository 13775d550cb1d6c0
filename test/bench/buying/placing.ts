import { startApiProcess, startPeer } from "../api/processes.ts";
import { interleave } from "../rounds.ts";
import type { Row } from "../table.ts";
import type { BenchShop } from "./buying.ts";
import { leadToReview } from "./shoppers.ts";

export const AT_ONCE = 8;
/** Orders per round. */
export const ORDERS = 200;

/** Orders a second, through HTTP and by the same statements alone, each with a durable commit. */
export async function measurePlacing(shop: BenchShop): Promise<Row[]> {
  await shop.connection.query("set global innodb_flush_log_at_trx_commit = 1");
  const api = await startApiProcess(shop, shop.settings);
  const raw = await startPeer("./raw-placing.ts", shop.socketPath);
  const sides = {
    http: async () => {
      const ready = await leadToReview(shop, api.url, ORDERS);
      const begin = performance.now();
      const place = async () => {
        for (let next = ready.pop(); next; next = ready.pop()) await next.shopper.order(next.form);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, place));
      return (ORDERS * 1000) / (performance.now() - begin);
    },
    raw: async () => {
      const ready = await leadToReview(shop, api.url, ORDERS);
      const checkouts = ready.map(({ cookie, form }) => ({ cookie, id: Number(form["checkout"]) }));
      return Number(await raw.ask({ checkouts, atOnce: AT_ONCE }));
    },
  };
  await interleave(sides, 1); // warms up new processes
  const rates = await interleave(sides);
  raw.child.kill("SIGKILL");
  await api.stop();
  return [
    {
      what: "Placing an order through HTTP",
      unit: "orders/s",
      ours: { name: "API", values: rates.http },
      theirs: { name: "raw mysql2", values: rates.raw },
      bar: { atLeast: 0.5 },
      note: `three lines, ${AT_ONCE} at a time; mysql2 reads and writes the same rows by the same statements, with a durable commit each`,
    },
  ];
}
