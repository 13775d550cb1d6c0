import { expect, test } from "vitest";
import { jobs } from "../../../../api/jobs/jobs.ts";
import { continueNumbers } from "../../../../api/operation/backup/after-restore.ts";
import { type Random, seededRandom } from "../../../../api/operation/demo/random.ts";
import type { Db } from "../../../../api/platform/database/pool.ts";
import { takeNumbers } from "../../../../api/platform/database/sequence.ts";
import type { Act } from "../../../../api/selling/orders/acts.ts";
import { changeOrder } from "../../../../api/selling/orders/change-order.ts";
import { placeOrder } from "../../../../api/selling/orders/place-order.ts";
import { recordFulfillment } from "../../../../api/selling/orders/record-fulfillment.ts";
import { catchUp } from "../../../../api/selling/stock/catch-up.ts";
import { storeCounts } from "../../../../api/selling/stock/counts.ts";
import { forgetSettled } from "../../../../api/selling/stock/forget-settled.ts";
import { readLedger, TooFewLeft } from "../../../../api/selling/stock/ledger.ts";
import { byDepth, seedFor } from "../../../depth.ts";
import { startApi } from "../../api.ts";
import { actByCommand } from "../orders/act-by-command.ts";
import { newLine, newOrder } from "../orders/new-order.ts";
import { actAsEarlierRelease, randomOrder, step } from "./acts.ts";
import { allOrders, freeOf, Partner, type Shelf, SKUS } from "./model.ts";

const buyer = { email: "ada@example.com", first_name: null, last_name: null, company: null, phone: null, vat_id: null };
const noFollowUp = async () => {};

interface Run {
  db: Db;
  random: Random;
  partner: Partner;
  shelf: Shelf;
  booksPlaced: boolean;
}

async function place({ db, random, shelf }: Run): Promise<void> {
  const order = randomOrder(random);
  const orders = await allOrders(db);
  const short = order.lines.filter(
    ({ sku, quantity }) => shelf.has(sku ?? "") && freeOf(orders, shelf, sku ?? "") < quantity,
  );
  const placing = placeOrder(db, order);
  if (short.length > 0) await expect(placing).rejects.toThrow(TooFewLeft);
  else await placing;
}

const WRITTEN = [
  ...([
    "order_history",
    "order_search",
    "stock",
    "stock_holds",
    "attention",
    "order_payments",
    "order_refunds",
    "order_lines",
    "orders",
  ] as const),
];

/** As if nothing had happened for 30 days, of which a count may know too little then. */
async function forget({ db, random }: Run): Promise<void> {
  if (random.chance(0.3))
    await db
      .updateTable("orders")
      .set({ updated_at: new Date(Date.now() - 31 * 86_400_000) })
      .execute();
  await catchUp(db);
  await forgetSettled(db);
}

async function count({ db, random, partner, shelf, booksPlaced }: Run): Promise<void> {
  await catchUp(db);
  // The API refuses it.
  if (partner.changedAfter < (await readLedger(db)).base) return;
  const counts = SKUS.filter(() => random.chance(0.7)).map((sku) => {
    const onShelf = (shelf.get(sku) ?? partner.booked(sku, booksPlaced)) + random.between(-1, 6);
    shelf.set(sku, onShelf);
    return { sku, count: onShelf - partner.booked(sku, booksPlaced), restock_on: null };
  });
  const counting = { changedAfter: partner.changedAfter, countedAt: new Date(), by: null, booksPlaced };
  const { rejected } = await storeCounts(db, counts, counting);
  expect(rejected).toEqual([]);
}

