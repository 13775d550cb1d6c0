import { createConnection } from "mysql2/promise";
import { afterAll, beforeAll, expect, test } from "vitest";
import { placeOrder } from "../../api/selling/orders/place-order.ts";
import { findFreePort } from "../../nginx/local/ports.ts";
import { openMigratedDatabase, token } from "../api/api.ts";
import { rush } from "../api/people/checkout/rush.ts";
import { idsOf, untilDelivered } from "../api/platform/outbox/delivery-processes.ts";
import { buildTemplates, storeShop } from "../api/platform/private-pages/pages.ts";
import { secret, startErp } from "../api/platform/webhook/erp-server.ts";
import { newLine, newOrder } from "../api/selling/orders/new-order.ts";
import { shopFacts } from "../api/selling/quote/shop.ts";
import { run, until } from "../api/server-process.ts";
import { accepts, type Cluster, galera, startCluster } from "./galera-cluster.ts";

const CHECKOUTS = 2_000;
const SKU = "KES-CABLE";
const buyer = { email: "ada@example.com", first_name: null, last_name: null, company: null, phone: null, vat_id: null };
const BASKETS = ["KES-C2-BK:2", "KES-C2-BK:1,KES-CABLE:3", "KES-PRE:1"];

let cluster: Cluster;
beforeAll(async () => {
  if (galera) cluster = await startCluster();
});
afterAll(() => cluster?.stop());

const databaseUrl = (address: string) => `mysql://shop:shop@${address}/shop`;

/** A process that can be killed and started again, with the same settings. */
async function startProcess(script: "server.ts" | "worker.ts", env: Record<string, string>) {
  const port = String(await findFreePort());
  const url = `http://127.0.0.1:${port}`;
  const isReady = () => fetch(`${url}/api/health/ready`).then(({ ok }) => ok);
  const start = async () => {
    const process = run(script, { ...env, API_PORT: port });
    if (script === "server.ts") await until(isReady, (ready) => ready);
    return process;
  };
  let running = await start();
  const restart = async () => {
    running.child.kill("SIGKILL");
    await running.ended;
    running = await start();
  };
  return { url, restart };
}

test.skipIf(!galera)(
  `${CHECKOUTS} orders of three hosts over three nodes are neither lost nor doubled, and partners who poll other nodes skip none, while nodes, an API and the worker are killed`,
  { timeout: 1_200_000 },
  async () => {
    const [one, two] = [await cluster.startProxy(), await cluster.startProxy()];
    const { db } = await openMigratedDatabase(databaseUrl(one));
    const sessionPages = await buildTemplates();
    await storeShop(db, shopFacts());
    const erp = await startErp();
    const env = (address: string) => ({
      BASE_URL: "https://shop.example",
      DATABASE_URL: databaseUrl(address),
      ERP_PULL_API_TOKEN: token,
      RATE_LIMIT_PER_MINUTE: "0",
      SESSION_PAGES: sessionPages,
      ERP_PUSH_WHEN: "placed",
      ERP_WEBHOOK_URL: erp.url,
      ERP_WEBHOOK_SECRET: secret,
      ERP_WEBHOOK_ALLOW: "127.0.0.0/8",
      ERP_WEBHOOK_ALLOW_HTTP: "true",
    });
    const [writer, second, third] = cluster.nodes;
    const [host, otherHost, ...pollers] = await Promise.all([
      startProcess("server.ts", env(one)),
      startProcess("server.ts", env(two)),
      startProcess("server.ts", env(second.address)),
      startProcess("server.ts", env(third.address)),
    ]);
    const worker = await startProcess("worker.ts", env(two));

    const faults = [
      { what: "a following node killed", happens: third.kill },
      { what: "it came back", happens: third.start },
      { what: "a host's API killed", happens: host.restart },
      { what: "the writing node killed", happens: writer.kill },
      { what: "it came back", happens: writer.start },
      { what: "the worker killed", happens: worker.restart },
    ];
    const began: number[] = [];
    const { wrong, cut, confirmedAt } = await rush({
      ...{ db, token, baskets: BASKETS, checkouts: CHECKOUTS, atOnce: 12 },
      shops: [host.url, otherHost.url],
      polled: pollers.map(({ url }) => url),
      faults: faults.map(({ happens }) => () => {
        began.push(performance.now());
        return happens();
      }),
    });
    console.log(`${wrong.length} of ${CHECKOUTS} orders lost, doubled or skipped; ${cut} requests cut off`);
    for (const [index, { what }] of faults.entries()) {
      const pause = longestPause(confirmedAt, began[index] ?? 0, began[index + 1]);
      console.log(`  ${what}: ${(pause / 1000).toFixed(1)} s without a new order`);
    }
    expect(wrong.slice(0, 20)).toEqual([]);

    await untilDelivered(db, CHECKOUTS);
    const pushed = idsOf(erp);
    console.log(`${pushed.length} deliveries of ${CHECKOUTS} orders`);
    expect(new Set(pushed).size).toBe(CHECKOUTS);

    // No piece of theirs is lost or held twice, and of the last ten fifty buyers at once get ten.
    const sold = await db.selectFrom("order_lines").select(["sku", "quantity as units"]).execute();
    const holds = await db.selectFrom("stock_holds").select(["sku", "units"]).execute();
    const stock = await db.selectFrom("stock").select(["sku", "held as units"]).execute();
    const piecesOf = (rows: readonly { sku: string | null; units: number }[], sku: string) =>
      rows.filter((row) => row.sku === sku).reduce((sum, { units }) => sum + units, 0);
    for (const { sku, units } of stock)
      expect([sku, units, piecesOf(holds, sku)]).toEqual([sku, piecesOf(sold, sku), piecesOf(sold, sku)]);
    await db
      .updateTable("stock")
      .set(({ eb }) => ({ count: eb("held", "+", 10) }))
      .where("sku", "=", SKU)
      .execute();
    const hosts = [await openMigratedDatabase(databaseUrl(one)), await openMigratedDatabase(databaseUrl(two))];
    const last = { buyer, lines: [newLine({ sku: SKU })] };
    const placings = Array.from({ length: 25 }, () => hosts.map((host) => placeOrder(host.db, newOrder(last)))).flat();
    // A few may be cut off, since a node that came back becomes the writer again.
    const outcomes = await Promise.allSettled(placings);
    expect(outcomes.filter(({ status }) => status === "rejected").length).toBeGreaterThanOrEqual(40);
    const lines = await db.selectFrom("order_lines").select(["sku", "quantity as units"]).execute();
    const { count, held } = await db
      .selectFrom("stock")
      .select(["count", "held"])
      .where("sku", "=", SKU)
      .executeTakeFirstOrThrow();
    expect([piecesOf(lines, SKU), held]).toEqual([piecesOf(sold, SKU) + 10, count]);
  },
);

