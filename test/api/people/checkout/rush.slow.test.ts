import { expect, test } from "vitest";
import { findFreePort } from "../../../../nginx/local/ports.ts";
import { byDepth } from "../../../depth.ts";
import { openMigratedDatabase, token } from "../../api.ts";
import { run, until } from "../../server-process.ts";
import { rush } from "./rush.ts";
import { Shopper } from "./shopper.ts";
import { startCheckout } from "./start-checkout.ts";

async function startProcess(
  port: number,
  { url, sessionPages, metricsPort }: { url: string; sessionPages: string; metricsPort?: number },
) {
  const { child, ended } = run("server.ts", {
    DATABASE_URL: url,
    BASE_URL: "https://shop.example",
    API_PORT: String(port),
    ...(metricsPort !== undefined && { METRICS_PORT: String(metricsPort) }),
    ERP_PULL_API_TOKEN: token,
    RATE_LIMIT_PER_MINUTE: "0",
    SESSION_PAGES: sessionPages,
  });
  await until(
    () => fetch(`http://127.0.0.1:${port}/api/health/ready`),
    ({ ok }) => ok,
  );
  return { child, ended };
}

const CHECKOUTS = byDepth({ usual: 36, deep: 200 });

test(`faults 1 and 5: ${CHECKOUTS} checkouts by three API processes that are killed in turn, every third a double click, become one order each, which no poller misses`, async () => {
  const { db, url } = await openMigratedDatabase();
  const { sessionPages } = await startCheckout({ db });
  const start = (port: number) => startProcess(port, { url, sessionPages });
  const processes = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const port = await findFreePort();
      let running = await start(port);
      const restart = async () => {
        running.child.kill("SIGKILL");
        await running.ended;
        running = await start(port);
      };
      return { url: `http://127.0.0.1:${port}`, restart };
    }),
  );
  const baskets = ["KES-C2-BK:2", "KES-C2-BK:1,KES-CABLE:3", "KES-PRE:1"];
  const urls = processes.map(({ url }) => url);
  const faults = processes.map(({ restart }) => restart);
  const { wrong, cut } = await rush({
    ...{ db, token, baskets, faults },
    ...{ shops: urls, polled: urls, checkouts: CHECKOUTS, atOnce: 9 },
  });
  expect(wrong).toEqual([]);
  expect(cut).toBeGreaterThan(0);
});

test("300 orders placed at once by two processes are an order or a 503 that says when to come again, and no wait for a lock is given up", async () => {
  const { db, url } = await openMigratedDatabase();
  const { sessionPages } = await startCheckout({ db });
  const processes = [
    { port: await findFreePort(), metricsPort: await findFreePort() },
    { port: await findFreePort(), metricsPort: await findFreePort() },
  ];
  const shops = processes.map(({ port }) => `http://127.0.0.1:${port}`);
  for (const { port, metricsPort } of processes) await startProcess(port, { url, sessionPages, metricsPort });
  const left = Array.from({ length: 300 }, (_, number) => number);
  const ready: { shopper: Shopper; form: Record<string, string> }[] = [];
  const prepare = async () => {
    for (let number = left.pop(); number !== undefined; number = left.pop()) {
      const shop = shops[number % 2] ?? "";
      const shopper = new Shopper(() => shop, `10.0.${number >> 8}.${number & 255}`);
      await shopper.fillBasket("KES-CABLE:1");
      ready.push({ shopper, form: await shopper.review({ buyer_reference: String(number) }) });
    }
  };
  await Promise.all(Array.from({ length: 8 }, prepare));
  const answers = await Promise.all(ready.map(({ shopper, form }) => shopper.click("/checkout/place", form)));
  const placed = answers.flatMap(({ status, location }) => (status === 303 ? location : []));
  expect(answers.filter(({ status, retryAfter }) => status !== 303 && !(status === 503 && retryAfter))).toEqual([]);
  const orders = await db.selectFrom("orders").select("number").execute();
  expect(placed.toSorted()).toEqual(orders.map(({ number }) => `/account/orders/${number}`).toSorted());
  expect(placed).not.toEqual([]);
  for (const { metricsPort } of processes) {
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    expect(metrics).toContain("database_errors_total");
    expect(metrics).not.toContain("ER_LOCK_WAIT_TIMEOUT");
  }
});
