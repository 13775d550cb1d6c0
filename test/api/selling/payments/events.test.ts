import { expect, test } from "vitest";
import { buildApp } from "../../../../api/app.ts";
import { openDatabase } from "../../../../api/platform/database/pool.ts";
import { eventually } from "../../../eventually.ts";
import { secretKey, webhookSecret } from "../../../stripe-stand-in/stand-in.ts";
import { cardOrder, expectAgreement, startCardShop } from "./card-shop.ts";

const PAID = { status: "processing", payment_status: "paid" };

/** A shop with an order whose page was paid; its event is `paid`, which wasn't delivered. */
async function startPaid() {
  const shop = await startCardShop();
  const page = (await shop.open(await shop.place())) ?? "";
  shop.standIn.account.pay(page);
  const [paid] = shop.standIn.events;
  if (!paid) throw new Error("Paying told nothing.");
  return { ...shop, page, paid };
}

test("fault 16: the webhook before the customer's return makes the order paid, and the return changes nothing", async () => {
  const { standIn, paid, read, open, mails } = await startPaid();
  expect(await standIn.deliver(paid)).toBe(200);
  const order = await read();
  expect(order).toMatchObject({
    ...PAID,
    version: 2,
    payments: [{ method: "card", amount: "189.00", status: "paid" }],
  });
  expect(await open(1)).toBe(undefined);
  expect(await read()).toEqual(order);
  expect(await mails()).toEqual(["order_received", "payment_received", "shop_new_order"]);
});

test("the shop hears of an order by card once money has come, and of one by transfer at once", async () => {
  const { place, open, standIn, mails } = await startCardShop();
  const page = (await open(await place())) ?? "";
  expect(await mails()).toEqual(["order_received"]);
  standIn.account.pay(page);
  await standIn.deliver(standIn.events[0] ?? expect.fail());
  expect(await mails()).toContain("shop_new_order");
  const transfers = await startCardShop();
  await transfers.place({ ...cardOrder(), payment_method: "transfer" });
  expect(await transfers.mails()).toEqual(["order_received", "shop_new_order"]);
});

test("fault 17: without any webhook the customer's return makes the order paid", async () => {
  const { open, read } = await startPaid();
  expect(await open(1)).toBe(undefined);
  expect(await read()).toMatchObject(PAID);
});

test("fault 17: without webhook and return the sweep asks once the page has been open for two minutes", async () => {
  const { read, sweep, age, standIn } = await startPaid();
  standIn.asked.length = 0;
  await sweep();
  expect(standIn.asked).toEqual([]);
  await age(2 / 60);
  await sweep();
  expect(await read()).toMatchObject(PAID);
});

test("fault 18: a webhook about a page whose id we haven't stored yet settles its order", async () => {
  const { place, open, standIn, read, attempts } = await startCardShop();
  const order = await place();
  standIn.interrupt = async (operation, moment) => {
    if (operation !== "create" || moment !== "done") return undefined;
    standIn.interrupt = () => undefined;
    const [id = ""] = standIn.account.sessionIds;
    standIn.account.pay(id);
    expect(await standIn.deliver(standIn.events[0] ?? expect.fail())).toBe(200);
    return undefined;
  };
  expect(await open(order)).toBe(undefined);
  expect(await read()).toMatchObject({ ...PAID, version: 2 });
  expect(await attempts()).toMatchObject([{ state: "paid", session_id: standIn.account.sessionIds[0] }]);
});

test("fault 18: the same when the answer never came, or was a 500", async () => {
  for (const interruption of ["cut", 500] as const) {
    const { place, open, standIn, read, db } = await startCardShop();
    const order = await place();
    standIn.failNext("create", "done", interruption);
    await expect(open(order)).rejects.toThrow();
    const [id = ""] = standIn.account.sessionIds;
    standIn.account.pay(id);
    await standIn.deliver(standIn.events[0] ?? expect.fail());
    expect(await read()).toMatchObject(PAID);
    await expectAgreement({ db, standIn });
  }
});

test("fault 19: the same event ten times at once counts once", async () => {
  const { standIn, paid, read, mails, db } = await startPaid();
  const answers = await Promise.all(Array.from({ length: 10 }, () => standIn.deliver(paid)));
  expect(new Set(answers)).toEqual(new Set([200]));
  expect(await read()).toMatchObject({ ...PAID, version: 2, payments: [{ amount: "189.00" }] });
  expect(await mails()).toEqual(["order_received", "payment_received", "shop_new_order"]);
  expect(await db.selectFrom("payment_events").select("id").execute()).toEqual([{ id: paid.id }]);
  await expectAgreement({ db, standIn });
});