/** The longest time between two of these moments, after `from` and before `to`. */
function longestPause(moments: readonly number[], from: number, to = Number.POSITIVE_INFINITY): number {
  const within = [from, ...moments.filter((moment) => moment > from && moment < to)];
  return Math.max(...within.slice(1).map((moment, index) => moment - (within[index] ?? moment)));
}

test.skipIf(!galera)(
  "with two of three nodes gone, requests get 503; told to go on alone, the third serves until the first is back",
  async () => {
    const [first, second, third] = cluster.nodes;
    const address = await cluster.startProxy();
    const { db } = await openMigratedDatabase(databaseUrl(address));
    const api = await startProcess("server.ts", {
      BASE_URL: "https://shop.example",
      DATABASE_URL: databaseUrl(address),
      ERP_PULL_API_TOKEN: token,
    });
    const orders = () => fetch(`${api.url}/api/orders`, { headers: { authorization: `Bearer ${token}` } });
    const before = (await placeOrder(db, newOrder())).id;
    // A node that loses both others in the very moment of a commit may not have it: the others' acknowledgements
    // are still on their way to it.
    await until(
      () => third.run("select max(id) as id from shop.orders"),
      ([row]) => row?.["id"] === before,
    );
    await Promise.all([first.kill(), second.kill()]);
    const answer = await until(orders, ({ status }) => status === 503);
    expect([answer.headers.get("retry-after"), await answer.json()]).toEqual([
      "5",
      expect.objectContaining({ type: "https://shop.example/developers#unavailable", status: 503 }),
    ]);
    const ready = async () => (await fetch(`${api.url}/api/health/ready`)).json() as Promise<{ detail?: string }>;
    await until(ready, ({ detail = "" }) => detail.startsWith("The database in DATABASE_URL doesn't respond"));
    await until(
      () => third.run("show status like 'wsrep_cluster_status'"),
      ([row]) => row?.["Value"] === "non-Primary",
    );
    // Its port is open, but nobody is led to it.
    expect(await accepts(`mysql://haproxy@${third.address}`)).toBe(true);
    await until(
      () => accepts(`mysql://haproxy@${address}`),
      (isLed) => !isLed,
    );
    await third.run("set global wsrep_provider_options = 'pc.bootstrap=YES'");
    await until(orders, ({ ok }) => ok);
    expect((await placeOrder(db, newOrder())).id).toBe(before + 1);
    const session = await createConnection(databaseUrl(address));
    session.on("error", () => {}); // it is closed
    await first.startEmpty();
    const isClosed = () =>
      session.query("do 0").then(
        () => false,
        () => true,
      );
    await until(isClosed, (closed) => closed);
    await second.startEmpty();
    for (const node of cluster.nodes) {
      const [last] = await node.run("select max(id) as id from shop.orders");
      expect(last).toEqual({ id: before + 1 });
    }
  },
);

test.skipIf(!galera)("after all three nodes died, the one that knows most begins, and nothing is lost", async () => {
  const address = await cluster.startProxy();
  const { db } = await openMigratedDatabase(databaseUrl(address));
  const [writer, ...followers] = cluster.nodes;
  await followers[0].kill();
  const last = await until(
    () => placeOrder(db, newOrder()),
    () => true,
  );
  await Promise.all([writer.kill(), followers[1].kill()]);
  const positions = await Promise.all(cluster.nodes.map((node) => node.position()));
  const numbers = positions.map((position) => Number(position?.split(":")[1]));
  const highest = numbers.indexOf(Math.max(...numbers));
  expect(numbers[1]).toBeLessThan(numbers[highest] ?? 0);
  await cluster.nodes[highest]?.startAsFirst();
  for (const node of cluster.nodes) if (node !== cluster.nodes[highest]) await node.start();
  for (const node of cluster.nodes)
    expect(await node.run("select max(id) as id from shop.orders")).toEqual([{ id: last.id }]);
});
