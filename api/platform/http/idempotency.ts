import { createHash } from "node:crypto";
import type { FastifyReply } from "fastify";
import Type from "typebox";
import { DAY_MS } from "../../contract/duration.ts";
import { ago, now } from "../database/columns.ts";
import type { Db } from "../database/pool.ts";
import { inTransaction, READ_COMMITTED } from "../database/transaction.ts";
import { ApiError } from "./problem.ts";

/** The answer to a request: its status and its body, which is stored as JSON. */
export interface Answer<Body> {
  status: number;
  body: Body;
}

/** A key is remembered for this long after its first request. */
export const KEY_KEPT_MS = DAY_MS;
/** Longer than any request may take: one that has no answer by then died with its process. */
const ABANDONED_AFTER_MS = 30_000;

/**
 * An Idempotency-Key header of 1 to 255 characters: a quoted string (RFC 8941 §3.3.3, as
 * draft-ietf-httpapi-idempotency-key-header-07 has it) or bare.
 */
const KEY_PATTERN = '^("([ !#-\\[\\]-~]|\\\\["\\\\]){1,255}"|[!#-\\[\\]-~]{1,255})$';

/** The request header, for the `headers` of a route. */
export const idempotencyHeaders = Type.Object({
  "idempotency-key": Type.Optional(
    Type.String({
      pattern: KEY_PATTERN,
      title: "Write 1 to 255 visible ASCII characters, in double quotes or without.",
      description:
        "A key of your choice, of 1 to 255 characters. For 24 hours, requests with the same key get the same answer and do nothing more.",
      example: '"8e03978e-40d5-43dd-bc93-6894a57f9324"',
    }),
  ),
});

/** The header of an answer, for openapi.json. */
export const replayedHeader = {
  "Idempotent-Replayed": {
    type: "string",
    enum: ["true"],
    description: "Only present when this is the stored answer to an earlier request with the same Idempotency-Key.",
  },
};

interface KeyUse {
  /** Matches KEY_PATTERN. */
  header: string;
  /** The id of the order that the request is about. */
  orderId: number;
  /** What the key is unique in: partner, method and path. */
  within: readonly string[];
  /** What was sent: another request with the same key must have sent the same. */
  request: object;
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** `"a"` and `a` are the same key. */
const unquote = (value: string) => (value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, "$1") : value);

/**
 * Runs `work` at most once for a key: the first request runs it and stores its answer, later ones get that answer. When
 * `work` throws, the key is free again. Throws 422 when the key was used with another body, 409 while its first request
 * is still running.
 */
export async function withIdempotencyKey<Body>(
  db: Db,
  { header, orderId, within, request }: KeyUse,
  work: () => Promise<Answer<Body>>,
): Promise<Answer<Body> & { replayed: boolean }> {
  // A key has no line breaks.
  const hash = sha256([...within, unquote(header)].join("\n"));
  const use = { hash, orderId, requestHash: sha256(JSON.stringify(Object.entries(request).sort())) };
  const reservation = await inTransaction(db, (transaction) => reserve<Body>(transaction, use), READ_COMMITTED);
  if (reservation.answer) return { ...reservation.answer, replayed: true };
  // When another request takes over an abandoned key, created_at changes, and the row is no longer ours.
  const { reservedAt } = reservation;
  try {
    const { status, body } = await work();
    // A transaction, because that is tried again after a conflict: without the answer, the next request would do it again.
    await inTransaction(db, (transaction) =>
      transaction
        .updateTable("idempotency_keys")
        .set({ status, answer: JSON.stringify(body) })
        .where("key_hash", "=", hash)
        .where("created_at", "=", reservedAt)
        .execute(),
    );
    return { status, body, replayed: false };
  } catch (error) {
    // When this fails too, the key is free again after ABANDONED_AFTER_MS.
    await db
      .deleteFrom("idempotency_keys")
      .where("key_hash", "=", hash)
      .where("created_at", "=", reservedAt)
      .execute()
      .catch(() => {});
    throw error;
  }
}

/** A request that changes an order, with `idempotencyHeaders`. */
interface OrderRequest {
  method: string;
  headers: { "idempotency-key"?: string };
  params: { id: number };
  body: object;
  partner: string;
}

/** Runs `work`, at most once if the request has an Idempotency-Key, and marks a stored answer as such. */
export async function answerOnce<Body>(
  db: Db,
  path: string,
  { method, headers, params, body: request, partner }: OrderRequest,
  reply: FastifyReply,
  work: () => Promise<Answer<Body>>,
): Promise<Answer<Body>> {
  const header = headers["idempotency-key"];
  if (header === undefined) return work();
  const key = { header, orderId: params.id, within: [partner, method, path], request };
  const { replayed, ...answer } = await withIdempotencyKey(db, key, work);
  if (replayed) reply.header("Idempotent-Replayed", "true");
  return answer;
}

const STILL_RUNNING = "A request with this Idempotency-Key is still running. Try again in a few seconds.";

type Reservation<Body> = { answer: Answer<Body> } | { answer?: undefined; reservedAt: string };

/** Takes the key for this request, or returns the answer that is stored for it. */
async function reserve<Body>(
  transaction: Db,
  { hash, orderId, requestHash }: { hash: string; orderId: number; requestHash: string },
): Promise<Reservation<Body>> {
  await transaction
    .deleteFrom("idempotency_keys")
    .where("key_hash", "=", hash)
    .where("created_at", "<", ago(KEY_KEPT_MS))
    .execute();
  // Locked before the insert is tried, which would share a lock on the row: two of those that then update it deadlock.
  const row = await transaction
    .selectFrom("idempotency_keys")
    .select(["status", "answer", "request_hash"])
    .where("key_hash", "=", hash)
    .forUpdate()
    .executeTakeFirst();
  if (!row) {
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto("idempotency_keys")
      .ignore()
      .values({ key_hash: hash, order_id: orderId, created_at: now(), request_hash: requestHash })
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows === 1n) return readReservation(transaction, hash);
    throw new ApiError("conflict", STILL_RUNNING); // the other request began just now
  }
  if (row.request_hash !== requestHash)
    throw new ApiError("unprocessable", "This Idempotency-Key was already used with another body. Use a new one.");
  if (row.status && row.answer) return { answer: { status: row.status, body: JSON.parse(row.answer) } };
  const { numUpdatedRows } = await transaction
    .updateTable("idempotency_keys")
    .set({ created_at: now() })
    .where("key_hash", "=", hash)
    .where("status", "is", null)
    .where("created_at", "<", ago(ABANDONED_AFTER_MS))
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 1n) return readReservation(transaction, hash);
  throw new ApiError("conflict", STILL_RUNNING);
}

async function readReservation(transaction: Db, hash: string): Promise<{ reservedAt: string }> {
  const { created_at: reservedAt } = await transaction
    .selectFrom("idempotency_keys")
    .select("created_at")
    .where("key_hash", "=", hash)
    .executeTakeFirstOrThrow();
  return { reservedAt };
}
