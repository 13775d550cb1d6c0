import type { FastifyReply } from "fastify";
import Type from "typebox";
import type { Db } from "../database/pool.ts";
import { readLastNumbers } from "../database/sequence.ts";
import { ApiError } from "./problem.ts";
import { problemResponse } from "./problem-schema.ts";
import { wholeNumber } from "./schema-types.ts";

/** The query parameters by which a partner walks through orders or products. */
export const pageParameters = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 250,
      description: "How many to return at most; 50 when left out.",
      example: 50,
    }),
  ),
  since_id: Type.Optional(
    wholeNumber("Return what comes after this id, ascending by id; start with 0 and keep `next_since_id`.", 1000),
  ),
  changed_after: Type.Optional(
    wholeNumber(
      "Instead of `since_id`: return what was created or changed after this sequence, ascending by `sequence`; start with 0 and keep `next_changed_after`.",
      1480,
    ),
  ),
};

export interface PageQuery {
  limit?: number;
  since_id?: number;
  changed_after?: number;
}

/** Where a page starts: after `after` in ascending `column`, at most `limit` rows. */
export interface Keyset {
  column: "id" | "sequence";
  after: number;
  limit: number;
}

/** Reads the page that was asked for. Throws 400 when both ways of walking are asked for at once. */
export function readKeyset({ limit = 50, since_id, changed_after }: PageQuery): Keyset {
  if (changed_after === undefined) return { column: "id", after: since_id ?? 0, limit };
  if (since_id === undefined) return { column: "sequence", after: changed_after, limit };
  const detail = "Send either since_id or changed_after.";
  const errors = ["since_id", "changed_after"].map((field) => ({ in: "query" as const, field, detail }));
  throw new ApiError("bad-request", "since_id and changed_after are two ways of walking; only one goes at a time.", {
    errors,
  });
}

/**
 * Refuses a cursor above every number that was ever given out. Call it for an empty page alone: whoever sends a number
 * had it from here, so the database has been set back since, and the page would stay empty while new orders take the
 * numbers that the partner believes to have seen. Throws 409.
 */
export async function refuseCursorAhead(db: Db, noun: "orders" | "products", { column, after }: Keyset): Promise<void> {
  const { last_id, last_sequence } = await readLastNumbers(db, noun);
  if (after <= (column === "id" ? last_id : last_sequence)) return;
  const detail = `No ${column} as large as this was ever given out: the shop has gone back to an earlier state, or the number isn't from here. Read everything again from 0.`;
  const field = column === "id" ? "since_id" : "changed_after";
  throw new ApiError("cursor-ahead", detail, { errors: [{ in: "query", field, detail: "Begin again with 0." }] });
}

/** 409, for the `response` of a list. */
export const cursorAhead = {
  409: problemResponse(
    "`cursor-ahead`: since_id or changed_after lies above every number that was ever given out, so the shop has gone back to an earlier state. Read everything again from 0.",
  ),
};

interface Page {
  rows: readonly { id: number; sequence: number }[];
  hasMore: boolean;
}

/**
 * What a page says about the next one: the last number on it, or the one given when it is empty, so that a poller just
 * keeps it. Adds `Link` (RFC 8288) while there is more: relative, so that it keeps all filters and any prefix that
 * stands before the path.
 */
export function describePage(
  reply: FastifyReply,
  query: PageQuery,
  { column, after }: Keyset,
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
  has_more: Type.Boolean({ description: "Whether the next request would bring more right away.", example: false }),
};
