import { randomBytes } from "node:crypto";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { expect, test } from "vitest";
import { readSecret, sign } from "../../../../api/platform/webhook/signature.ts";
import { secret } from "./erp-server.ts";

const other = `whsec_${randomBytes(64).toString("base64")}`;
const key = (text: string) => readSecret(text) ?? Buffer.alloc(0);
const id = "msg_order_1001_3";
const body = Buffer.from('{"name":"Žluťoučký kůň 🐎 \\u2028","amount":"1.00"}');

test("a signature matches the test vector of the Standard Webhooks libraries", () => {
  const signature = sign(
    [key(secret)],
    "msg_p5jXN8AQM9LWM0D4loKWxJek",
    1614265330,
    Buffer.from('{"test": 2432232314}'),
  );
  expect(signature).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
});

test.each([
  ["standardwebhooks", StandardWebhook],
  ["svix", SvixWebhook],
])("%s verifies a message with either of two secrets, and refuses a changed one", (_name, Verifier) => {
  const timestamp = Math.floor(Date.now() / 1_000);
  const headers = {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": sign([key(secret), key(other)], id, timestamp, body),
  };
  expect(headers["webhook-signature"]).toMatch(/^v1,\S{44} v1,\S{44}$/);
  for (const known of [secret, other]) expect(() => new Verifier(known).verify(body.toString(), headers)).not.toThrow();
  const third = `whsec_${randomBytes(24).toString("base64")}`;
  expect(() => new Verifier(third).verify(body.toString(), headers)).toThrow();
  expect(() => new Verifier(secret).verify(`${body} `, headers)).toThrow();
  expect(() => new Verifier(secret).verify(body.toString(), { ...headers, "webhook-id": `${id}_2` })).toThrow();
});

test("a secret must be whsec_ followed by the base64 of 24 to 64 bytes", () => {
  for (const bytes of [24, 32, 64])
    expect(readSecret(`whsec_${randomBytes(bytes).toString("base64")}`)).toHaveLength(bytes);
  const base64 = randomBytes(32).toString("base64");
  const wrong = ["", "whsec_", base64, `v1,whsec_${base64}`, `whsk_${base64}`, `whsec_${base64.slice(0, -1)}`];
  wrong.push(`whsec_${base64}!`, `whsec_ ${base64}`, `WHSEC_${base64}`, `whsec_${"-_".repeat(22)}`);
  for (const bytes of [23, 65]) wrong.push(`whsec_${randomBytes(bytes).toString("base64")}`);
  for (const text of wrong) expect([text, readSecret(text)]).toEqual([text, undefined]);
});
