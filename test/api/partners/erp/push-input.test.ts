import { expect, test } from "vitest";
import { placeOrder } from "../../../../api/selling/orders/place-order.ts";
import { eventually } from "../../../eventually.ts";
import { accept, answer } from "../../platform/webhook/erp-server.ts";
import { newOrder } from "../../selling/orders/new-order.ts";
import { startPushing } from "./deliveries.ts";

const json = { "content-type": "application/json" };

/** `send` pushes order 1 with an unchanged body. */
async function start() {
  const { push, app, ...rest } = await startPushing();
  const send = (payload: string | Buffer, headers: Record<string, string> = {}) =>
    app.inject({
      method: "POST",
      url: "/api/erp/orders/1/push",
      headers: { "x-ecom-api-token": "a-partner-token-of-thirty-two-letters", ...headers },
      payload,
    });
  return { ...rest, push, send };
}

test.each(["application/json", "text/xml", "application/x-www-form-urlencoded", "nonsense", "a/b;;", ""])(
  "an empty body is accepted with any content type: %s",
  async (type) => {
    const { send } = await start();
    const headers = { "content-type": type };
    expect((await send("", headers)).statusCode).toBe(200);
    expect((await send("", { ...headers, "content-length": "0" })).statusCode).toBe(200);
    expect((await send("", { ...headers, "transfer-encoding": "chunked" })).statusCode).toBe(200);
  },
);

test("any other body must be an application/json object with force or without fields", async () => {
  const { send, erp } = await start();
  const cases: [string | Buffer, Record<string, string>, number][] = [
    ['{"force":false}', json, 200],
    [' { "force" : true } ', { "content-type": "Application/JSON; charset=utf-8" }, 200],
    ["{}", json, 200],
    ["{}", {}, 415],
    ["{}", { "content-type": "text/plain" }, 415],
    ["{}", { "content-type": "application/jsonx" }, 415],
    [" ", { "content-type": "text/plain" }, 415],
    [" ", json, 400],
    ["{", json, 400],
    ["null", json, 400],
    ["[]", json, 400],
    ["true", json, 400],
    ['{"force":"true"}', json, 400],
    ['{"force":1}', json, 400],
    ['{"force":null}', json, 400],
    ['{"Force":true}', json, 400],
    ['{"__proto__":{}}', json, 400],
    [Buffer.from('{"force":true,"\xff":1}', "latin1"), json, 400],
    [`{"force":true${" ".repeat(2_000)}}`, json, 413],
  ];
  for (const [payload, headers, status] of cases)
    expect([payload, (await send(payload, headers)).statusCode]).toEqual([payload, status]);
  expect(erp.received).toHaveLength(2);
});

test("a repeated idempotency key, quoted or bare, gets the same answer and sends nothing", async () => {
  const { push, erp } = await startPushing(answer(500));
  const first = await push(1, { force: true }, { "idempotency-key": "8e03978e" });
  expect([first.statusCode, first.headers["idempotent-replayed"]]).toEqual([202, undefined]);
  erp.behaviour = accept;
  for (const key of ["8e03978e", '"8e03978e"']) {
    const again = await push(1, { force: true }, { "idempotency-key": key });
    expect([again.statusCode, again.headers["idempotent-replayed"], again.payload]).toEqual([
      202,
      "true",
      first.payload,
    ]);
  }
  expect(erp.received).toHaveLength(1);
  expect((await push(1, undefined, { "idempotency-key": "another" })).statusCode).toBe(200);
});

test("a 502 is replayed too", async () => {
  const { push } = await startPushing(answer(410));
  const key = { "idempotency-key": "k" };
  const [first, again] = [await push(1, undefined, key), await push(1, undefined, key)];
  expect([again.statusCode, again.headers["idempotent-replayed"]]).toEqual([502, "true"]);
  expect({ ...again.json(), instance: "" }).toEqual({ ...first.json(), instance: "" });
});

test("a key belongs to one order: another body answers 422, one still in use 409, and a failed request frees it", async () => {
  const { push, db, erp } = await startPushing();
  await placeOrder(db, newOrder());
  const key = { "idempotency-key": "k" };
  expect((await push(999, undefined, key)).statusCode).toBe(404);
  expect((await push(1, undefined, key)).statusCode).toBe(200);
  expect((await push(2, undefined, key)).headers["idempotent-replayed"]).toBe(undefined);
  const other = await push(1, { force: true }, key);
  expect(other.json()).toMatchObject({ status: 422, type: "https://shop.example/developers#unprocessable" });
  const later = Promise.withResolvers<void>();
  erp.behaviour = (response) => later.promise.then(() => void response.writeHead(500).end());
  const running = push(2, { force: true }, { "idempotency-key": "l" });
  await eventually(() => expect(erp.received).toHaveLength(3));
  const meanwhile = await push(2, { force: true }, { "idempotency-key": "l" });
  expect(meanwhile.json()).toMatchObject({ status: 409, type: "https://shop.example/developers#conflict" });
  later.resolve();
  expect((await running).statusCode).toBe(202);
});

test("a key expires after 24 hours, or after 30 seconds if its process died", async () => {
  const { push, db, erp } = await startPushing();
  const key = { "idempotency-key": "k" };
  await push(1, { force: true }, key);
  const age = (milliseconds: number) =>
    db.updateTable("idempotency_keys").set({ created_at: new Date(Date.now() - milliseconds) });
  await age(23.9 * 3_600_000).execute();
  expect((await push(1, { force: true }, key)).headers["idempotent-replayed"]).toBe("true");
  await age(24.1 * 3_600_000).execute();
  expect((await push(1, { force: true }, key)).headers["idempotent-replayed"]).toBe(undefined);
  await age(31_000).set({ status: null, answer: null }).execute();
  expect((await push(1, { force: true }, key)).headers["idempotent-replayed"]).toBe(undefined);
  expect(erp.received).toHaveLength(3);
});

test("a key must be 1 to 255 visible ASCII characters", async () => {
  const { push } = await startPushing();
  const ask = async (key: string) => (await push(1, undefined, { "idempotency-key": key })).statusCode;
  for (const key of ["k", "x".repeat(255), `"${"x".repeat(255)}"`, '"with space \\" and \\\\"', "a:b,c;d"])
    expect([key, await ask(key)]).toEqual([key, 200]);
  for (const key of ["", '""', "x".repeat(256), '"open', 'quo"te', "two words", '"a", "b"', "é", '"\\n"'])
    expect([key, await ask(key)]).toEqual([key, 400]);
});

test("a body with a Content-Encoding other than identity gets 415 with Accept-Encoding", async () => {
  const { send, erp } = await start();
  for (const coding of ["gzip", "br", "GZIP, identity"]) {
    const refused = await send("{}", { ...json, "content-encoding": coding });
    expect([refused.statusCode, refused.headers["accept-encoding"]]).toEqual([415, "identity"]);
  }
  expect(erp.received).toHaveLength(0);
  expect((await send("{}", { ...json, "content-encoding": "identity" })).statusCode).toBe(200);
});
