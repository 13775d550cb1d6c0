import { lookup } from "node:dns/promises";
import { Client, type Dispatcher } from "undici";
import { readRetryAfter } from "../outbox/retry-schedule.ts";
import type { AttemptResult } from "./attempt-result.ts";
import { guardedConnector, RefusedAddressError, type Resolve, ResolveTimeoutError } from "./dial.ts";
import { readExcerpt } from "./excerpt.ts";
import type { Webhook } from "./settings.ts";
import { sign } from "./signature.ts";

interface Message {
  webhookId: string;
  /** Exactly what is sent and signed. */
  body: Buffer;
}

/** Makes one attempt. Never throws: whatever happens is a result. */
export type Send = (message: Message) => Promise<AttemptResult>;

interface Means {
  resolve?: Resolve;
  connectMs?: number;
  totalMs?: number;
}

/** Longest time that an attempt takes; design §6. */
const ATTEMPT_MS = 15_000;

/**
 * Makes the sender for a webhook: one POST, signed by Standard Webhooks 1.0.0, over a connection of its own so that
 * every address is checked when it is dialled. Redirects are not followed (undici's `request` never does), and a Client
 * of its own knows no proxy of the environment.
 */
export function makeSender(webhook: Webhook, means: Means = {}): Send {
  const { resolve = (name) => lookup(name, { all: true }), connectMs = 5_000, totalMs = ATTEMPT_MS } = means;
  return async (message) => {
    const begin = performance.now();
    const signal = AbortSignal.timeout(totalMs); // undici's bodyTimeout would not end a reply that drips
    const connect = guardedConnector(resolve, webhook.allow, connectMs);
    const client = new Client(webhook.url.origin, { connect, pipelining: 0 });
    try {
      const answer = await client.request({ ...describeRequest(webhook, message), signal });
      return { ...(await judge(answer, signal)), durationMs: elapsed(begin) };
    } catch (error) {
      return { ...nothing, outcome: nameFailure(error, signal), durationMs: elapsed(begin) };
    } finally {
      client.destroy().catch(() => {});
    }
  };
}

const nothing = { httpStatus: null, excerpt: null, retryAfterMs: 0 };
const elapsed = (begin: number) => Math.round(performance.now() - begin);

function describeRequest({ url, keys }: Webhook, { webhookId, body }: Message) {
  const timestamp = Math.floor(Date.now() / 1_000);
  return {
    method: "POST" as const,
    path: `${url.pathname}${url.search}`,
    body,
    headers: {
      "content-type": CONTENT_TYPE,
      "user-agent": "Twinfront",
      "webhook-id": webhookId,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": sign(keys, webhookId, timestamp, body),
    },
  };
}

export const CONTENT_TYPE = "application/json";

/** Only a 2xx whose reply came whole, or as far as it is read, counts: a broken one may be a receiver that fell over. */
async function judge(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  signal: AbortSignal,
): Promise<Omit<AttemptResult, "durationMs">> {
  const [retryAfter] = [headers["retry-after"]].flat();
  const { excerpt, error } = await readExcerpt(body);
  const named = nameStatus(statusCode);
  const outcome = named === "delivered" && error !== undefined ? nameFailure(error, signal) : named;
  return { outcome, httpStatus: statusCode, excerpt, retryAfterMs: readRetryAfter(retryAfter, Date.now()) };
}

function nameStatus(status: number): AttemptResult["outcome"] {
  if (status >= 200 && status < 300) return "delivered";
  if (status === 410) return "gone";
  return status >= 300 && status < 400 ? "redirect" : "status";
}

function nameFailure(error: unknown, signal: AbortSignal): AttemptResult["outcome"] {
  if (error instanceof RefusedAddressError) return "refused_address";
  const late = error instanceof ResolveTimeoutError || (error instanceof Error && /Timeout/.test(error.name));
  return signal.aborted || late ? "timeout" : "connection";
}
