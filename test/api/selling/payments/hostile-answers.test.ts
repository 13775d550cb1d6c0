import { expect, test } from "vitest";
import { findMatters } from "../../../../api/selling/orders/attention.ts";
import { eventually } from "../../../eventually.ts";
import { readMain } from "../../people/basket/page-text.ts";
import { place, review } from "../../people/checkout/start-checkout.ts";
import { startCardCheckout } from "./start-card-checkout.ts";

type Json = Record<string, unknown>;
type Distortion = string | ((session: Json, intent: Json, charge: Json) => unknown);

/** Changes of an answer that says "paid", and whole answers instead of it. */
const DISTORTIONS: Readonly<Record<string, Distortion>> = {
  null: "null",
  "an empty list": "[]",
  "an empty object": "{}",
  "a number": "5",
  "a text": '"paid"',
  true: "true",
  nothing: "",
  HTML: "<!doctype html><title>Sorry</title>",
  "half an object": '{"id": "cs_test',
  "an object with a second one": "{}{}",
  "an error that is null": '{"error": null}',
  "an error that is a number": '{"error": 5}',
  "an error that is a list": '{"error": []}',
  "an error and a page": (session) => ({ ...session, error: { type: "api_error", message: "No" } }),
  "a megabyte and more": JSON.stringify({ id: "x".repeat(1_100_000) }),
  "the page in a list": (session) => [session],
  "another id": (session) => ({ ...session, id: "cs_test_other" }),
  "an id that is a number": (session) => ({ ...session, id: 5 }),
  "no metadata": (session) => ({ ...session, metadata: null }),
  "another's metadata": (session) => ({ ...session, metadata: { attempt: "someone else's" } }),
  "metadata of the prototype": (session) => ({ ...session, metadata: JSON.parse('{"__proto__": {"attempt": "x"}}') }),
  "an unknown payment status": (session) => ({ ...session, payment_status: "settled" }),
  "no payment status": ({ payment_status: _, ...session }) => session,
  "a payment status that is true": (session) => ({ ...session, payment_status: true }),
  "nothing to pay": (session) => ({ ...session, payment_status: "no_payment_required" }),
  "a status in capitals": (session) => ({ ...session, status: "COMPLETE" }),
  "no status": (session) => ({ ...session, status: null }),
  "open and paid": (session) => ({ ...session, status: "open" }),
  "expired and paid": (session) => ({ ...session, status: "expired" }),
  "a fraction of a cent in all": (session) => ({ ...session, amount_total: 37_914.5 }),
  "a text for the total": (session) => ({ ...session, amount_total: "37914" }),
  "no currency": (session) => ({ ...session, currency: null }),
  "a currency of four letters": (session) => ({ ...session, currency: "euro" }),
  "paid without a payment": (session) => ({ ...session, payment_intent: null }),
  "a payment that isn't expanded": (session) => ({ ...session, payment_intent: "pi_5" }),
  "a list of payments": (session, intent) => ({ ...session, payment_intent: [intent] }),
  "an unknown status of the payment": (session, intent) => of(session, { ...intent, status: "captured" }),
  "a payment that waits for a method": (session, intent) => of(session, { ...intent, status: "requires_action" }),
  "an empty id of the payment": (session, intent) => of(session, { ...intent, id: "" }),
  "an id of the payment with a line end": (session, intent) => of(session, { ...intent, id: "pi_5\n" }),
  "an id of the payment that is too long": (session, intent) => of(session, { ...intent, id: "p".repeat(192) }),
  "an id of the payment that isn't ASCII": (session, intent) => of(session, { ...intent, id: "pi_é" }),
  "a fraction received": (session, intent) => of(session, { ...intent, amount_received: 0.1 }),
  "nothing received": (session, intent) => of(session, { ...intent, amount_received: 0 }),
  "less than nothing received": (session, intent) => of(session, { ...intent, amount_received: -37_914 }),
  "more received than can be counted": (session, intent) => of(session, { ...intent, amount_received: 2 ** 53 }),
  "received as a text": (session, intent) => of(session, { ...intent, amount_received: "37914" }),
  "a currency of the payment in capitals": (session, intent) => of(session, { ...intent, currency: "EUR" }),
  "a charge that isn't expanded": (session, intent) => of(session, { ...intent, latest_charge: "ch_5" }),
  "a dispute that is a text": (session, intent, charge) =>
    of(session, { ...intent, latest_charge: { ...charge, disputed: "false" } }),
  "a refund that is a fraction": (session, intent, charge) =>
    of(session, { ...intent, latest_charge: { ...charge, amount_refunded: 1.5 } }),
};

