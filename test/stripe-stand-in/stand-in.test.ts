import { expect, test } from "vitest";
import { secretKey, startStripe } from "./stand-in.ts";

/** Asks for a page as the stripe package does. */
async function start() {
  const standIn = await startStripe();
  const create = (changes: Record<string, string> = {}, key = "a") =>
    fetch(`${standIn.url}/v1/checkout/sessions`, {
      method: "POST",
      headers: { authorization: `Bearer ${secretKey}`, "idempotency-key": key },
      body: new URLSearchParams({
        ...{ mode: "payment", "line_items[0][quantity]": "1", "line_items[0][price_data][currency]": "eur" },
        ...{ "line_items[0][price_data][unit_amount]": "500", "line_items[0][price_data][product_data][name]": "A-1" },
        ...{ success_url: "https://shop.example/paid", cancel_url: "https://shop.example/back" },
        ...{ expires_at: String(Math.floor(Date.now() / 3_600_000) * 3_600 + 36_000), ...changes },
      }),
    });
  return { ...standIn, create };
}

test("the hosted page pays, declines, debits and leads back by forms alone", async () => {
  const { create, account } = await start();
  for (const [action, status, location] of [
    ["decline", "open", null],
    ["back", "open", "https://shop.example/back"],
    ["pay", "complete", "https://shop.example/paid"],
    ["debit", "complete", "https://shop.example/paid"],
  ] as const) {
    const { id, url } = (await (await create({}, action)).json()) as { id: string; url: string };
    expect(await (await fetch(url)).text()).toContain(`value="${action}"`);
    const answer = await fetch(url, { method: "POST", body: new URLSearchParams({ action }), redirect: "manual" });
    expect([answer.headers.get("location"), account.session(id).status]).toEqual([location, status]);
  }
});

test("a key gives the same answer again, and none for other parameters or while the first is under way", async () => {
  const standIn = await start();
  const [first, again] = [await (await standIn.create()).json(), await (await standIn.create()).json()];
  expect(again).toEqual(first);
  const other = await standIn.create({ success_url: "https://shop.example/other" });
  expect([other.status, await other.json()]).toMatchObject([400, { error: { type: "idempotency_error" } }]);
  standIn.failNext("create", "done", 500);
  expect([(await standIn.create({}, "b")).status, (await standIn.create({}, "b")).status]).toEqual([500, 500]);
  const both = await Promise.all([standIn.create({}, "c"), standIn.create({}, "c")]);
  for (const { status } of both) expect([200, 409]).toContain(status);
});

test.each([
  [{ expires_at: "1" }, "expires_at"],
  [{ "line_items[0][price_data][unit_amount]": "0" }, "amount"],
  [{ "line_items[0][price_data][currency]": "isk", "line_items[0][price_data][unit_amount]": "550" }, "amount"],
  [{ "line_items[0][price_data][currency]": "kwd", "line_items[0][price_data][unit_amount]": "501" }, "amount"],
  [{ success_url: "/paid" }, "success_url"],
  [{ customer_email: "ada" }, "customer_email"],
  [{ surprise: "1" }, "surprise"],
])("what Stripe refuses is refused: %j", async (changes, word) => {
  const answer = await (await start()).create(changes as Record<string, string>);
  expect([answer.status, await answer.json()]).toMatchObject([
    400,
    { error: { message: expect.stringContaining(word) } },
  ]);
});