test.each([false, true])(
  "what is free to sell is exact after every step, whatever crosses on the way (an ERP that books what is placed: %s)",
  { timeout: 600_000 + byDepth({ usual: 0, deep: 1_200_000 }) },
  async (booksPlaced) => {
    const seed = seedFor("api/selling/stock", "api/selling/orders");
    const { db, get } = await startApi();
    for (let run = 0; run < byDepth({ usual: 2, deep: 60 }); run += 1) {
      for (const table of WRITTEN) await db.deleteFrom(table).execute();
      // A restore doubles them.
      await db.updateTable("counters").set({ last_id: 0, last_sequence: 0 }).execute();
      await db.updateTable("stock_ledger").set({ base: 0, compared: 0 }).execute();
      await db
        .insertInto("stock")
        .values(SKUS.map((sku) => ({ sku })))
        .execute();
      const random = seededRandom(seed + run);
      const partner = new Partner(get);
      const shelf: Shelf = new Map();
      const state = { db, random, partner, shelf, booksPlaced };
      for (let at = 0; at < 150; at += 1) {
        const orders = await allOrders(db);
        const order = orders[random.between(0, orders.length - 1)];
        const dice = random.between(1, 100);
        if (dice <= 30 || !order) await place(state);
        else if (dice <= 65) await step(db, random, order);
        else if (dice <= 70) await forget(state);
        else if (dice <= 90) await partner.readPage(random.between(1, 4));
        else if (dice <= 96 && partner.isThrough) await count(state);
        else if (dice <= 98) await actAsEarlierRelease(db, random, order);
        else if (dice === 99) {
          await continueNumbers(db);
          partner.beginAgain();
        }
        await catchUp(db);
        const now = await allOrders(db);
        const stock = await db
          .selectFrom("stock")
          .select(["sku", "count", "held"])
          .where("count", "is not", null)
          .orderBy("sku")
          .execute();
        const model = [...shelf.keys()].sort().map((sku) => ({ sku, available: freeOf(now, shelf, sku) }));
        expect(
          stock.map(({ sku, count, held }) => ({ sku, available: Number(count) - held })),
          `run ${run}, step ${at} (${dice})`,
        ).toEqual(model);
      }
    }
  },
);

test("what was sent whole is forgotten once a count has it, and is free again if it's cancelled all the same", async () => {
  const { db } = await startApi();
  const line = newLine({ sku: "A-1", quantity: 2, unit_price: "10" });
  const { id } = await placeOrder(db, newOrder({ buyer, lines: [line] }));
  await changeOrder(db, id, { status: "processing" });
  const labels = { carrier: null, tracking_number: null, tracking_url: null };
  await recordFulfillment(db, id, { reference: "P-1", ...labels, lines: undefined }, noFollowUp);
  const readHolds = () => db.selectFrom("stock_holds").select(["placed", "released"]).execute();
  const readLast = async () => (await takeNumbers(db, "orders", { ids: 0, sequences: 0 })).last_sequence;
  const count = async (pieces: number, changedAfter: number, countedAt: string) => {
    const counting = { changedAfter, countedAt: new Date(countedAt), by: null, booksPlaced: false };
    const { stored } = await storeCounts(db, [{ sku: "A-1", count: pieces, restock_on: null }], counting);
    return stored.map(({ available }) => available);
  };
  const readFree = async () => {
    const { count, held } = await db.selectFrom("stock").select(["count", "held"]).executeTakeFirstOrThrow();
    return (count ?? 0) - held;
  };
  await forgetSettled(db);
  expect(await readHolds()).toHaveLength(1);
  const booked = await readLast();
  expect(await count(5, booked, "2026-11-20T10:00:00Z")).toEqual([5]);
  await forgetSettled(db);
  expect(await readHolds()).toEqual([]);
  await changeOrder(db, id, { status: "on_hold" });
  await changeOrder(db, id, { status: "cancelled" });
  expect(await readFree()).toBe(7);
  // Whoever counts hasn't read of it yet, and then has.
  expect(await count(5, booked, "2026-11-20T11:00:00Z")).toEqual([7]);
  expect(await count(7, await readLast(), "2026-11-20T12:00:00Z")).toEqual([7]);
  await forgetSettled(db);
  await changeOrder(db, id, { status: "on_hold", by: "person" });
  expect(await readFree()).toBe(5);
  // An earlier release reopens it, which doesn't know the ledger.
  await changeOrder(db, id, { status: "cancelled" });
  const { last_sequence: sequence } = await takeNumbers(db, "orders", { ids: 0, sequences: 1 });
  await db.updateTable("orders").set({ status: "on_hold", sequence }).execute();
  await catchUp(db);
  expect(await readFree()).toBe(5);
});

