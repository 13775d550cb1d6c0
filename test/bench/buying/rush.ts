import { rush } from "../../api/people/checkout/rush.ts";
import { AS_PARTNER, startApiProcess } from "../api/processes.ts";
import type { Row } from "../table.ts";
import type { BenchShop } from "./buying.ts";
import { basketOf } from "./shoppers.ts";

const CHECKOUTS = 2_000;
const PROCESSES = 8;
const KILLS = 16;

/** Checkouts by many processes that are killed in turn, with pollers, on a database without orders. */
export async function runRush(shop: BenchShop): Promise<Row[]> {
  const processes = await Promise.all(
    Array.from({ length: PROCESSES }, async () => {
      let running = await startApiProcess(shop, shop.settings);
      const { url } = running;
      const settings = { ...shop.settings, API_PORT: new URL(url).port };
      const restart = async () => {
        await running.stop();
        running = await startApiProcess(shop, settings);
      };
      return { url, restart, stop: () => running.stop() };
    }),
  );
  const begin = performance.now();
  const urls = processes.map(({ url }) => url);
  const { wrong, cut } = await rush({
    db: shop.db,
    shops: urls,
    polled: urls.slice(0, 1),
    token: AS_PARTNER.authorization.slice("Bearer ".length),
    baskets: Array.from({ length: 50 }, (_, number) => basketOf(shop, number)),
    checkouts: CHECKOUTS,
    atOnce: 32,
    faults: Array.from({ length: KILLS }, (_, kill) => async () => processes[kill % PROCESSES]?.restart()),
  });
  const seconds = (performance.now() - begin) / 1000;
  for (const { stop } of processes) await stop();
  for (const sentence of wrong.slice(0, 20)) console.error(sentence);
  return [
    {
      what: "Orders lost, made twice or skipped by a poller",
      unit: `of ${CHECKOUTS.toLocaleString("en-GB")}`,
      ours: { name: "API", values: [wrong.length] },
      bar: { atMost: 0 },
      note: `${PROCESSES} processes, killed ${KILLS} times, with ${cut} requests cut off; every third checkout a double click; ${seconds.toFixed(0)} s`,
    },
  ];
}
