import { readShopFacts, storeShopFacts } from "../../../api/selling/shop/queries.ts";
import { AS_PARTNER, startApiProcess } from "../api/processes.ts";
import { cpuSecondsOf } from "../build/usage.ts";
import { interleave } from "../rounds.ts";
import { percentile, type Row } from "../table.ts";
import type { BenchShop } from "./buying.ts";
import { AT_ONCE, ORDERS } from "./placing.ts";
import { leadToReview } from "./shoppers.ts";

const REQUESTS = 10;
/** Rows of a request. */
const ROWS = 1_000;

/** What counts of stock cost, and what they cost those who place orders. */
export async function measureCounting(shop: BenchShop): Promise<Row[]> {
  const facts = await readShopFacts(shop.db);
  await storeShopFacts(shop.db, { ...facts, erp: { owns: ["stock"], books_placed: false } });
  const skus = Array.from({ length: REQUESTS * ROWS - shop.skus.length }, (_, number) => `BENCH-${number}`);
  await shop.connection.query("insert into stock (sku) values ?", [skus.map((sku) => [sku])]);
  const counted = [...shop.skus, ...skus];
  const api = await startApiProcess(shop, shop.settings);
  let countedAt = Date.now() - 86_400_000;

  /** Sends a count of all SKUs, from the order on that was placed last. */
  const count = async () => {
    countedAt += 1;
    const answer = await fetch(`${api.url}/api/orders?changed_after=0&limit=1`, { headers: AS_PARTNER });
    const { next_changed_after: changed_after } = (await answer.json()) as { next_changed_after: number };
    for (let first = 0; first < counted.length; first += ROWS) {
      const stock = counted.slice(first, first + ROWS).map((sku) => ({ sku, count: 1_000_000 }));
      const { status } = await fetch(`${api.url}/api/stock`, {
        method: "POST",
        headers: { ...AS_PARTNER, "content-type": "application/json" },
        body: JSON.stringify({ changed_after, counted_at: new Date(countedAt).toISOString(), stock }),
      });
      if (status !== 200) throw new Error(`POST /api/stock answered ${status}.`);
    }
  };
  /** Places orders, `meanwhile` again and again. Returns each one's milliseconds, and orders a second. */
  const place = async (meanwhile?: () => Promise<void>) => {
    const ready = await leadToReview(shop, api.url, ORDERS);
    const times: number[] = [];
    const begin = performance.now();
    const placeOn = async () => {
      for (let next = ready.pop(); next; next = ready.pop()) {
        const from = performance.now();
        await next.shopper.order(next.form);
        times.push(performance.now() - from);
      }
    };
    const placing = Promise.all(Array.from({ length: AT_ONCE }, placeOn));
    while (meanwhile && ready.length > 0) await meanwhile();
    await placing;
    return { p99: percentile(times, 0.99), rate: (ORDERS * 1000) / (performance.now() - begin) };
  };
  const ofBoth = () => cpuSecondsOf(api.running.child.pid) + cpuSecondsOf(shop.server.child.pid);
  const setCount = (pieces: number | null) => shop.connection.query("update stock set count = ?", [pieces]);

  const { counting } = await interleave({
    counting: async () => {
      const before = ofBoth();
      await count();
      return ofBoth() - before;
    },
  });
  const rounds = await interleave({
    counted: async () => {
      await setCount(1_000_000);
      return place();
    },
    uncounted: async () => {
      await setCount(null);
      return place();
    },
    meanwhile: () => place(count),
  });
  await api.stop();
  return [
    {
      what: `Counting ${(REQUESTS * ROWS).toLocaleString("en-GB")} SKUs`,
      unit: "s CPU",
      ours: { name: "API and MariaDB", values: counting },
      bar: { atMost: 2 },
      note: `${REQUESTS} requests of POST /api/stock, one after the other`,
    },
    {
      what: "Placing while counts come, p99",
      unit: "ms",
      ours: { name: "meanwhile", values: rounds.meanwhile.map(({ p99 }) => p99) },
      theirs: { name: "usually", values: rounds.counted.map(({ p99 }) => p99) },
      bar: { atMost: 3 },
      note: `${AT_ONCE} at a time; one process takes both, the same requests again and again`,
    },
    {
      what: "Placing what is counted",
      unit: "orders/s",
      ours: { name: "counted", values: rounds.counted.map(({ rate }) => rate) },
      theirs: { name: "uncounted", values: rounds.uncounted.map(({ rate }) => rate) },
      bar: { atLeast: 0.9 },
    },
  ];
}