const of = (session: Json, payment_intent: Json) => ({ ...session, payment_intent });

test("an answer of Stripe's that can't be read changes nothing: page and webhook are 200, and the sweep goes on", async () => {
  const { stripe, customer, otherCustomer, db, sweep, warnings } = await startCardCheckout();
  await place(customer, await review(customer));
  const [page = ""] = stripe.account.sessionIds;
  stripe.account.pay(page);
  const [paid = expect.fail()] = stripe.events;
  const readOrder = () => db.selectFrom("orders").selectAll().where("id", "=", 1).executeTakeFirstOrThrow();
  const before = await readOrder();
  const forget = async () => {
    await db.updateTable("payment_attempts").set({ asked_at: null, unreadable_since: null }).execute();
    await db.updateTable("payment_events").set({ unreadable_at: null }).execute();
    await db.deleteFrom("attention").execute();
  };
  const isMarked = async () => (await findMatters(db, 1)).map(({ reason }) => reason).join() === "unreadable_answer";
  const told: string[] = [];
  const names = Object.keys(DISTORTIONS);
  expect(names.length).toBeGreaterThanOrEqual(40);
  for (const [at, distortion] of Object.values(DISTORTIONS).entries()) {
    stripe.distort = (operation, { body }) => {
      const session = body as Json;
      if (operation !== "retrieve" || session["id"] !== page) return undefined;
      if (typeof distortion === "string") return distortion;
      const intent = session["payment_intent"] as Json;
      return JSON.stringify(distortion(session, intent, intent["latest_charge"] as Json));
    };
    await forget();
    const shown = await customer.get("/account/orders/A-1001");
    const isPageRight = shown.statusCode === 200 && readMain(shown.payload).includes("It isn’t paid yet.");
    const isToldByPage = await isMarked();
    await forget();
    expect(await stripe.deliver({ ...paid, id: `evt_${at}` })).toBe(200);
    await eventually(async () => expect(await isMarked(), names[at]).toBe(true)); // it's settled after the answer
    await forget();
    await sweep();
    if (isPageRight && isToldByPage && warnings.length > 0 && (await isMarked())) told.push(names[at] ?? "");
    expect(await readOrder(), names[at]).toEqual(before);
    warnings.length = 0;
    await db.deleteFrom("payment_events").execute();
  }
  expect(told).toEqual(names);
  stripe.asked.length = 0;
  await forget();
  await stripe.deliver(paid);
  await eventually(async () => expect(await isMarked()).toBe(true));
  for (let minutes = 0; minutes < 3; minutes += 1) await sweep();
  expect(stripe.asked).toEqual(["retrieve"]); // and again in an hour
  const other = otherCustomer();
  await other.post("/cart/lines", { sku: "KES-C2-BK", quantity: "1" });
  await place(other, await review(other));
  stripe.account.pay(stripe.account.sessionIds[1] ?? "");
  await db
    .updateTable("payment_attempts")
    .set({ asked_at: null, created_at: new Date(0) })
    .execute();
  await sweep();
  const statuses = await db.selectFrom("orders").select("status").orderBy("id").execute();
  expect(statuses.map(({ status }) => status)).toEqual(["pending", "processing"]);
  stripe.distort = () => undefined;
  await db.updateTable("payment_attempts").set({ asked_at: null }).execute();
  expect(readMain((await customer.get("/account/orders/A-1001")).payload)).toContain("Your order is paid.");
  expect(await findMatters(db, 1)).toEqual([]);
});

test("customers are led to a page of Stripe's alone: another address is unavailable, and isn't kept", async () => {
  const { stripe, customer, db } = await startCardCheckout();
  const good = `${stripe.url}/pay/cs_5`;
  const addresses: unknown[] = [
    ...["https://evil.example/pay", stripe.url.replace("//", "//bank@"), stripe.url.replace("//", "//a:b@")],
    ...[
      `${good}\r\nSet-Cookie: a=b`,
      `${good} x`,
      `\t${good}`,
      "javascript:alert(1)",
      "/pay/cs_5",
      "",
      null,
      5,
      [good],
    ],
    ...[stripe.url.replace("http", "ftp"), `${stripe.url}.evil.example/`, `${good}?${"x".repeat(2_100)}`, `${good}é`],
  ];
  let address: unknown;
  stripe.distort = (operation, { body }) =>
    operation === "create" ? JSON.stringify({ ...body, url: address }) : undefined;
  const fields = await review(customer);
  for (address of addresses) {
    const answer =
      address === addresses[0] ? await place(customer, fields) : await customer.post("/account/orders/A-1001/pay", {});
    const { statusCode, headers } = answer;
    expect([statusCode, headers.location], String(address)).toEqual([
      303,
      "/account/orders/A-1001?payment=unavailable",
    ]);
  }
  stripe.distort = (operation, { body }) =>
    operation === "create" ? JSON.stringify({ ...body, metadata: { attempt: "another's" } }) : undefined;
  expect((await customer.post("/account/orders/A-1001/pay", {})).headers.location).toContain("unavailable");
  expect(await db.selectFrom("payment_attempts").select(["state", "url"]).execute()).toEqual([
    { state: "opening", url: null },
  ]);
  stripe.distort = () => undefined;
  const [page] = stripe.account.sessionIds;
  expect((await customer.post("/account/orders/A-1001/pay", {})).headers.location).toBe(`${stripe.url}/pay/${page}`);
  stripe.distort = (operation, { body }) =>
    operation === "retrieve" ? JSON.stringify({ ...body, url: "https://evil.example/" }) : undefined;
  expect((await customer.post("/account/orders/A-1001/pay", {})).headers.location).toContain("unavailable");
});

