import { expect, test } from "vitest";
import { erasePerson } from "../../../../api/operation/erasure/erase-person.ts";
import { catchUpSearch } from "../../../../api/platform/database/order-search.ts";
import type { Db } from "../../../../api/platform/database/pool.ts";
import { changeOrder } from "../../../../api/selling/orders/change-order.ts";
import { placeOrder } from "../../../../api/selling/orders/place-order.ts";
import { recordPayment } from "../../../../api/selling/orders/record-payment.ts";
import { type OrderFilter, type Place, readAsked } from "../../../../api/staff/order-list/filter.ts";
import { countLists, findOrders, MOST_READ } from "../../../../api/staff/order-list/find-orders.ts";
import { migrateAgain, openTestDatabase } from "../../api.ts";
import { address, boughtOrder } from "../../selling/mail/mail-shop.ts";
import { actByCommand } from "../../selling/orders/act-by-command.ts";
import { newLine, newOrder } from "../../selling/orders/new-order.ts";

const everything: OrderFilter = { list: "all", query: "", from: null, to: null };
const nothing = async () => {};
const noTracking = { carrier: null, tracking_number: null, tracking_url: null };
const buyer = {
  email: "ada@example.com",
  first_name: "Ada",
  last_name: "Novák",
  company: null,
  phone: null,
  vat_id: null,
};

/** The ids of all orders that a filter finds, page by page. */
async function findAll(db: Db, filter: Partial<OrderFilter>, limit = 50): Promise<number[]> {
  const ids: number[] = [];
  let before: Place | undefined;
  do {
    const found = await findOrders(db, { ...everything, ...filter }, { before, limit });
    ids.push(...found.ids);
    before = found.next;
  } while (before);
  return ids;
}

const listsOf = async (db: Db, id: number) => {
  const lists = ["accept", "send", "pay", "person"] as const;
  const having = await Promise.all(lists.map(async (list) => ((await findAll(db, { list })).includes(id) ? list : [])));
  return having.flat();
};

test("an order is found by number, e-mail address, names, company, SKU, the customer's and a payment's reference and postcode, however they are written, and by the beginning of each", async () => {
  const db = await openTestDatabase();
  await placeOrder(
    db,
    boughtOrder({
      buyer: { ...buyer, email: "Jörg.Müller@Bäckerei.example", first_name: "Jörg", last_name: "Müller-Weiß" },
      shipping_address: { ...address, first_name: "Zoë", last_name: "Ångström", company: "Café Łódź s.r.o." },
      lines: [newLine({ sku: "TAV-PIP-2D" })],
      payments: [{ method: "bank_transfer", reference: "2026-10-19/44 RF18", amount: "1", status: "paid" }],
    }),
  );
  await placeOrder(
    db,
    newOrder({ buyer: { ...buyer, email: "other@other.example", first_name: "山田", last_name: "太郎" } }),
  );
  const found = [
    ...["A-1001", "a1001", "1001", "#1001", "A-100", "jörg.müller@bäckerei.example", "JOERG.MUELLER@baeckerei.example"],
    ...["@xn--bckerei-5wa.example", "jorg", "Joerg", "jörg", "muller", "Mueller", "müll", "MÜLLER-WEISS", "weiß"],
    ...["zoe", "Zoë Angstr", "cafe", "lodz", "sro", "s.r.o.", "TAV-PIP-2D", "tavpip2d", "tav-pip", "pip", "2d"],
    ...["2026-10-19/44", "20261019", "RF18", "110 00", "11000", "110", "novák", "  ada   a-1001 ", "po-7741", "PO77"],
  ];
  for (const query of found) expect([query, (await findAll(db, { query })).includes(1)]).toEqual([query, true]);
  expect(await findAll(db, { query: "山田" })).toEqual([2]);
  expect(await findAll(db, { query: "山田 ä" })).toEqual([2]);
  for (const query of ["jörg other", "muellers", "11001", "@example.com", "orders", "#all", "' or 1=1"])
    expect([query, (await findAll(db, { query })).includes(1)]).toEqual([query, false]);
  for (const query of ["%", "_", "'", "{{ x }}", "🦊", "a", "@"])
    expect([query, await findAll(db, { query })]).toEqual([query, []]);
  expect(await findAll(db, { query: "other@other.example" })).toEqual([2]);
});

