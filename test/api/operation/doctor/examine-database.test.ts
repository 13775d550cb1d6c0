import { expect, onTestFinished, test } from "vitest";
import { readDatabaseAddress } from "../../../../api/env.ts";
import { makeFollowUp } from "../../../../api/follow-up.ts";
import { decideHeld, holdBack } from "../../../../api/operation/backup/after-restore.ts";
import { examineDatabase } from "../../../../api/operation/doctor/examine-database.ts";
import { fromNow, now } from "../../../../api/platform/database/columns.ts";
import { openDatabase } from "../../../../api/platform/database/pool.ts";
import { importProducts } from "../../../../api/selling/catalogue/import.ts";
import { queueMail } from "../../../../api/selling/mail/queue.ts";
import { ATTENTION_REASONS } from "../../../../api/selling/orders/attention.ts";
import { placeOrder } from "../../../../api/selling/orders/place-order.ts";
import { recordPayment } from "../../../../api/selling/orders/record-payment.ts";
import { makeShortWatch } from "../../../../api/selling/orders/short-stock.ts";
import { storeShopFacts } from "../../../../api/selling/shop/queries.ts";
import { openMigratedDatabase, PATIENT, startApi } from "../../api.ts";
import { product } from "../../selling/catalogue/catalogue.ts";
import { newLine, newOrder } from "../../selling/orders/new-order.ts";
import { shopFacts } from "../../selling/quote/shop.ts";

const versionsOf = (products: ReturnType<typeof product>[]) => products.flatMap(({ variants }) => variants);

const followed = { at: new Date(), see: "the refresh" };
const expected = { versions: [], hasWebhook: false, hasMail: false, canRefresh: true, followed };

async function startShop() {
  const { db } = await startApi();
  const products = [product("kestrel-c2"), product("rill-80")];
  await importProducts(db, products);
  const examine = async (hasMail = true, versions = versionsOf(products), more = {}) => {
    const findings = await examineDatabase(db, { ...expected, versions, hasMail, ...more });
    return Object.fromEntries(findings.map(({ name, state, text }) => [name, `${state}: ${text}`]));
  };
  return { db, products, examine };
}

test("a shop that is well is told so", async () => {
  const { examine, products } = await startShop();
  expect(await examine()).toEqual({
    database: expect.stringMatching(/^well: \d+\.\d+.*, answers in \d+ ms, tables up to date$/),
    catalogue: `well: ${versionsOf(products).length} versions, as the pages show them`,
    deliveries: "well: 0 waiting, 0 given up",
    mails: "well: 0 waiting, 0 given up",
    orders: "well: 0 wait for money, 0 on hold",
  });
});

test("a database that can be read but not written to is a fault, although nothing is due", async () => {
  const { url } = await openMigratedDatabase();
  const db = openDatabase(readDatabaseAddress({ DATABASE_URL: url }), { timeouts: { ...PATIENT, connections: 1 } });
  onTestFinished(() => db.destroy());
  const statement = db.selectFrom("orders").select("id").compile();
  await db.executeQuery({ ...statement, sql: "set session transaction read only" });
  const findings = await examineDatabase(db, expected);
  const text = "The database is read-only (ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION).";
  expect(findings).toEqual([{ name: "database", state: "fault", text }]);
});

test("prices and stock that differ from the pages are a fault that names them and says what to run", async () => {
  const { examine, products } = await startShop();
  const [first, ...rest] = versionsOf(products);
  if (!first) throw new Error("There is no version.");
  const dearer = await examine(true, [{ ...first, price: "1.00" }, ...rest]);
  expect(dearer["catalogue"]).toBe(
    `fault: price or stock of 1 versions differs from the pages (${first.sku}): npm run import`,
  );
  const gone = await examine(true, [first, ...rest, { ...first, sku: "NEW-1" }]);
  expect(gone["catalogue"]).toContain("(NEW-1)");
});

