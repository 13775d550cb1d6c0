import { expect, test } from "vitest";
import { changeOrder } from "../../../api/orders/change-order.ts";
import { expectAgreement, startCardShop } from "./card-shop.ts";

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
    await sweep();
    if (operation === "expire") expect((await read()).status).toBe("pending");
  }
  expect(await read()).toMatchObject({ status: "pending" });
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

test("120 events and pages that can't be settled don't keep the rest waiting, and are tried again", async () => {
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
      ...events.map((id) => ({ id, type: "checkout.session.completed", session_id: broken.id, received_at: at })),
      { id: paid?.id ?? "", type: "checkout.session.completed", session_id: page, received_at: at },
    ])
    .execute();
  await sweep();
  expect(await read()).toMatchObject({ status: "processing", payment_status: "paid" });
  expect(warnings.length).toBe(60);
  await age(2);
  warnings.length = 0;
  await sweep();
  expect(warnings.length).toBe(120);
});

test("events are deleted after 90 days", async () => {
  const { place, open, standIn, db, sweep } = await startCardShop();
  standIn.account.pay((await open(await place())) ?? "");
  await standIn.deliver(standIn.events[0] ?? expect.fail());
  await db
    .updateTable("payment_events")
    .set({ received_at: new Date(Date.now() - 89 * 86_400_000) })
    .execute();
  await sweep();
  expect(await db.selectFrom("payment_events").select("id").execute()).toHaveLength(1);
  await db
    .updateTable("payment_events")
    .set({ received_at: new Date(Date.now() - 91 * 86_400_000) })
    .execute();
  await sweep();
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
