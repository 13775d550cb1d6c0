import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Connection, RowDataPacket } from "mysql2/promise";
import { expect, onTestFinished, test } from "vitest";
import { continueNumbers } from "../../../../api/operation/backup/after-restore.ts";
import { type Random, seededRandom } from "../../../../api/operation/demo/random.ts";
import { takeNumbers } from "../../../../api/platform/database/sequence.ts";
import { inTransaction } from "../../../../api/platform/database/transaction.ts";
import type { Order } from "../../../../api/selling/orders/schema.ts";
import { storeShopFacts } from "../../../../api/selling/shop/queries.ts";
import { catchUp } from "../../../../api/selling/stock/catch-up.ts";
import { findFreePort } from "../../../../nginx/local/ports.ts";
import { bareEnvironment } from "../../../bare-environment.ts";
import { connectToServer } from "../../../database.ts";
import { byDepth, seedFor } from "../../../depth.ts";
import { openMigratedDatabase, token } from "../../api.ts";
import { startProxy } from "../../platform/database/proxy.ts";
import { run, until, untilServing } from "../../server-process.ts";
import { shopFacts } from "../quote/shop.ts";
import { allOrders, freeOf, isLive, Partner, type Shelf, SKUS } from "./model.ts";
import type { Outcome, Work } from "./writer.ts";

/** Nobody orders these: they let a count take more than one transaction, between which a process may be killed. */
const FILLERS = Array.from({ length: 60 }, (_, index) => `A-2-${index + 10}`);

type Proxy = Awaited<ReturnType<typeof startProxy>>;

/** Kills a process at the nth statement with which it writes: before the database has that one, or once it has it. */
function killAt(proxy: Proxy, nth: number, isSent: boolean, kill: () => void): void {
  let left = nth;
  proxy.askBeforeWrites(() => {
    left -= 1;
    if (left === 0) kill();
    return left > 0 || (left === 0 && isSent);
  });
}

/** A writer.ts, which is started again when it was killed. */
async function startWriter(url: string) {
  const proxy = await startProxy(url);
  let running: { child: ChildProcess; ended: Promise<unknown[]> } | undefined;
  onTestFinished(() => void running?.child.kill("SIGKILL"));
  const start = () => {
    const child = fork(join(import.meta.dirname, "writer.ts"), {
      env: { ...bareEnvironment(), DATABASE_URL: proxy.url },
    });
    return { child, ended: once(child, "exit") };
  };
  const work = async (given: Work): Promise<Outcome | undefined> => {
    running ??= start();
    const { child, ended } = running;
    child.send(given);
    const [said] = await Promise.race([once(child, "message"), ended.then(() => [undefined])]);
    if (said !== undefined) return said;
    expect(await ended).toEqual([null, "SIGKILL"]);
    running = undefined;
    return undefined;
  };
  return { proxy, work, kill: () => void running?.child.kill("SIGKILL") };
}

/** An API that is started again as soon as it's killed. */
async function startServer(url: string) {
  const proxy = await startProxy(url);
  const port = await findFreePort();
  const start = () =>
    run("server.ts", {
      DATABASE_URL: proxy.url,
      BASE_URL: "https://shop.example",
      API_PORT: String(port),
      ERP_PULL_API_TOKEN: token,
      RATE_LIMIT_PER_MINUTE: "0",
    });
  let running = start();
  await untilServing(port);
  let restarted = Promise.resolve();
  const kill = () => {
    running.child.kill("SIGKILL");
    proxy.askBeforeWrites(() => false);
    restarted = running.ended.then(() => {
      proxy.askBeforeWrites(() => true);
      running = start();
      return untilServing(port);
    });
  };
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  /** Asks again until there is an answer. */
  const ask = (path: string, body?: object) =>
    until(
      async () => {
        const method = body ? "POST" : "GET";
        const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
          ...{ method, headers },
          ...(body && { body: JSON.stringify(body) }),
        });
        return { status: answer.status, body: (await answer.json()) as { rejected: object[] } };
      },
      ({ status }) => status < 500,
    );
  return { proxy, ask, kill, untilBack: () => restarted };
}

const TABLES = [
  ...(["orders", "order_lines", "order_payments", "order_refunds", "attention"] as const),
  ...(["stock", "stock_holds", "stock_ledger", "counters", "order_search", "order_search_state"] as const),
];

/** A connection that writes the tables in any order. */
async function openTables(url: string): Promise<Connection> {
  const connection = await connectToServer({ multipleStatements: true });
  onTestFinished(() => connection.end());
  await connection.query(`use ${new URL(url).pathname.slice(1)}; set foreign_key_checks = 0`);
  return connection;
}

async function keep(tables: Connection): Promise<void> {
  for (const table of TABLES)
    await tables.query(`drop table if exists kept_${table}; create table kept_${table} as select * from ${table}`);
}