test("fault 20: events of two pages in any order, late and twice, end in the same order", async () => {
  const results = [];
  for (const arrange of [
    (events: readonly unknown[]) => events,
    (events: readonly unknown[]) => events.toReversed(),
    (events: readonly unknown[]) => [...events, ...events.toReversed()],
  ]) {
    const { place, open, standIn, read } = await startCardShop();
    const order = await place();
    standIn.account.expire((await open(order)) ?? "");
    const second = (await open(order)) ?? "";
    standIn.account.startDebit(second);
    standIn.account.finishDebit(second, true);
    for (const event of arrange(standIn.events)) await standIn.deliver(event as (typeof standIn.events)[number]);
    const { status, payment_status, payments } = await read();
    results.push([status, payment_status, payments.map((payment) => payment.status)]);
  }
  expect(results).toEqual(Array(3).fill(["processing", "paid", ["voided", "paid"]]));
});

test("fault 20: what was asked before another call recorded a later state is old and changes nothing", async () => {
  const { place, open, standIn, read, attempts } = await startCardShop();
  const order = await place();
  const page = (await open(order)) ?? "";
  let isFirst = true;
  standIn.interrupt = async (operation, moment) => {
    if (operation !== "retrieve" || moment !== "done" || !isFirst) return undefined;
    isFirst = false;
    // The first question was answered "open"; the answer arrives after the payment was recorded.
    standIn.account.pay(page);
    await standIn.deliver(standIn.events[0] ?? expect.fail());
    return undefined;
  };
  await open(order);
  expect(isFirst).toBe(false);
  expect(await read()).toMatchObject({ ...PAID, version: 2 });
  expect(await attempts()).toMatchObject([{ state: "paid", open_order_id: null, url: null }]);
});

test("fault 21: forged, stale, re-encoded and unsigned events are refused and change nothing", async () => {
  const { app, standIn, paid, read, db } = await startPaid();
  expect(await standIn.deliver(paid, { secret: "whsec_someoneelse" })).toBe(400);
  expect(await standIn.deliver(paid, { ageSeconds: 301 })).toBe(400);
  expect(await standIn.deliver(paid, { isReencoded: true })).toBe(400);
  const post = (headers: Record<string, string>, payload: string) =>
    app.inject({ method: "POST", url: "/api/payments/stripe", headers, payload });
  const json = { "content-type": "application/json" };
  const answers = [
    await post(json, JSON.stringify(paid)),
    await post({ ...json, "stripe-signature": "t=1,v1=x" }, JSON.stringify(paid)),
    await post({ "content-type": "text/plain" }, JSON.stringify(paid)),
  ];
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([400, 400, 415]);
  expect(answers[0]?.headers["content-type"]).toBe("application/problem+json");
  expect(await read()).toMatchObject({ status: "pending", version: 1 });
  expect(await db.selectFrom("payment_events").select("id").execute()).toEqual([]);
});

test("an event whose signature fits no secret is a warning that names the setting, once a minute and without its content", async () => {
  let minute = 1;
  const { app, standIn, place, open, logged } = await startCardShop({ now: () => minute * 60_000 });
  standIn.account.pay((await open(await place())) ?? "");
  const [paid = expect.fail()] = standIn.events;
  const warnings = () => logged().match(/"level":40.*fits no secret in STRIPE_WEBHOOK_SECRET.*/g) ?? [];
  await app.inject({ method: "POST", url: "/api/payments/stripe", payload: {} }); // unsigned: not Stripe's
  expect(warnings()).toEqual([]);
  for (let times = 0; times < 3; times += 1) await standIn.deliver(paid, { secret: "whsec_mistyped0" });
  expect(warnings()).toHaveLength(1);
  minute += 1;
  await standIn.deliver(paid, { secret: "whsec_mistyped0" });
  expect(warnings()).toHaveLength(2);
  for (const hidden of ["whsec_", "v1=", paid.id]) expect(logged()).not.toContain(hidden);
});

