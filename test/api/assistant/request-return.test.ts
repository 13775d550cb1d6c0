import { expect, test } from "vitest";
import { changeOrder } from "../../../api/selling/orders/change-order.ts";
import { placeOrder } from "../../../api/selling/orders/place-order.ts";
import { boughtOrder } from "../selling/mail/mail-shop.ts";
import { newLine } from "../selling/orders/new-order.ts";
import { startAssistant } from "./assistant-shop.ts";
import { openMailbox } from "./send-mails.ts";
import { verifyFor } from "./verified.ts";

const whole = { order_number: "A-1001", items: null, reason: "damaged", message: "It arrived\nwith a dent." };

/** A shop whose conversation chat-1 is verified for the order A-1001 of two scanners and a printer, which was sent. */
async function startSent() {
  const shop = await startAssistant();
  const lines = [newLine({ quantity: 2 }), newLine({ sku: "RILL-80", name: "Rill 80 printer" })];
  const { id } = await placeOrder(shop.db, boughtOrder({ lines }));
  await changeOrder(shop.db, id, { status: "processing", fulfillment_status: "fulfilled" });
  await verifyFor(shop.db, "chat-1", id);
  const readCases = () => shop.db.selectFrom("cases").select(["kind", "order_id", "reason", "lines"]).execute();
  return { ...shop, id, readCases };
}

test("a return is asked for by one mail to the shop, which can be answered to the customer; the order stays as it is", async () => {
  const shop = await startSent();
  const before = await shop.db.selectFrom("orders").selectAll().execute();
  const items = [{ sku: "KES-C2-BK", quantity: 1 }];
  const name = "Kestrel C2 cordless 2D scanner";
  const { result, say } = (await shop.call("request_return", { ...whole, items })).json();
  expect(result).toEqual({
    ...{ case_number: "C-1001", order_number: "A-1001" },
    items: [{ sku: "KES-C2-BK", name, quantity: 1 }],
  });
  expect(say).toMatch(/order A-1001\. Your case number is C-1001\./);
  const [received] = await (await openMailbox(shop))();
  expect([received?.to, received?.mail.subject]).toEqual(["sales@shop.example", "Case C-1001: goods are damaged"]);
  expect(received?.mail.replyTo?.text).toBe("ada@example.com");
  for (const shown of ["A customer wants to return goods.", "A-1001", `1 × ${name}`, "> It arrived\n> with a dent."])
    expect(received?.mail.text).toContain(shown);
  expect(await shop.db.selectFrom("orders").selectAll().execute()).toEqual(before);
});

test("without items, the whole order is meant", async () => {
  const { call, readCases } = await startSent();
  expect((await call("request_return", whole)).json().result.items).toMatchObject([
    { sku: "KES-C2-BK", quantity: 2 },
    { sku: "RILL-80", quantity: 1 },
  ]);
  expect(await readCases()).toMatchObject([{ kind: "return", order_id: 1, reason: "damaged" }]);
});

test("what wasn't ordered, too much of it, and what wasn't sent yet are refused with what is possible", async () => {
  const { db, call, readCases } = await startSent();
  const ask = async (items: object[]) => (await call("request_return", { ...whole, items })).json();
  expect((await ask([{ sku: "NOPE", quantity: 1 }])).detail).toMatch(/Its SKUs are KES-C2-BK, RILL-80\./);
  const thrice = Array.from({ length: 3 }, () => ({ sku: "KES-C2-BK", quantity: 1 }));
  expect((await ask(thrice)).detail).toMatch(/Of KES-C2-BK, 2 were ordered/);
  expect((await ask([])).errors[0].detail).toMatch(/null for the whole order/);
  const { id } = await placeOrder(db, boughtOrder());
  await verifyFor(db, "chat-1", id);
  const unsent = await call("request_return", { ...whole, order_number: "A-1002" });
  expect([unsent.statusCode, unsent.json().detail]).toEqual([409, expect.stringContaining("hand_over")]);
  expect(await readCases()).toEqual([]);
});

test("fault 13: a return needs a conversation that is verified for this order", async () => {
  const { db, call, readCases } = await startSent();
  await placeOrder(db, boughtOrder());
  expect((await call("request_return", whole, { conversation: "chat-2" })).statusCode).toBe(422);
  expect((await call("request_return", { ...whole, order_number: "A-1002" })).statusCode).toBe(422);
  expect(await readCases()).toEqual([]);
});

test("fault 14: the same Idempotency-Key, later or at once, makes one return with one case number and one mail", async () => {
  const shop = await startSent();
  const headers = { "idempotency-key": '"8e03978e"' };
  const send = () => shop.call("request_return", whole, { headers });
  const atOnce = await Promise.all(Array.from({ length: 8 }, send));
  const later = [await send(), await send()];
  const numbers = [...atOnce, ...later].flatMap((answer) =>
    answer.statusCode === 200 ? answer.json().result.case_number : [],
  );
  expect(new Set(numbers).size).toBe(1);
  expect(later.map(({ statusCode, headers }) => [statusCode, headers["idempotent-replayed"]])).toEqual([
    [200, "true"],
    [200, "true"],
  ]);
  expect(await shop.readCases()).toHaveLength(1);
  expect(await (await openMailbox(shop))()).toHaveLength(1);
});

test("an order's returns are asked for five times an hour, from however many conversations", async () => {
  const { db, id, call } = await startSent();
  const statuses: number[] = [];
  for (let times = 0; times < 6; times += 1) {
    const conversation = `other-${times}`;
    await verifyFor(db, conversation, id);
    statuses.push((await call("request_return", whole, { conversation })).statusCode);
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
});