test("every order stands in the lists of what is to be done with it, from placing to its end", async () => {
  const db = await openTestDatabase();
  const { id } = await placeOrder(db, boughtOrder());
  expect(await listsOf(db, id)).toEqual(["pay"]);
  await recordPayment(db, id, { method: "bank_transfer", reference: "1", amount: "300" }, nothing);
  expect(await listsOf(db, id)).toEqual(["pay"]);
  await changeOrder(db, id, { status: "on_hold" });
  expect(await listsOf(db, id)).toEqual(["pay", "person"]);
  await actByCommand(db, "A-1001", { name: "release" }, nothing);
  expect(await listsOf(db, id)).toEqual(["send", "pay"]);
  await actByCommand(db, "A-1001", { name: "sent", reference: "P-1", ...noTracking, lines: undefined }, nothing);
  expect(await listsOf(db, id)).toEqual(["pay"]);
  await recordPayment(db, id, { method: "bank_transfer", reference: "2", amount: "95.50" }, nothing);
  expect(await listsOf(db, id)).toEqual([]);
  const free = await placeOrder(db, boughtOrder({ lines: [newLine({ unit_price: "0" })], shipping_lines: [] }));
  const reserved = { method: "card", reference: "pi_1", amount: "189", status: "authorized" } as const;
  const authorized = await placeOrder(db, newOrder({ buyer, payments: [reserved] }));
  for (const order of [free, authorized]) expect(await listsOf(db, order.id)).toEqual(["accept"]);
  await changeOrder(db, authorized.id, { status: "cancelled" });
  expect(await listsOf(db, authorized.id)).toEqual([]);
});

test("an order needs a person as long as one of its matters is open", async () => {
  const db = await openTestDatabase();
  const { id } = await placeOrder(db, boughtOrder());
  await changeOrder(db, id, { status: "cancelled" });
  await recordPayment(db, id, { method: "bank_transfer", reference: "1", amount: "395.50" }, nothing);
  expect(await listsOf(db, id)).toEqual(["person"]);
  await actByCommand(db, "A-1001", { name: "done" }, nothing);
  expect(await listsOf(db, id)).toEqual([]);
});

test("a payment's reference finds its order from then on", async () => {
  const db = await openTestDatabase();
  const { id } = await placeOrder(db, boughtOrder());
  expect(await findAll(db, { query: "RF18-5390" })).toEqual([]);
  await recordPayment(db, id, { method: "bank_transfer", reference: "RF18 5390 0754", amount: "395.50" }, nothing);
  for (const query of ["RF18-5390", "RF1853900754", "5390"]) expect(await findAll(db, { query })).toEqual([id]);
});

test("once a person was erased, only number, SKU and what is to be done find the order", async () => {
  const db = await openTestDatabase();
  const { id } = await placeOrder(db, boughtOrder({ status: "completed", lines: [newLine({ sku: "KES-C2-BK" })] }));
  const queries = ["ada", "novak", "ada@example.com", "@example.com", "retail", "11000", "A-1001", "KES-C2"];
  for (const query of queries) expect([query, await findAll(db, { query })]).toEqual([query, [id]]);
  const options = { mailFolder: undefined, followUp: nothing };
  await erasePerson(db, "ada@example.com", { ...options, invoicesKeptDays: 36_500 });
  for (const query of queries.slice(0, 6)) expect([query, await findAll(db, { query })]).toEqual([query, []]);
  for (const query of queries.slice(6)) expect([query, await findAll(db, { query })]).toEqual([query, [id]]);
  const words = await db.selectFrom("order_search").select("word").orderBy("word").execute();
  expect(words.map(({ word }) => word)).toEqual(["#all", "1001", "a1001", "bk", "c2", "kes", "kesc2bk"].sort());
});

