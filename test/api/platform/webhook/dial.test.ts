import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { makeSender } from "../../../../api/platform/webhook/sender.ts";
import { startErp, webhookTo } from "./erp-server.ts";

const message = { webhookId: "msg_order_7_2", body: Buffer.from("{}") };
const address = (text: string) => ({ address: text, family: text.includes(":") ? 6 : 4 });

/** Loopback and unspecified addresses in every notation that the URL standard or a resolver accepts. */
const loopbacks = [
  ...["127.0.0.1", "127.1", "0x7f.1", "0x7f000001", "2130706433", "017700000001", "0177.0.0.1", "127.0.0.1."],
  ...["１２７.０.０.１", "0.0.0.0", "0", "[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]"],
  ...["[64:ff9b::127.0.0.1]", "[2002:7f00:1::]", "localhost", "LOCALHOST"],
];

test.each(loopbacks)("%s is refused without a connection", async (host) => {
  const erp = await startErp();
  const webhook = webhookTo(`http://${host}:${erp.port}/orders`, { allow: "192.0.2.0/24" });
  const result = await makeSender(webhook)(message);
  expect([result.outcome, erp.connections]).toEqual(["refused_address", 0]);
});

test("a resolver can't override the check of an IP address in the URL", async () => {
  const erp = await startErp();
  const webhook = webhookTo(`http://127.0.0.1:${erp.port}/orders`, { allow: "192.0.2.0/24" });
  const result = await makeSender(webhook, { resolve: async () => [address("1.1.1.1")] })(message);
  expect([result.outcome, erp.connections]).toEqual(["refused_address", 0]);
});

test("a host name without an allowed address is refused", async () => {
  const erp = await startErp();
  const webhook = webhookTo(`http://erp.example:${erp.port}/orders`, { allow: "192.0.2.0/24" });
  for (const addresses of [["127.0.0.1"], ["::1", "127.0.0.1"], ["169.254.169.254"], ["::ffff:127.0.0.1"], []]) {
    const result = await makeSender(webhook, { resolve: async () => addresses.map(address) })(message);
    expect([addresses, result.outcome]).toEqual([addresses, "refused_address"]);
  }
  expect(erp.connections).toBe(0);
});

test("if a host name has several addresses, only an allowed one is dialled", async () => {
  const erp = await startErp();
  const resolve = async () => ["::1", "10.0.0.1", "127.0.0.1"].map(address);
  const webhook = webhookTo(`http://erp.example:${erp.port}/orders`, { allow: "127.0.0.1/32" });
  expect((await makeSender(webhook, { resolve })(message)).outcome).toBe("delivered");
  expect(erp.received[0]?.headers["host"]).toBe(`erp.example:${erp.port}`);
});

test("a host name is resolved once per attempt, so that a changed address can't bypass the check", async () => {
  const allowed = await startErp();
  let lookups = 0;
  // Both addresses are this machine: a second lookup would let the attempt through.
  const resolve = async () => [address(lookups++ % 2 === 0 ? "127.0.0.2" : "127.0.0.1")];
  const webhook = webhookTo(`http://erp.example:${allowed.port}/orders`, { allow: "127.0.0.1/32" });
  const send = makeSender(webhook, { resolve });
  expect((await send(message)).outcome).toBe("refused_address");
  expect([lookups, allowed.connections]).toEqual([1, 0]);
  expect((await send(message)).outcome).toBe("delivered");
  expect((await send(message)).outcome).toBe("refused_address");
  expect([lookups, allowed.connections]).toEqual([3, 1]);
});

test("a host name that can't be resolved is a connection failure; one that resolves too slowly is a timeout", async () => {
  const webhook = webhookTo("http://erp.example/orders");
  const fail = () => Promise.reject(Object.assign(new Error("getaddrinfo ENOTFOUND"), { code: "ENOTFOUND" }));
  expect((await makeSender(webhook, { resolve: fail })(message)).outcome).toBe("connection");
  const never = () => new Promise<never>(() => {});
  expect((await makeSender(webhook, { resolve: never, connectMs: 200 })(message)).outcome).toBe("timeout");
});

test("a host name that resolves after the timeout isn't dialled", async () => {
  const erp = await startErp();
  const { promise, resolve: resolveName } = Promise.withResolvers<{ address: string; family: number }[]>();
  const webhook = webhookTo(`http://erp.example:${erp.port}/orders`);
  const result = await makeSender(webhook, { resolve: () => promise, connectMs: 100 })(message);
  expect(result.outcome).toBe("timeout");
  resolveName([address("127.0.0.1")]);
  await sleep(100);
  expect(erp.connections).toBe(0);
});
