import { lookup } from "node:dns/promises";
import type { Dispatcher } from "undici";
import { DAY_MS } from "../../contract/duration.ts";
import { checkedConnector, loadUndici, RefusedAddressError, type Resolve, ResolveTimeoutError } from "./dial.ts";
import type { Webhook } from "./settings.ts";
import { sign } from "./signature.ts";

/** How an attempt can end. `timeout` and `connection`: without a complete answer. */
export const ATTEMPT_OUTCOMES = [
  "delivered",
  "status",
  "redirect",
  "gone",
  "timeout",
  "connection",
  "refused_address",
] as const;

export interface AttemptResult {
  outcome: (typeof ATTEMPT_OUTCOMES)[number];
  /** The answer's status; null without an answer. */
  httpStatus: number | null;
  /** At most 1 KiB of the answer's text. */
  excerpt: string | null;
  /** From the answer's Retry-After, 0 to 24 hours. */
  retryAfterMs: number;
  durationMs: number;
}

interface Message {
  webhookId: string;
  /** Exactly what is sent and signed. */
  body: Buffer;
}

/** Makes one attempt. Never throws: failures are results. */
export type Send = (message: Message) => Promise<AttemptResult>;

interface SenderOptions {
  resolve?: Resolve;
  connectMs?: number;
  totalMs?: number;
}

/** The maximum duration of an attempt. */
const ATTEMPT_MS = 15_000;

/**
 * Makes the sender for a webhook: one POST signed by Standard Webhooks 1.0.0. Each uses a new connection, so that
 * addresses are checked every time, and undici's Client, which ignores proxy variables and doesn't follow redirects.
 */
export function makeSender(webhook: Webhook, options: SenderOptions = {}): Send {
  const { resolve = (name) => lookup(name, { all: true }), connectMs = 5_000, totalMs = ATTEMPT_MS } = options;
  return async (message) => {
    const { Client } = await loadUndici();
    const begin = performance.now();
    const signal = AbortSignal.timeout(totalMs); // undici's bodyTimeout doesn't end a reply that drips
    const connect = checkedConnector(resolve, webhook.allow, connectMs);
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

/** A 2xx counts only if the reply is complete, or as far as it is read: the receiver may have crashed in the middle. */
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

const READ_BYTES = 64 * 1_024;
const KEPT_BYTES = 1_024;

/**
 * Reads a reply to its end or up to 64 KiB, and keeps up to 1 KiB as text. A reply that breaks off returns what
 * arrived, and the error.
 */
async function readExcerpt(reply: AsyncIterable<Buffer>): Promise<{ excerpt: string; error?: unknown }> {
  let read = 0;
  let kept = Buffer.alloc(0);
  try {
    for await (const chunk of reply) {
      read += chunk.length;
      kept = Buffer.concat([kept, chunk.subarray(0, KEPT_BYTES - kept.length)]);
      if (read >= READ_BYTES) break;
    }
  } catch (error) {
    return { excerpt: toText(kept), error };
  }
  return { excerpt: toText(kept) };
}

/**
 * Text of at most 1 KiB, without half characters. Invalid UTF-8 becomes U+FFFD, which has three bytes, so it is cut
 * again.
 */
function toText(bytes: Buffer): string {
  const decode = (part: Uint8Array) => new TextDecoder().decode(part, { stream: true });
  return decode(Buffer.from(decode(bytes)).subarray(0, KEPT_BYTES));
}

const LONGEST_RETRY_AFTER_MS = DAY_MS;

/**
 * Milliseconds from a Retry-After (RFC 9110 §10.2.3: seconds or a date), at most 24 hours; 0 if it's missing or
 * invalid. `now` is in milliseconds.
 */
export function readRetryAfter(value: string | undefined, now: number): number {
  const text = value?.trim() ?? "";
  const asked = /^[0-9]+$/.test(text) ? Number(text) * 1_000 : parseDate(text) - now;
  return Number.isNaN(asked) ? 0 : Math.min(Math.max(asked, 0), LONGEST_RETRY_AFTER_MS);
}

/** Date.parse accepts more than HTTP dates; all three forms of RFC 9110 §5.6.7 begin with a day's name. */
const parseDate = (text: string) =>
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /.test(text) ? Date.parse(text) : Number.NaN;