test("what an earlier release placed, changed or erased is found as it is a minute later, and after the migration", async () => {
  const db = await openTestDatabase();
  await placeOrder(db, boughtOrder());
  await placeOrder(db, newOrder({ buyer: { ...buyer, email: "bob@example.com", first_name: "Bob" } }));
  const read = () => db.selectFrom("order_search").selectAll().orderBy("order_id").orderBy("word").execute();
  const before = await read();
  await catchUpSearch(db);
  expect(await read()).toEqual(before);
  // As it leaves them: without words, or with those that they had before.
  await db.deleteFrom("order_search").where("order_id", "=", 1).execute();
  const stale = { word: "gone", placed: new Date(0), order_id: 2 };
  await db.insertInto("order_search").values(stale).execute();
  await db.updateTable("orders").set({ searched: null, sequence: 9 }).where("id", "=", 1).execute();
  await db.updateTable("orders").set({ sequence: 10 }).where("id", "=", 2).execute();
  await db.updateTable("counters").set({ last_sequence: 10 }).where("name", "=", "orders").execute();
  await Promise.all([catchUpSearch(db), catchUpSearch(db)]);
  expect(await read()).toEqual(before);
  const compared = await db.selectFrom("order_search_state").select("compared").executeTakeFirstOrThrow();
  expect(compared).toEqual({ compared: 10 });

  for (const _time of ["first", "again"]) {
    await db.deleteFrom("order_search").execute();
    await db.updateTable("orders").set({ searched: null }).execute();
    await db.updateTable("order_search_state").set({ compared: 0 }).execute();
    expect(await migrateAgain(db, "2026-11-26-22-create-order-search")).toContain("2026-11-26-22-fill-order-search");
    expect(await read()).toEqual(before);
  }
});

/** Orders as an earlier release has stored them, `minutes` after one another, with words by their position. */
async function storeMany(db: Db, count: number, lastNames: (at: number) => string): Promise<void> {
  const { id } = await placeOrder(db, boughtOrder());
  const stored = await db.selectFrom("orders").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const copies = Array.from({ length: count }, (_, at) => ({
    ...stored,
    ...{ id: at + 2, sequence: at + 2, number: `A-${at + 1_002}`, prices_include_tax: true, searched: null },
    ...{ created_at: new Date(0), updated_at: new Date(0), paid_at: null, cancelled_at: null },
    // Three at a time in the same millisecond.
    placed_at: new Date(Date.UTC(2026, 9, 1) + Math.floor(at / 3) * 60_000),
    ...{ erp_pushed_at: null, billing_kept_until: null, transfer_since: null },
    buyer: JSON.stringify({ ...buyer, last_name: lastNames(at) }) as never,
  }));
  for (let from = 0; from < count; from += 500)
    await db
      .insertInto("orders")
      .values(copies.slice(from, from + 500))
      .execute();
  await db
    .updateTable("counters")
    .set({ last_id: count + 1, last_sequence: count + 1 })
    .where("name", "=", "orders")
    .execute();
  await catchUpSearch(db);
}

/** How many rows of indexes and of tables the work reads on one connection. */
const countRows = (db: Db, work: (one: Db) => Promise<unknown>): Promise<{ read: number; scanned: number }> =>
  db.connection().execute(async (one) => {
    const status = async () => {
      const statement = { ...one.selectFrom("counters").select("name").compile(), sql: "show session status" };
      const { rows } = (await one.executeQuery(statement)) as {
        rows: unknown[];
      } as { rows: { Variable_name: string; Value: string }[] };
      return new Map(rows.map(({ Variable_name, Value }) => [Variable_name, Number(Value)]));
    };
    const before = await status();
    await work(one);
    const after = await status();
    const sum = (...names: string[]) =>
      names.reduce(
        (total, name) => total + (after.get(`Handler_read_${name}`) ?? 0) - (before.get(`Handler_read_${name}`) ?? 0),
        0,
      );
    return { read: sum("first", "key", "last", "next", "prev"), scanned: sum("rnd", "rnd_next") };
  });

