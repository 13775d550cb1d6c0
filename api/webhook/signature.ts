import { createHmac } from "node:crypto";

const PREFIX = "whsec_";

/**
 * The key behind `whsec_` + base64 of 24 to 64 bytes (Standard Webhooks 1.0.0, "Signature scheme"); undefined for
 * anything else. Strict, since a key that was decoded another way makes every signature wrong.
 */
export function readSecret(secret: string): Buffer | undefined {
  if (!secret.startsWith(PREFIX)) return undefined;
  const encoded = secret.slice(PREFIX.length);
  const key = Buffer.from(encoded, "base64");
  return key.toString("base64") === encoded && key.length >= 24 && key.length <= 64 ? key : undefined;
}

/**
 * The value of `webhook-signature`: one `v1,<base64>` for each key, separated by a space, so that a receiver may hold
 * either while a secret is changed. `timestamp` is the attempt's, in whole seconds; `body` the bytes as sent.
 */
export function sign(keys: readonly Buffer[], id: string, timestamp: number, body: Buffer): string {
  return keys
    .map((key) => `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest("base64")}`)
    .join(" ");
}