test("what won't be sent of an order is kept until a count has it, and the rest with it", async () => {
  const { db } = await startApi();
  const { id } = await placeOrder(db, newOrder({ buyer, lines: [newLine({ sku: "A-1", quantity: 3 })] }));
  await changeOrder(db, id, { status: "processing" });
  const act = (given: Act) => actByCommand(db, "A-1001", given, noFollowUp);
  const labels = { carrier: null, tracking_number: null, tracking_url: null };
  await act({ name: "sent", reference: "P-1", ...labels, lines: [{ sku: "A-1", quantity: 1 }] });
  const readLast = async () => (await takeNumbers(db, "orders", { ids: 0, sequences: 0 })).last_sequence;
  const count = async (pieces: number, changedAfter: number, countedAt: string) => {
    const counting = { changedAfter, countedAt: new Date(countedAt), by: null, booksPlaced: false };
    const { stored } = await storeCounts(db, [{ sku: "A-1", count: pieces, restock_on: null }], counting);
    return stored.map(({ available }) => available);
  };
  const readHolds = () => db.selectFrom("stock_holds").select(["units", "part"]).orderBy("part").execute();
  const booked = await readLast();
  expect(await count(5, booked, "2026-11-20T10:00:00Z")).toEqual([5]);
  await act({ name: "close", reason: null });
  await forgetSettled(db);
  const parts = [
    { units: 1, part: 0 },
    { units: 2, part: 1 },
  ];
  expect(await readHolds()).toEqual(parts);
  // Whoever counts hasn't read of it yet, and then has.
  expect(await count(5, booked, "2026-11-20T11:00:00Z")).toEqual([7]);
  expect(await count(7, await readLast(), "2026-11-20T12:00:00Z")).toEqual([7]);
  await forgetSettled(db);
  expect(await readHolds()).toEqual([]);
});

test("what nobody counts is forgotten 30 days after, and a count that knows less is refused from then on", async () => {
  const { db } = await startApi();
  const { id } = await placeOrder(db, newOrder({ buyer, lines: [newLine({ sku: "A-1", unit_price: "10" })] }));
  await placeOrder(db, newOrder({ buyer, lines: [newLine({ sku: "A-1", unit_price: "10" })] }));
  await changeOrder(db, id, { status: "cancelled" });
  const age = (days: number) =>
    db
      .updateTable("orders")
      .set({ updated_at: new Date(Date.now() - days * 86_400_000) })
      .execute();
  const readHolds = () => db.selectFrom("stock_holds").select("order_id").orderBy("order_id").execute();
  await age(29);
  await forgetSettled(db);
  expect([await readHolds(), await readLedger(db)]).toEqual([[{ order_id: 1 }, { order_id: 2 }], { base: 0 }]);
  await age(31);
  await forgetSettled(db);
  // The other one is still to be sent.
  expect([await readHolds(), await readLedger(db)]).toEqual([[{ order_id: 2 }], { base: 3 }]);
});

test("what every API and worker does once a minute brings the ledger up to date, and forgets", async () => {
  const { db } = await startApi();
  const { id } = await placeOrder(db, newOrder({ buyer, lines: [newLine({ sku: "A-1", unit_price: "10" })] }));
  await db.deleteFrom("stock_holds").execute();
  await db.updateTable("orders").set({ ledgered: null }).execute();
  const other = await placeOrder(db, newOrder({ buyer, lines: [newLine({ sku: "A-1", unit_price: "10" })] }));
  await changeOrder(db, other.id, { status: "cancelled" });
  await db
    .updateTable("orders")
    .set({ updated_at: new Date(0) })
    .execute();
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const all = jobs({ db, followUp: noFollowUp, stripe: undefined }, log);
  for (const job of all) await job(new AbortController().signal);
  expect(await db.selectFrom("stock_holds").select("order_id").execute()).toEqual([{ order_id: id }]);
});