test("a list of refunds that repeats itself, doesn't end or can't be read is asked for a bounded number of times", async () => {
  const { stripe, customer, db } = await startCardCheckout();
  await place(customer, await review(customer));
  const [page = ""] = stripe.account.sessionIds;
  stripe.account.pay(page);
  const intent = (stripe.account.session(page).payment_intent ?? "") as string;
  const refund = stripe.account.refund(intent, { amount: 100 });
  let pages = 0;
  const lists: [(data: Json[]) => Json, asked: number][] = [
    [(data) => ({ data, has_more: true }), 2],
    [() => ({ data: [{ ...refund, id: `re_${pages}` }], has_more: true }), 10],
    [(data) => ({ data: [...data, ...data], has_more: false }), 1],
    [() => ({ data: [], has_more: true }), 1],
    [() => ({ data: null, has_more: false }), 1],
    [(data) => ({ data, has_more: "no" }), 1],
    [() => ({ data: [{ ...refund, amount: 0.5 }], has_more: false }), 1],
    [() => ({ data: [{ ...refund, status: "done" }], has_more: false }), 1],
    [() => ({ data: [{ ...refund, created: 1e15 }], has_more: false }), 1],
  ];
  for (const [list, asked] of lists) {
    stripe.distort = (operation, { body }) => {
      if (operation !== "list refunds") return undefined;
      pages += 1;
      return JSON.stringify(list((body as { data: Json[] }).data));
    };
    stripe.asked.length = 0;
    await db.updateTable("payment_attempts").set({ asked_at: null }).execute();
    expect((await customer.get("/account/orders/A-1001")).statusCode).toBe(200);
    expect(stripe.asked).toEqual(["retrieve", ...Array(asked).fill("list refunds")]);
  }
  expect(await db.selectFrom("orders").select(["status", "version"]).execute()).toEqual([
    { status: "pending", version: 1 },
  ]);
});

test("events that aren't as documented, and unreadable answers about unknown pages, are answered 200 and do nothing", async () => {
  const { stripe, db, sweep } = await startCardCheckout();
  const event = { object: "event", type: "checkout.session.completed", created: 0, livemode: false } as const;
  const id = "cs_test_unknown";
  for (const given of [
    { ...event, id: 5, data: { object: { id } } },
    { ...event, id: "evt_1", data: null },
    { ...event, id: "evt_2", data: { object: null } },
    { ...event, id: "evt_3", data: { object: { id: 5 } } },
    { ...event, id: "evt_4", data: { object: { id: "c".repeat(192) } } },
    { ...event, id: "evt_5", type: null, data: { object: { id } } },
    { ...event, id: "evt_6", type: "refund.failed", data: { object: { id: "re_1", payment_intent: [] } } },
    { ...event, id: "e".repeat(192), data: { object: { id } } },
  ])
    expect(await stripe.deliver(given as unknown as Parameters<typeof stripe.deliver>[0])).toBe(200);
  expect(await db.selectFrom("payment_events").select("id").execute()).toEqual([]);
  for (const [at, answer] of ['{"data":[{"id":5}]}', "{}", "null", '{"data":{}}'].entries()) {
    stripe.distort = () => answer;
    const object = { id: "re_1", payment_intent: "pi_unknown" };
    expect(await stripe.deliver({ ...event, id: `evt_list_${at}`, type: "refund.failed", data: { object } })).toBe(200);
    await sweep();
  }
  const left = await db.selectFrom("payment_events").select("id").where("settled_at", "is", null).execute();
  expect(left).toHaveLength(4); // until an answer can be read
});
