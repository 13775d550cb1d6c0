import { expect, test } from "vitest";
import { deleteExpired } from "../../../../api/jobs/retention.ts";
import { fromNow } from "../../../../api/platform/database/columns.ts";
import { changeOrder } from "../../../../api/selling/orders/change-order.ts";
import { newLine } from "../orders/new-order.ts";
import { cardOrder, expectAgreement, startCardShop } from "./card-shop.ts";

const CANCELLED = { status: "cancelled", cancel_reason: "Not paid within 1 day" };

test("an order that isn't paid by card within 24 hours is cancelled, after its page was closed", async () => {
  const { place, open, standIn, read, sweep, age, mails } = await startCardShop();
  const page = (await open(await place())) ?? "";
  await place();
  await age(23);
  await sweep();
  expect([(await read(1)).status, (await read(2)).status]).toEqual(["pending", "pending"]);
  await age(25);
  await sweep();
  expect([await read(1), await read(2)]).toMatchObject([CANCELLED, CANCELLED]);
  expect(standIn.account.session(page).status).toBe("expired");
  expect(await mails(1)).toContain("cancelled");
  expect(await open(1)).toBe(undefined);
});

test("an order that holds pieces of what is counted gives them back an hour after its last payment page was opened", async () => {
  const { place, open, standIn, read, sweep, age, db, mails } = await startCardShop();
  const { sku } = newLine();
  const readStock = () => db.selectFrom("stock").select(["count", "held"]).executeTakeFirst();
  const other = cardOrder({ lines: [newLine({ sku: "UNCOUNTED" })] });
  const page = (await open(await place())) ?? "";
  await open(await place(other));
  // It never came to the payment page.
  await place();
  await db
    .updateTable("stock")
    .set({ count: 5 })
    .where("sku", "=", sku ?? "")
    .execute();
  await age(0.9);
  await sweep();
  expect(await readStock()).toEqual({ count: 5, held: 2 });
  // Another page was opened half an hour ago, which can still be paid.
  await age(1.1);
  await db
    .updateTable("payment_attempts")
    .set({ created_at: fromNow(-1_800_000) })
    .execute();
  await sweep();
  expect([(await read(1)).status, (await read(3)).status]).toEqual(["pending", "cancelled"]);
  await age(1.1);
  await sweep();
  expect(await read(1)).toMatchObject({ status: "cancelled", cancel_reason: "Not paid within 1 hour" });
  expect((await read(2)).status).toBe("pending");
  expect([standIn.account.session(page).status, await readStock()]).toEqual(["expired", { count: 5, held: 0 }]);
  expect(await mails(1)).toContain("cancelled");
});

test("pieces stay held while the provider doesn't answer, a bank debit is under way, or the money has come", async () => {
  const { place, open, standIn, read, sweep, age, db } = await startCardShop();
  const unanswered = (await open(await place())) ?? "";
  await db.updateTable("stock").set({ count: 5 }).execute();
  standIn.failNext("expire", "received", "cut");
  await age(2);
  await sweep();
  expect((await read(1)).status).toBe("pending");
  standIn.account.startDebit(unanswered);
  await age(3);
  await sweep();
  await age(4);
  await sweep();
  expect((await read(1)).status).toBe("pending");
  const page = (await open(await place())) ?? "";
  await age(2);
  standIn.interrupt = (operation, moment) => {
    if (operation === "expire" && moment === "begun") standIn.account.pay(page);
    return undefined;
  };
  await sweep();
  expect((await read(2)).status).toBe("processing");
  expect(await db.selectFrom("stock").select("held").execute()).toEqual([{ held: 2 }]);
});

test("fault 26: an order whose payment came while it was about to be cancelled, and no event told of it, is paid", async () => {
  const { place, open, standIn, read, sweep, age, db } = await startCardShop();
  const page = (await open(await place())) ?? "";
  await age(25);
  standIn.interrupt = (operation, moment) => {
    // 3-D Secure ends at the moment when the shop asks to close the page.
    if (operation === "expire" && moment === "begun") standIn.account.pay(page);
    return undefined;
  };
  await sweep();
  expect(await read()).toMatchObject({ status: "processing", payment_status: "paid" });
  await expectAgreement({ db, standIn });
});