test("of any number of orders, a page reads 51 rows, a count 1,001, and a search a bounded number", async () => {
  const db = await openTestDatabase();
  await storeMany(db, 2_400, (at) => (at % 400 === 0 ? "Rarity" : at % 2 ? "Common" : `Commonwealth`));
  const first = await findOrders(db, everything, { before: undefined, limit: 50 });
  const page = await countRows(db, (one) => findOrders(one, everything, { before: undefined, limit: 50 }));
  const next = await countRows(db, (one) => findOrders(one, everything, { before: first.next, limit: 50 }));
  const within = { ...everything, list: "pay", from: "2026-10-01", to: "2026-10-01" } as const;
  const days = await countRows(db, (one) => findOrders(one, within, { before: undefined, limit: 50 }));
  // One or two more that find where to begin; and the tables of 51 places that the statement makes, a few times.
  for (const { read, scanned } of [page, next, days]) {
    expect(read).toBeLessThanOrEqual(54);
    expect(scanned).toBeLessThanOrEqual(5 * 51);
  }
  expect(await countLists(db, ["all", "pay", "send"])).toEqual({ all: MOST_READ, pay: MOST_READ, send: 0 });
  const count = await countRows(db, (one) => countLists(one, ["all"]));
  expect(count.read).toBeLessThanOrEqual(MOST_READ + 1);

  const rare = await countRows(db, (one) =>
    findOrders(one, { ...everything, query: "rarity" }, { before: undefined, limit: 50 }),
  );
  expect(rare.read).toBeLessThan(60);
  expect(await findAll(db, { query: "rarity" })).toHaveLength(6);
  for (const query of ["common", "common ada", "ada@example.com novak", "co ad a-1"]) {
    const { read } = await countRows(db, (one) =>
      findOrders(one, { ...everything, query }, { before: undefined, limit: 50 }),
    );
    // For several common words, all words of 1,001 orders, some 18 each.
    expect([query, read < 25 * MOST_READ]).toEqual([query, true]);
  }
  expect(await findAll(db, { query: "common" })).toHaveLength(2_394);
  expect(await findAll(db, { query: "commonwealth ada", list: "pay" })).toHaveLength(1_194);
  expect(await findAll(db, { query: "commonwealth", list: "send" })).toEqual([]);
});

test("pages are the newest first, each order once, however many were placed in the same moment and while others come", async () => {
  const db = await openTestDatabase();
  await storeMany(db, 130, () => "Novák");
  const all = await findAll(db, {});
  // The first one was placed later than its copies.
  expect(all).toEqual([1, ...Array.from({ length: 130 }, (_, at) => 131 - at)]);
  for (const limit of [1, 7, 50]) expect(await findAll(db, {}, limit)).toEqual(all);
  const first = await findOrders(db, everything, { before: undefined, limit: 50 });
  await placeOrder(db, boughtOrder({ placed_at: new Date("2026-11-21T00:00:00Z") }));
  const second = await findOrders(db, everything, { before: first.next, limit: 50 });
  expect([...first.ids, ...second.ids]).toEqual(all.slice(0, 100));
});

test("days are whole, in UTC, and what isn't one is left out", async () => {
  const db = await openTestDatabase();
  for (const placed_at of [
    "2026-10-18T23:59:59.999Z",
    "2026-10-19T00:00:00Z",
    "2026-10-19T23:59:59.999Z",
    "2026-10-20T00:00:00Z",
  ])
    await placeOrder(db, boughtOrder({ placed_at: new Date(placed_at) }));
  expect(await findAll(db, { from: "2026-10-19", to: "2026-10-19" })).toEqual([3, 2]);
  expect(await findAll(db, { from: "2026-10-19" })).toEqual([4, 3, 2]);
  expect(await findAll(db, { to: "2026-10-18", query: "ada" })).toEqual([1]);
  expect(await findAll(db, { from: "2026-10-20", to: "2026-10-18" })).toEqual([]);
  const asked = readAsked({ from: "2026-02-30", to: " 2026-10-19\u200b", list: "gone", q: ["x"], before: "1-x" });
  expect(asked).toEqual({ filter: { ...everything, to: "2026-10-19" }, before: undefined, hasBadDay: true });
});
