import type { FastifyReply } from "fastify";
import Type from "typebox";
import type { Db } from "../database/pool.ts";
import { readLastNumbers } from "../database/sequence.ts";
import { ApiError } from "./problem.ts";
import { problemResponse } from "./problem-schema.ts";
import { wholeNumber } from "./schema-types.ts";

/** The query parameters that page through orders or products. */
export const pageParameters = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 250,
      description: "The maximum number to return; 50 by default.",
      example: 50,
    }),
  ),
  since_id: Type.Optional(
    wholeNumber("Return items after this id, ascending by id. Start with 0 and keep `next_since_id`.", 1000),
  ),
  changed_after: Type.Optional(
    wholeNumber(
      "Instead of `since_id`: return items created or changed after this sequence, ascending by `sequence`. Start with 0 and keep `next_changed_after`.",
      1480,
    ),
  ),
};

export interface PageQuery {
  limit?: number;
  since_id?: number;
  changed_after?: number;
}

/** A page: at most `limit` rows above `after` and up to `upTo` in `column`, ascending. */
export interface Keyset extends Cursor {
  /** The last number whose transaction had ended before the page's rows are read. */
  upTo: number;
  limit: number;
}

interface Cursor {
  column: "id" | "sequence";
  after: number;
}

/**
 * Reads the requested page, and where it must end: at the last number that is visible now, in a statement before the one
 * that reads the rows. MariaDB makes a statement's view of open transactions without stopping them
 * (trx_sys_t::snapshot_ids), so it may hold the one that was open when it began, and not its successor, which waited for
 * the sequence row, committed meanwhile, and is then seen alone. A page with both numbers in reach would pass over the
 * smaller for ever. Throws 400 when both cursors are given, and 409 for a cursor above every number ever assigned: the
 * database was restored from an older backup, and the partner would miss new orders that reuse those numbers.
 */
export async function readKeyset(db: Db, noun: "orders" | "products", query: PageQuery): Promise<Keyset> {
  const { column, after } = readCursor(query);
  const { last_id, last_sequence } = await readLastNumbers(db, noun);
  const upTo = column === "id" ? last_id : last_sequence;
  if (after > upTo) refuseCursorAhead(column);
  return { column, after, upTo, limit: query.limit ?? 50 };
}

function readCursor({ since_id, changed_after }: PageQuery): Cursor {
  if (changed_after === undefined) return { column: "id", after: since_id ?? 0 };
  if (since_id === undefined) return { column: "sequence", after: changed_after };
  const detail = "Send either since_id or changed_after.";
  const errors = ["since_id", "changed_after"].map((field) => ({ in: "query" as const, field, detail }));
  throw new ApiError("bad-request", "since_id and changed_after can't be combined.", {
    errors,
  });
}

function refuseCursorAhead(column: Cursor["column"]): never {
  const detail = `This ${column} is larger than any assigned so far: the shop was restored to an earlier state, or the number isn't from this shop. Read everything again from 0.`;
  const field = column === "id" ? "since_id" : "changed_after";
  throw new ApiError("cursor-ahead", detail, { errors: [{ in: "query", field, detail: "Start again from 0." }] });
}

/** 409, for the `response` of a list. */
export const cursorAhead = {
  409: problemResponse(
    "`cursor-ahead`: since_id or changed_after is above every number assigned so far, so the shop was restored to an earlier state. Read everything again from 0.",
  ),
};

interface Page {
  rows: readonly { id: number; sequence: number }[];
  hasMore: boolean;
}

/**
 * The fields that lead to the next page: the last number on this one, or the given cursor if it's empty. Adds a `Link`
 * (RFC 8288) while there are more, relative so that it works behind any prefix.
 */
export function describePage(
  reply: FastifyReply,
  query: PageQuery,
  { column, after }: Cursor,
  { rows, hasMore }: Page,
) {
  const next = rows.at(-1)?.[column] ?? after;
  if (hasMore) {
    const parameters = new URLSearchParams();
    const asked = { ...query, [column === "id" ? "since_id" : "changed_after"]: next };
    for (const [name, value] of Object.entries(asked)) parameters.set(name, String(value));
    reply.header("Link", `<?${parameters}>; rel="next"`);
  }
  return column === "id" ? { next_since_id: next, has_more: hasMore } : { next_changed_after: next, has_more: hasMore };
}

/** The fields of describePage, for the schema of a list. */
export const pageFields = {
  next_since_id: Type.Optional(wholeNumber("The `since_id` of the next request; absent with `changed_after`.", 1001)),
  next_changed_after: Type.Optional(
    wholeNumber("The `changed_after` of the next request; only there with `changed_after`.", 1480),
  ),
  has_more: Type.Boolean({ description: "Whether another request would return more now.", example: false }),
};