test("fault 26: an order isn't cancelled while the provider doesn't answer, or while a bank debit is under way", async () => {
  const { place, open, standIn, read, sweep, age } = await startCardShop();
  const page = (await open(await place())) ?? "";
  await age(25);
  for (const [operation, interruption] of [
    ["expire", "cut"],
    ["expire", 500],
    ["retrieve", "cut"],
  ] as const) {
    standIn.failNext(operation, "received", interruption);
    await age(25);
    await sweep();
    if (operation === "expire") expect((await read()).status).toBe("pending");
  }
  expect(await read()).toMatchObject({ status: "pending" });
  await age(25);
  await sweep();
  expect(await read()).toMatchObject(CANCELLED);

  const debited = (await open(await place())) ?? "";
  standIn.account.startDebit(debited);
  await age(25);
  await sweep();
  await age(72);
  await sweep();
  expect(await read(2)).toMatchObject({ status: "pending", payments: [{ status: "pending" }] });
  standIn.account.finishDebit(debited, true);
  await age(73);
  await sweep();
  expect(await read(2)).toMatchObject({ status: "processing", payment_status: "paid" });
  expect(standIn.account.session(page).status).toBe("expired");
});

test("fault 26: an order isn't cancelled under a click that opens another page while the first is being closed", async () => {
  const { place, open, standIn, read, sweep, age } = await startCardShop();
  const first = await open(await place());
  await age(25);
  let second: string | undefined;
  standIn.interrupt = async (operation, moment) => {
    if (operation !== "expire" || moment !== "done") return undefined;
    standIn.interrupt = () => undefined;
    second = await open(1);
    return undefined;
  };
  await sweep();
  expect([second === first, standIn.account.session(second ?? "").status]).toEqual([false, "open"]);
  expect((await read()).status).toBe("pending");
});

test("a page is asked about after two minutes, then whenever it's twice as old, at most an hour later, and never once it has ended", async () => {
  const { place, open, standIn, sweep, db } = await startCardShop();
  const page = (await open(await place())) ?? "";
  const isAsked = async (ageMinutes: number, lastAskedAtMinutes: number | null) => {
    const ago = (minutes: number) => fromNow(-minutes * 60_000);
    const asked_at = lastAskedAtMinutes === null ? null : ago(ageMinutes - lastAskedAtMinutes);
    await db
      .updateTable("payment_attempts")
      .set({ created_at: ago(ageMinutes), asked_at })
      .execute();
    standIn.asked.length = 0;
    await sweep();
    return standIn.asked.length === 1;
  };
  for (const [before, due, last] of [
    [1, 3, null],
    [2, 4, 1], // as when a customer has come back without paying
    [5, 7, 3],
    [19, 21, 10],
    [149, 151, 90],
  ] as const)
    expect([await isAsked(before, last), await isAsked(due, last)]).toEqual([false, true]);
  standIn.account.expire(page);
  expect(await isAsked(300, 200)).toBe(true);
  expect(await isAsked(600, null)).toBe(false);
});

test("after a pause the sweep asks about 50 pages in a round, those that weren't asked about for longest first", async () => {
  const { place, open, standIn, sweep, age, attempts, db } = await startCardShop();
  for (let orders = 0; orders < 52; orders += 1) await open(await place());
  await age(2);
  await db
    .updateTable("payment_attempts")
    .set({ asked_at: fromNow(-180 * 60_000), created_at: fromNow(-181 * 60_000) })
    .where("id", "=", 52)
    .execute();
  standIn.asked.length = 0;
  await sweep();
  expect(standIn.asked.length).toBe(50);
  const hourAgo = new Date(Date.now() - 3_600_000).toISOString().replace("T", " ");
  const waiting = (await attempts()).filter(({ asked_at }) => (asked_at ?? "") < hourAgo).map(({ id }) => id);
  expect([waiting.length, waiting.includes(52)]).toEqual([2, false]);
  await sweep();
  await sweep();
  expect(standIn.asked.length).toBe(52);
});