test("fault 21: while the secret is rolled, events signed with the old and the new one are accepted", async () => {
  const { db, standIn, paid, read } = await startPaid();
  const stripe = { secretKey, webhookSecrets: ["whsec_the_new_one", webhookSecret], api: new URL(standIn.url) };
  const rolling = buildApp({ db, baseUrl: "https://shop.example", pullTokens: [], rateLimitPerMinute: 0, stripe });
  const shopTarget = standIn.target;
  standIn.target = async (payload, signature) => {
    const headers = { "content-type": "application/json", "stripe-signature": signature };
    return (await rolling.inject({ method: "POST", url: "/api/payments/stripe", headers, payload })).statusCode;
  };
  expect(await standIn.deliver(paid)).toBe(200);
  expect(await standIn.deliver(paid, { secret: "whsec_the_new_one" })).toBe(200);
  expect(await standIn.deliver(paid, { secret: "whsec_neither" })).toBe(400);
  standIn.target = shopTarget;
  await eventually(async () => expect(await read()).toMatchObject(PAID));
  await rolling.close();
});

test("fault 22: while the database is away the answer is 503, and the event settles the order when it comes again", async () => {
  const { standIn, paid, read } = await startPaid();
  const away = openDatabase({
    host: "127.0.0.1",
    port: 1,
    user: "a",
    password: "",
    database: "b",
    socketPath: undefined,
  });
  const stripe = { secretKey, webhookSecrets: [webhookSecret], api: new URL(standIn.url) };
  const down = buildApp({ db: away, baseUrl: "https://shop.example", pullTokens: [], rateLimitPerMinute: 0, stripe });
  const shopTarget = standIn.target;
  standIn.target = async (payload, signature) => {
    const headers = { "content-type": "application/json", "stripe-signature": signature };
    return (await down.inject({ method: "POST", url: "/api/payments/stripe", headers, payload })).statusCode;
  };
  expect(await standIn.deliver(paid)).toBe(503);
  standIn.target = shopTarget;
  await down.close();
  await away.destroy();
  expect(await standIn.deliver(paid)).toBe(200);
  expect(await read()).toMatchObject(PAID);
});

test("an event that can't be settled because the provider doesn't answer is answered 200, kept, and settled by the sweep", async () => {
  const { standIn, paid, read, sweep, age, db, warnings } = await startPaid();
  for (const interruption of ["cut", 500, 429, 401] as const) {
    standIn.failNext("retrieve", "received", interruption);
    expect(await standIn.deliver(paid)).toBe(200);
    expect(await read()).toMatchObject({ status: "pending" });
  }
  await age(1); // after an error, it's asked again later
  standIn.failNext("retrieve", "received", "cut");
  await sweep();
  expect(warnings).toEqual(["Stripe doesn't answer; payments are looked at again in a minute."]);
  await sweep();
  expect(await read()).toMatchObject(PAID);
  expect(await db.selectFrom("payment_events").select("id").where("settled_at", "is", null).execute()).toEqual([]);
});

test("events of no payment, of another shop with the same account, and about unknown pages are answered 200 and done", async () => {
  const { standIn, sweep, db, warnings } = await startCardShop();
  const { open } = standIn.account;
  const foreign = open.call(standIn.account, {
    ...{ amount: 500, currency: "eur", name: "Another shop", expiresAt: 0, successUrl: "https://a.example" },
    ...{ cancelUrl: "https://a.example", email: null, reference: null, metadata: { attempt: "someone else's" } },
  });
  standIn.account.decline(foreign.id);
  standIn.account.pay(foreign.id);
  const [declined, paid] = standIn.events;
  const charge = {
    ...paid,
    id: "evt_unknown",
    data: { object: { id: "cs_test_unknown", object: "checkout.session" } },
  };
  for (const event of [declined, paid, charge])
    expect(await standIn.deliver(event as NonNullable<typeof paid>)).toBe(200);
  await sweep();
  const stored = await db.selectFrom("payment_events").select(["id", "settled_at"]).orderBy("received_at").execute();
  expect(stored.map(({ id, settled_at }) => [id, settled_at !== null])).toEqual([
    [paid?.id, true],
    ["evt_unknown", true],
  ]);
  expect(warnings).toEqual([]);
});

test("an order of another state than pending takes a bank debit's events in turn", async () => {
  const { place, open, standIn, read, mails } = await startCardShop();
  const page = (await open(await place(cardOrder()))) ?? "";
  standIn.account.startDebit(page);
  await standIn.deliver(standIn.events[0] ?? expect.fail());
  expect(await read()).toMatchObject({
    status: "pending",
    payment_status: "unpaid",
    payments: [{ status: "pending" }],
  });
  standIn.account.finishDebit(page, true);
  await standIn.deliver(standIn.events[1] ?? expect.fail());
  expect(await read()).toMatchObject({ ...PAID, payments: [{ status: "paid" }] });
  expect(await mails()).toContain("payment_received");
});
