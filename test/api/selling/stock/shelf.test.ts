import { expect, test } from "vitest";
import { deleteExpired } from "../../../../api/jobs/retention.ts";
import { fromNow } from "../../../../api/platform/database/columns.ts";
import type { Db } from "../../../../api/platform/database/pool.ts";
import { changeOrder } from "../../../../api/selling/orders/change-order.ts";
import { placeOrder } from "../../../../api/selling/orders/place-order.ts";
import { storeShopFacts } from "../../../../api/selling/shop/queries.ts";
import { readHolders, setShelf, showShelf } from "../../../../api/selling/stock/shelf.ts";
import { parseOpened, readOpened, writeOpened } from "../../../../api/selling/stock/since-opened.ts";
import { openTestDatabase } from "../../api.ts";
import { actByCommand } from "../orders/act-by-command.ts";
import { newLine, newOrder } from "../orders/new-order.ts";
import { shopFacts } from "../quote/shop.ts";

const buyer = { email: "ada@example.com", first_name: null, last_name: null, company: null, phone: null, vat_id: null };
const noFollowUp = async () => {};
const labels = { carrier: null, tracking_number: null, tracking_url: null };

/** A shop that counts A-1 and B-2, of which it has orders: each takes so many pieces and is paid. */
async function startCounted(...ordered: number[]) {
  const db = await openTestDatabase();
  await storeShopFacts(db, shopFacts());
  await db
    .insertInto("stock")
    .values([{ sku: "A-1" }, { sku: "B-2" }])
    .execute();
  for (const quantity of ordered) {
    const lines = ["A-1", "B-2"].map((sku) => newLine({ sku, quantity }));
    const { id } = await placeOrder(db, newOrder({ buyer, lines }));
    await changeOrder(db, id, { status: "processing" });
  }
  const send = (number: string, reference: string, quantity: number) =>
    actByCommand(db, number, { name: "sent", reference, ...labels, lines: [{ sku: "A-1", quantity }] }, noFollowUp);
  return { db, send };
}

const availableOf = async (db: Db, sku: string) => (await showShelf(db, [sku])).stored[0]?.available;

test("a count from before a parcel is left and says so, and the same pieces counted after it are stored", async () => {
  const { db, send } = await startCounted(5, 2);
  await setShelf(db, [{ sku: "A-1", shelf: 20 }], "Ann");
  const opened = await readOpened(db);
  await send("A-1001", "P-1", 1);
  await send("A-1001", "P-2", 2);
  await send("A-1002", "P-3", 2);
  const late = await setShelf(db, [{ sku: "A-1", shelf: 14, opened }], "Ann");
  expect(late).toMatchObject({ stored: [], unknown: [] });
  const at = expect.stringMatching(/^\d{4}-.+Z$/);
  expect(late.moved).toEqual([
    {
      ...{ sku: "A-1", shelf: 14 },
      since: {
        parcels: [
          { number: "A-1001", units: 1, at },
          { number: "A-1001", units: 2, at },
          { number: "A-1002", units: 2, at },
        ],
        counts: [],
      },
    },
  ]);
  expect(await availableOf(db, "A-1")).toBe(13);
  const again = await setShelf(db, [{ sku: "A-1", shelf: 14, opened: late.opened }], "Ann");
  expect([again.moved, again.stored]).toMatchObject([[], [{ available: 12, ordered: 2 }]]);
});

test("only the SKUs of a parcel are asked about, also once its order holds nothing any more", async () => {
  const { db, send } = await startCounted(1);
  const opened = await readOpened(db);
  await send("A-1001", "P-1", 1);
  await db.deleteFrom("stock_holds").execute();
  const shelves = ["A-1", "B-2"].map((sku) => ({ sku, shelf: 4, opened }));
  const { stored, moved } = await setShelf(db, shelves, "Ann");
  expect([stored.map(({ sku }) => sku), moved.map(({ sku }) => sku)]).toEqual([["B-2"], ["A-1"]]);
});

test("the second of two who count the same is told what the first found, and the same count twice is one", async () => {
  const { db } = await startCounted(3);
  const opened = await readOpened(db);
  const count = (by: string, shelf: number | null) => setShelf(db, [{ sku: "A-1", shelf, opened }], by);
  const first = await count("Ann", 9);
  expect(first.stored).toMatchObject([{ available: 6, ordered: 3 }]);
  for (const by of ["Ann", "Ben"]) expect(await count(by, 9)).toMatchObject({ stored: [{ available: 6 }], moved: [] });
  const [moved] = (await count("Ben", 11)).moved;
  expect(moved?.since).toMatchObject({ parcels: [], counts: [{ by: "Ann", shelf: 9 }] });
  expect((await count("Ben", null)).moved).toHaveLength(1);
  // Who has counted may count again, and isn't told of their own count.
  expect((await setShelf(db, [{ sku: "A-1", shelf: 9, opened: first.opened }], "Ann")).moved).toEqual([]);
  expect(await availableOf(db, "A-1")).toBe(6);
});

test("of two who count at once, one count is stored and the other is told, and each stored one leaves a row", async () => {
  const { db } = await startCounted(3);
  const opened = await readOpened(db);
  const answers = await Promise.all(
    [1, 2, 3, 4, 5, 6].map((shelf) => setShelf(db, [{ sku: "A-1", shelf, opened }], `Person ${shelf}`)),
  );
  expect(answers.map(({ stored, moved }) => stored.length + moved.length)).toEqual([1, 1, 1, 1, 1, 1]);
  const [first, ...others] = answers.flatMap(({ stored }) => stored);
  expect(others).toEqual([]);
  await setShelf(db, [{ sku: "A-1", shelf: null }], "command");
  await setShelf(db, [{ sku: "NONE", shelf: 4 }], "command");
  const rows = await db.selectFrom("stock_history").selectAll().execute();
  const shelf = (first?.available ?? 0) + 3;
  expect(rows.map(({ id: _id, done_at: _at, ...row }) => row)).toEqual([
    { sku: "A-1", was: null, became: shelf, done_by: `Person ${shelf}` },
    { sku: "A-1", was: shelf, became: null, done_by: "command" },
  ]);
});

test("what holds a SKU are the orders that still have pieces of it to send", async () => {
  const { db, send } = await startCounted(1, 2, 3);
  await send("A-1001", "P-1", 1);
  await send("A-1002", "P-2", 1);
  await changeOrder(db, 3, { status: "cancelled" });
  const holders = await readHolders(db, ["A-1"]);
  expect(holders.map(({ number, units }) => [number, units])).toEqual([["A-1002", 1]]);
});

test("who counted what is kept for two years", async () => {
  const { db } = await startCounted();
  for (const shelf of [4, 5]) await setShelf(db, [{ sku: "A-1", shelf }], "Ann");
  const days = (count: number) => fromNow(-count * 86_400_000);
  await db
    .updateTable("stock_history")
    .set({ done_at: days(731) })
    .where("became", "=", 4)
    .execute();
  await db
    .updateTable("stock_history")
    .set({ done_at: days(729) })
    .where("became", "=", 5)
    .execute();
  await deleteExpired(db);
  expect(await db.selectFrom("stock_history").select("became").execute()).toEqual([{ became: 5 }]);
});

test("a form takes back what it was given to say when it was opened, and nothing else", () => {
  const opened = { parcel: 120, count: 44 };
  expect(parseOpened(writeOpened(opened))).toEqual(opened);
  for (const text of ["", "120.44", "p1", "p1c", "p-1c2", "p1c2 ", `p1c${"9".repeat(16)}`])
    expect([text, parseOpened(text)]).toEqual([text, undefined]);
});