test("mails that nobody is set up to send, that nobody takes, and that were given up are told apart", async () => {
  const { db, examine } = await startShop();
  const { id } = await placeOrder(db, newOrder());
  await db.deleteFrom("mails").execute();
  await queueMail(db, id, "order_received");
  expect((await examine())["mails"]).toBe("well: 1 waiting, 0 given up");
  expect((await examine(false))["mails"]).toBe("fault: 1 waiting, 0 given up: SMTP_URL isn't set");
  await db
    .updateTable("mails")
    .set({ next_attempt_at: fromNow(-3_700_000) })
    .execute();
  expect((await examine())["mails"]).toBe(
    "fault: 1 waiting, 0 given up, one due for 61 minutes: no API and no worker takes them: start one, or see its log",
  );
  await db.updateTable("mails").set({ state: "failed", next_attempt_at: null }).execute();
  expect((await examine())["mails"]).toBe("warning: 0 waiting, 1 given up: the log says why");
});

test("orders on hold are a warning that names the oldest, since a person must look", async () => {
  const { db, examine } = await startShop();
  for (let count = 0; count < 4; count += 1) await placeOrder(db, newOrder());
  await db.updateTable("orders").set({ status: "on_hold" }).execute();
  expect((await examine())["orders"]).toMatch(
    /^warning: 0 wait for money, 4 on hold \(A-1001, A-1002, A-1003, …\): a person must look/,
  );
});

test("what a person must look at is a warning for each, the oldest first, with the amount and what to do", async () => {
  const { db, examine } = await startShop();
  for (let count = 0; count < 5; count += 1) {
    const { id } = await placeOrder(db, newOrder());
    await recordPayment(db, id, { method: "bank_transfer", reference: "1", amount: `19${count}.00` }, async () => {});
  }
  expect(await examine()).toMatchObject({ orders: "well: 0 wait for money, 5 on hold" });
  const findings = await examineDatabase(db, { ...expected, hasMail: true });
  const surplus = (amount: string) => `${amount} EUR: ${ATTENTION_REASONS.overpaid}`;
  expect(findings.flatMap(({ name, state, text }) => (name === "attention" ? `${state}: ${text}` : []))).toEqual([
    `warning: A-1001: ${surplus("1.00")}`,
    `warning: A-1002: ${surplus("2.00")}`,
    `warning: A-1003: ${surplus("3.00")}`,
    "warning: 2 more wait for a person, newer than these",
  ]);
});