test("60 events and 60 pages that can't be settled don't keep the rest waiting, and are tried again", async () => {
  const { place, open, standIn, read, sweep, age, db, warnings } = await startCardShop();
  const page = (await open(await place())) ?? "";
  standIn.account.pay(page);
  const at = new Date();
  const events = Array.from({ length: 60 }, (_, index) => `evt_0${String(index).padStart(3, "0")}`);
  // About a page whose currency the shop can't even name.
  const broken = standIn.account.open({
    ...{ amount: 500, currency: "e", name: "A-0", expiresAt: 0, successUrl: "", cancelUrl: "", email: null },
    ...{ reference: null, metadata: {} },
  });
  standIn.account.expire(broken.id);
  const order = await place();
  await db
    .insertInto("payment_attempts")
    .values(
      Array.from({ length: 60 }, (_, index) => ({
        ...{ order_id: order, idempotency_key: `broken-${index}`, state: "open" as const, amount_minor: 500 },
        ...{
          currency: "EUR",
          session_id: index === 0 ? broken.id : `cs_test_none_${index}`,
          created_at: at,
          expires_at: at,
        },
      })),
    )
    .execute();
  const [paid] = standIn.events;
  await db
    .insertInto("payment_events")
    .values([
      // About a page that Stripe doesn't know.
      ...events.map((id) => ({
        id,
        type: "checkout.session.completed",
        session_id: "cs_test_none_1",
        received_at: at,
      })),
      { id: paid?.id ?? "", type: "checkout.session.completed", session_id: page, received_at: at },
    ])
    .execute();
  await sweep();
  expect(await read()).toMatchObject({ status: "processing", payment_status: "paid" });
  expect(warnings.length).toBe(60);
  const later = (await open(await place())) ?? "";
  await age(2);
  standIn.account.pay(later);
  warnings.length = 0;
  // 50 pages a round, whether they can be settled or not; the events in the first.
  for (let round = 0; round < 3; round += 1) await sweep();
  expect(warnings.length).toBeGreaterThanOrEqual(60 + 59);
  expect(await read(3)).toMatchObject({ status: "processing", payment_status: "paid" });
  standIn.asked.length = 0;
  await sweep();
  expect(standIn.asked).toEqual([]); // but ever more seldom
});

test("events are deleted after 90 days", async () => {
  const { place, open, standIn, db } = await startCardShop();
  standIn.account.pay((await open(await place())) ?? "");
  await standIn.deliver(standIn.events[0] ?? expect.fail());
  await db
    .updateTable("payment_events")
    .set({ received_at: new Date(Date.now() - 89 * 86_400_000) })
    .execute();
  await deleteExpired(db);
  expect(await db.selectFrom("payment_events").select("id").execute()).toHaveLength(1);
  await db
    .updateTable("payment_events")
    .set({ received_at: new Date(Date.now() - 91 * 86_400_000) })
    .execute();
  await deleteExpired(db);
  expect(await db.selectFrom("payment_events").select("id").execute()).toEqual([]);
});

test("fault 39: neither key, secret, address nor the provider's words are logged when it refuses, hangs up or isn't asked rightly", async () => {
  const { place, open, standIn, db, app, logged } = await startCardShop();
  const order = await place();
  const page = (await open(order)) ?? "";
  standIn.account.pay(page);
  for (const interruption of [401, 429, 500, "cut"] as const) {
    standIn.failNext("retrieve", "received", interruption);
    await standIn.deliver(standIn.events[0] ?? expect.fail());
  }
  app.log.error({ err: new Error("sk_test_0123456789abcdef whsec_0123456789abcdef ada@example.com") }, "x");
  expect(logged().match(/couldn't be settled yet/g)).toHaveLength(4);
  for (const secret of ["sk_test_0123", "whsec_0123", "ada@example.com", "Not now", page])
    expect(logged()).not.toContain(secret);
  await changeOrder(db, order, { status: "cancelled" });
});
