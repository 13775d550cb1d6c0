import { createHmac } from "node:crypto";

const PREFIX = "whsec_";

/**
 * Decodes `whsec_` + base64 of 24 to 64 bytes (Standard Webhooks 1.0.0, "Signature scheme"); undefined otherwise.
 * Strict, since a key decoded differently makes every signature wrong.
 */
export function readSecret(secret: string): Buffer | undefined {
  if (!secret.startsWith(PREFIX)) return undefined;
  const encoded = secret.slice(PREFIX.length);
  const key = Buffer.from(encoded, "base64");
  return key.toString("base64") === encoded && key.length >= 24 && key.length <= 64 ? key : undefined;
}

/**
 * The value of `webhook-signature`: one `v1,<base64>` per key, separated by spaces, so that a receiver can verify
 * either while the secret is rotated. `timestamp` is the attempt's, in whole seconds; `body` is the bytes sent.
 */
export function sign(keys: readonly Buffer[], id: string, timestamp: number, body: Buffer): string {
  return keys
    .map((key) => `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest("base64")}`)
    .join(" ");
}