test("a database that is away, or without tables, is one fault instead of many", async () => {
  const away = openDatabase(readDatabaseAddress({ DATABASE_URL: "mysql://a@127.0.0.1:1/b" }));
  expect(await examineDatabase(away, expected)).toEqual([
    {
      name: "database",
      state: "fault",
      text: expect.stringMatching(/doesn't respond \(ECONNREFUSED\)\. See `systemctl status mariadb`/),
    },
  ]);
  await away.destroy();
  const { db } = await startApi();
  await db.schema.dropTable("kysely_migration").execute();
  expect(await examineDatabase(db, expected)).toEqual([
    { name: "database", state: "fault", text: expect.stringContaining("npm run migrate") },
  ]);
});

test("what a restore holds back is named until somebody decides about it, with the command", async () => {
  const { db, examine } = await startShop();
  const { id } = await placeOrder(db, newOrder());
  await db.deleteFrom("mails").execute();
  await queueMail(db, id, "order_received");
  expect((await examine())["restore"]).toBeUndefined();
  await holdBack(db);
  expect((await examine())["restore"]).toBe(
    "warning: 1 mails and 0 deliveries held back since the restore: npm run restore -- --send sends them, --drop gives them up",
  );
  await decideHeld(db, "send");
  expect((await examine())["restore"]).toBeUndefined();
});

test("payments by card without any event are a warning, once an event has had ten minutes to come", async () => {
  const { db, examine } = await startShop();
  const { id } = await placeOrder(db, newOrder());
  const ago = (minutes: number) => fromNow(-minutes * 60_000);
  const learnOfPayment = (session_id: string, asked_at: ReturnType<typeof ago>) =>
    db
      .insertInto("payment_attempts")
      .values({
        ...{ order_id: id, session_id, idempotency_key: session_id, state: "paid", amount_minor: 100, currency: "EUR" },
        ...{ created_at: ago(60), expires_at: ago(60), asked_at },
      })
      .execute();
  await learnOfPayment("cs_1", ago(9));
  expect((await examine())["payments"]).toBeUndefined();
  await learnOfPayment("cs_2", ago(11));
  await learnOfPayment("cs_3", ago(11));
  expect((await examine())["payments"]).toBe(
    "warning: 2 payments by card within a day, and no event of Stripe's: compare STRIPE_WEBHOOK_SECRET and the webhook in its Dashboard",
  );
  await db
    .insertInto("payment_events")
    .values({ id: "evt_1", type: "checkout.session.completed", session_id: "cs_2", received_at: ago(10) })
    .execute();
  expect((await examine())["payments"]).toBeUndefined();
});

test("pages that show another word than what is left makes of it are a fault once a refresh has had five minutes", async () => {
  const { db, examine, products } = await startShop();
  // As an ERP does that counts every minute.
  const values = { count: 0, counted_at: new Date() };
  await db.updateTable("stock").set(values).where("sku", "=", "SKU-rill-80").execute();
  const examineAfter = async (minutes: number, versions = versionsOf(products)) => {
    const at = new Date(Date.now() - minutes * 60_000);
    return (await examine(true, versions, { followed: { ...followed, at } }))["catalogue"];
  };
  expect(await examineAfter(5)).toBe("well: 2 versions, as the pages show them");
  expect(await examineAfter(7)).toBe(
    "fault: pages haven't followed the stock for 7 minutes (SKU-rill-80): see the refresh",
  );
  const refreshed = versionsOf(products).map((version) =>
    version.sku === "SKU-rill-80" ? { ...version, availability: "out_of_stock" } : version,
  );
  expect(await examineAfter(7, refreshed as never)).toBe("well: 2 versions, as the pages show them");
});

test("what is counted where no page can follow it, as in a container, is a fault", async () => {
  const { db, examine } = await startShop();
  const examineContainer = async () => (await examine(true, undefined, { canRefresh: false }))["stock"];
  expect(await examineContainer()).toBeUndefined();
  await storeShopFacts(db, shopFacts({ erp: { owns: ["stock"], books_placed: false } }));
  expect(await examineContainer()).toMatch(/^fault: pages can't follow it, .+: leave `erp: owns` out of store\.yaml/);
  await storeShopFacts(db, shopFacts());
  expect(await examineContainer()).toBeUndefined();
  await db.updateTable("stock").set({ count: 7 }).where("sku", "=", "SKU-rill-80").execute();
  expect(await examineContainer()).toMatch(/^fault: pages can't follow it/);
  expect((await examine())["stock"]).toBeUndefined();
});

test("pieces that are held for long are a warning, and fewer than none a fault and one mail to the shop", async () => {
  const { db, examine } = await startShop();
  const buyer = {
    ...{ email: "ada@example.com", first_name: null, last_name: null },
    company: null,
    phone: null,
    vat_id: null,
  };
  const lines = [newLine({ sku: "SKU-rill-80", quantity: 2 })];
  for (let count = 0; count < 2; count += 1) await placeOrder(db, newOrder({ buyer, lines }));
  await db.deleteFrom("mails").execute();
  const count = (pieces: number) =>
    db.updateTable("stock").set({ count: pieces }).where("sku", "=", "SKU-rill-80").execute();
  const watch = makeShortWatch(db, makeFollowUp({ pushWhen: "manual" }));
  const readMails = () => db.selectFrom("mails").select(["order_id", "kind"]).execute();
  await count(4);
  await watch(new AbortController().signal);
  expect([(await examine())["stock"], await readMails()]).toEqual([undefined, []]);
  await count(1);
  expect((await examine())["stock"]).toBe(
    "fault: orders need more than there is (3 of SKU-rill-80): get more, or agree with the customers",
  );
  for (let round = 0; round < 3; round += 1) await watch(new AbortController().signal);
  const mails = [{ order_id: 2, kind: "shop_needs_person" }];
  expect(await readMails()).toEqual(mails);
  await db.updateTable("attention").set({ done_at: now(), done_by: "command" }).execute();
  await watch(new AbortController().signal);
  const open = await db.selectFrom("attention").select("reason").where("done_at", "is", null).execute();
  expect([await readMails(), open]).toEqual([mails, []]);
  // Sold beyond the last piece, to whoever waits for it.
  await db.updateTable("product_variants").set({ when_sold_out: "backorder" }).execute();
  expect((await examine())["stock"]).toBeUndefined();
  await db
    .updateTable("orders")
    .set({ created_at: new Date(Date.now() - 15 * 86_400_000) as never })
    .execute();
  expect((await examine())["stock"]).toBe(
    "warning: 2 orders have held pieces for over 14 days (A-1001, A-1002): send them, or npm run order -- cancel gives their pieces back",
  );
});