/** Goes back to what was kept, as to a backup. */
async function restore(tables: Connection): Promise<void> {
  for (const table of TABLES)
    await tables.query(`delete from ${table}; insert into ${table} select * from kept_${table}`);
}

/** Has the database note each state of each order. */
async function keepHistory(tables: Connection): Promise<void> {
  await tables.query(
    "create table history (sequence bigint unsigned primary key, order_id bigint unsigned, status varchar(16), sent int)",
  );
  await tables.query(
    `create trigger history_of_changes after update on orders for each row
    replace into history values (new.sequence, new.id, new.status, coalesce(json_length(new.fulfillments), 0))`,
  );
  // Not of orders, whose insert would answer with another number then. Of what is taken again, the change stands there.
  await tables.query(
    `create trigger history_of_placing after insert on stock_holds for each row
    insert ignore into history values (new.placed, new.order_id, 'pending', 0)`,
  );
}

/**
 * The orders that were placed although the model had fewer pieces at their lock: all orders got their states in the order
 * of their sequences. `most` is the largest shelf that was counted meanwhile.
 */
async function findOversold(
  tables: Connection,
  before: readonly Order[],
  now: readonly Order[],
  most: Shelf,
): Promise<number[]> {
  const [rows] = await tables.query<RowDataPacket[]>("select order_id, status, sent from history order by sequence");
  const all = new Map(now.map((order) => [order.id, order]));
  const states = new Map(before.map((order) => [order.id, order]));
  const oversold: number[] = [];
  for (const { order_id, status, sent } of rows) {
    const order = all.get(order_id);
    if (!order) throw new Error(`Order ${order_id} is gone.`);
    const isNew = !states.has(order_id);
    states.set(order_id, { ...order, status, fulfillments: order.fulfillments.slice(0, sent) });
    const orders = [...states.values()];
    const isShort = order.lines.some(({ sku }) => sku && most.has(sku) && freeOf(orders, most, sku) < 0);
    if (isNew && isShort) oversold.push(order_id);
  }
  return oversold;
}

const DEEDS: readonly [string[], ...string[][]] = [
  ["paid", "--reference", "BANK/1"],
  ["accept"],
  ["hold"],
  ["release"],
  ["cancel"],
  ["sent", "--reference", "PARCEL-1"],
  ["refunded", "--reference", "BACK/1"],
];

const RUNS = byDepth({ usual: 2, deep: 180 });
const PHASES = 3;
const ACTS = 30;

test(`available is exact whenever all stand still, in ${RUNS} runs of two processes that place and change orders, a partner that reads and counts by HTTP and a person's commands, each killed between any two writes, and nothing is sold that isn't there`, {
  timeout: 600_000 + byDepth({ usual: 0, deep: 3_600_000 }),
}, async () => {
  const seed = seedFor("api/selling/stock", "api/selling/orders");
  const { db, url } = await openMigratedDatabase();
  const tables = await openTables(url);
  await keepHistory(tables);
  const empty = async () => {
    const emptied = TABLES.filter((table) => table !== "counters" && table !== "stock_ledger");
    for (const table of [...emptied, "mails"]) await tables.query(`delete from ${table}`);
    await db.updateTable("counters").set({ last_id: 0, last_sequence: 0 }).execute();
    await db.updateTable("stock_ledger").set({ base: 0, compared: 0 }).execute();
    const skus = [...SKUS, ...FILLERS].map((sku) => ({ sku }));
    await db.insertInto("stock").values(skus).execute();
  };
  const [writers, server] = [[await startWriter(url), await startWriter(url)] as const, await startServer(url)];
  const commands = await startProxy(url);
  const sum = { placed: 0, refused: 0, kills: 0, errors: [] as string[] };

  for (let at = 0; at < RUNS; at += 1) {
    await empty();
    const random = seededRandom(seed + at);
    const booksPlaced = random.chance(0.3);
    await storeShopFacts(db, shopFacts({ erp: { owns: ["stock"], books_placed: booksPlaced } }));
    const startPartner = () =>
      new Partner(async (path) => {
        const { body } = await server.ask(path);
        return { json: () => body };
      });
    let partner = startPartner();
    let shelf: Shelf = new Map();
    let lastCountedAt = Date.now() - 3_600_000;

    /** Reads and books all orders, then counts: `wanted` becomes the shelf. Returns whether it was stored. */
    const count = async (wanted: Shelf, pageSize: () => number) => {
      do await partner.readPage(pageSize());
      while (!partner.isThrough);
      const stock = [...wanted].map(([sku, pieces]) => ({ sku, count: pieces - partner.booked(sku, booksPlaced) }));
      lastCountedAt += 1;
      const counted_at = new Date(lastCountedAt).toISOString();
      const { status, body } = await server.ask("/api/stock", {
        changed_after: partner.changedAfter,
        counted_at,
        stock,
      });
      // The shop may have forgotten meanwhile what this count doesn't know.
      if (status === 409) {
        partner.beginAgain();
        return false;
      }
      expect([status, body.rejected]).toEqual([200, []]);
      shelf = wanted;
      return true;
    };

    const actByCommand = async (deed: string[], number: string, killedAt: number | undefined) => {
      const { child, ended, output } = run(
        "commands/order.ts",
        { DATABASE_URL: commands.url },
        deed[0] ?? "",
        number,
        ...deed.slice(1),
      );
      if (killedAt) killAt(commands, killedAt, random.chance(0.5), () => child.kill("SIGKILL"));
      const code = await ended;
      // 1: what it's asked for isn't possible now. Null: it was killed.
      expect([0, 1, null], output.stderr).toContain(code);
      commands.askBeforeWrites(() => true);
    };

    const check = async (before: readonly Order[], most: Shelf, what: string) => {
      // Waits for transactions of processes that were killed.
      await inTransaction(db, async (transaction) => {
        await takeNumbers(transaction, "orders", { ids: 0, sequences: 0 });
        await transaction.selectFrom("stock").select("sku").orderBy("sku").forUpdate().execute();
      });
      await catchUp(db);
      const now = await allOrders(db);
      const counted = await db
        .selectFrom("stock")
        .select(["sku", "count", "held"])
        .where("count", "is not", null)
        .execute();
      const available = counted.map(({ sku, count, held }) => [sku, Number(count) - held] as const);
      expect(Object.fromEntries(available), what).toEqual(
        Object.fromEntries([...shelf.keys()].map((sku) => [sku, freeOf(now, shelf, sku)])),
      );
      expect(await findOversold(tables, before, now, most), what).toEqual([]);
    };

    for (let phase = 0; phase < PHASES; phase += 1) {
      const before = await allOrders(db);
      const kind = random.pick(["usual", "usual", "usual", "restored", "earlier release"] as const);
      const isEarlierRelease = kind === "earlier release";
      const shelfBefore = shelf;
      if (kind === "restored") await keep(tables);
      await tables.query("delete from history");
      const wanted = chooseShelf(random, shelf, before);
      const target = random.pick(["nobody", "writer", "writer", "API", "command"] as const);
      if (target !== "nobody") sum.kills += 1;
      const [isSent, nth] = [random.chance(0.5), random.between(1, target === "API" ? 9 : 60)];
      if (target === "writer") killAt(writers[0].proxy, nth, isSent, writers[0].kill);
      if (target === "API") killAt(server.proxy, nth, isSent, server.kill);
      let isWriting = true;
      const writing = Promise.all(
        writers.map(({ work }) => work({ seed: random.between(0, 1_000_000), acts: ACTS, isEarlierRelease })),
      ).finally(() => {
        isWriting = false;
      });
      const counting = async () => {
        // An earlier release takes no counts. One that was refused may have been stored in part before the API was killed.
        let isStored = true;
        while (!isEarlierRelease && (isWriting || !isStored))
          isStored = await count(wanted, () => random.between(5, 20));
      };
      const killedAt = target === "command" ? random.between(1, 8) : undefined;
      const number = before[random.between(0, before.length - 1)]?.number;
      const acting = number && !isEarlierRelease ? actByCommand(random.pick(DEEDS), number, killedAt) : undefined;
      const [outcomes] = await Promise.all([writing, counting(), acting]);
      await server.untilBack();
      for (const { proxy } of [...writers, server]) proxy.askBeforeWrites(() => true);
      for (const outcome of outcomes) {
        sum.placed += outcome?.placed ?? 0;
        sum.refused += outcome?.refused ?? 0;
        sum.errors.push(...(outcome?.errors ?? []));
      }
      const most = new Map(
        [...shelf].flatMap(([sku, pieces]) => {
          const was = shelfBefore.get(sku);
          // Before the first count nobody counts it.
          return was === undefined || isEarlierRelease ? [] : [[sku, Math.max(was, pieces)] as const];
        }),
      );
      const what = `run ${at}, phase ${phase}: ${kind}, ${target} killed`;
      await check(before, most, what);
      if (kind !== "restored") continue;
      await restore(tables);
      await continueNumbers(db);
      shelf = shelfBefore;
      partner = startPartner();
      await tables.query("delete from history");
      await check(await allOrders(db), new Map(), `${what}, after the restore`);
    }
  }
  // Otherwise nothing was tried.
  expect([sum.placed, sum.refused, sum.kills].map((tries) => tries > 0)).toEqual([true, true, true]);
  expect(sum.errors).toEqual([]);
});

/** What is on the shelf from now on: half the time as before, so that no count may change anything. */
function chooseShelf(random: Random, shelf: Shelf, orders: readonly Order[]): Shelf {
  if (shelf.size > 0 && random.chance(0.5)) return shelf;
  const held: Shelf = new Map();
  const live = orders.filter(isLive);
  return new Map([
    ...SKUS.map((sku) => [sku, random.between(0, 25) - freeOf(live, held, sku)] as const),
    ...FILLERS.map((sku) => [sku, 7] as const),
  ]);
}
