import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import { toRfc3339 } from "../../platform/database/columns.ts";
import type { Db } from "../../platform/database/pool.ts";
import { readLastNumbers } from "../../platform/database/sequence.ts";
import { acceptOptionalJson } from "../../platform/http/input.ts";
import {
  conditionalRequest,
  entityTagHeader,
  linkHeader,
  matchesEntityTag,
  notModified,
  partnerHeaders,
  tagOf,
} from "../../platform/http/partner-headers.ts";
import { ApiError } from "../../platform/http/problem.ts";
import { partnerProblems, problemResponse } from "../../platform/http/problem-schema.ts";
import { givenTime, noParameters, nullable, reference, wholeNumber } from "../../platform/http/schema-types.ts";
import { readShopFacts } from "../../selling/shop/queries.ts";
import { catchUp } from "../../selling/stock/catch-up.ts";
import { listStock, type Rejection, type StockLevel, storeCounts } from "../../selling/stock/counts.ts";
import { readLedger } from "../../selling/stock/ledger.ts";
import { MOST_BYTES, MOST_ROWS, refuseField, refuseFuture, refuseTwice, SKU } from "./rows.ts";
import { Rejected, Stock } from "./schema.ts";

const MOST_PIECES = 1_000_000;

const DAY = "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$";

const Counts = Type.Object(
  {
    changed_after: wholeNumber(
      "Up to where you have booked the orders: the `next_changed_after` of the page that said `has_more: false`, of all orders, whatever their status.",
      48213,
    ),
    counted_at: givenTime("When you counted, after you had booked those orders.", "2026-10-19T08:13:02Z"),
    stock: Type.Array(
      Type.Object(
        {
          sku: SKU,
          count: nullable(
            Type.Integer({
              minimum: -MOST_PIECES,
              maximum: MOST_PIECES,
              title: `Write a whole number from -${MOST_PIECES} to ${MOST_PIECES}, or null.`,
              description:
                "Pieces free to sell: what is on the shelf, less all that you have booked and not sent yet. Null: not counted any more.",
              example: 12,
            }),
          ),
          restock_on: Type.Optional(
            nullable(
              Type.String({
                pattern: DAY,
                title: "Write a day as YYYY-MM-DD, or null.",
                description: "When more are expected.",
                example: "2026-12-07",
              }),
            ),
          ),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: MOST_ROWS, description: `1 to ${MOST_ROWS} rows; the others stay as they are.` },
    ),
  },
  { additionalProperties: false, description: "A count." },
);

const countSchema = {
  operationId: "sendStock",
  tags: ["Partner"],
  summary: "Send a count of stock",
  description:
    "Says how many pieces are free to sell, and up to where you know the orders: whatever was ordered or cancelled since is taken off or added. Read and book all orders first, then count, then send. Rows that can't be stored are named in `rejected`, and the others are stored. The same again changes nothing.",
  querystring: noParameters,
  body: Counts,
  response: {
    ...partnerProblems,
    200: Type.Object(
      {
        stored: Type.Array(reference("Stock", Stock), { description: "The rows that are stored, by SKU." }),
        rejected: Type.Array(Rejected, { description: "The rows that were left." }),
      },
      { description: "What is free to sell now.", headers: partnerHeaders },
    ),
    409: problemResponse(
      "`cursor-ahead`: changed_after is above every number, or below those from which the shop went on after a restore. Read all orders again. `not-owned`: this shop counts its stock itself.",
    ),
    413: problemResponse("The body is larger than 256 KiB."),
    415: problemResponse("The body isn't application/json."),
  },
};

const listSchema = {
  operationId: "listStock",
  tags: ["Partner"],
  summary: "List stock",
  description: "What is free to sell of each SKU, ascending.",
  headers: conditionalRequest,
  querystring: Type.Object(
    {
      sku: Type.Optional(SKU),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: MOST_ROWS,
          description: "The maximum number to return; 250 by default.",
          example: 250,
        }),
      ),
      since_sku: Type.Optional({ ...SKU, description: "Return SKUs after this one. Keep `next_since_sku`." }),
    },
    { additionalProperties: false },
  ),
  response: {
    200: Type.Object(
      {
        stock: Type.Array(reference("Stock", Stock), { description: "The page." }),
        next_since_sku: nullable(
          Type.String({ description: "The `since_sku` of the next request.", example: "TAV-PIP-2D" }),
        ),
        has_more: Type.Boolean({ description: "Whether another request would return more now.", example: false }),
      },
      { description: "A page of stock.", headers: { ...partnerHeaders, ...entityTagHeader, ...linkHeader } },
    ),
    304: notModified,
    ...partnerProblems,
  },
};

/** GET and POST /api/stock. */
export const stockRoutes: FastifyPluginAsyncTypebox<{ db: Db }> = async (app, { db }) => {
  acceptOptionalJson(app);

  app.get("", { schema: listSchema }, async ({ query, headers }, reply) => {
    const { sku, since_sku = "", limit = 250 } = query;
    const rows = await listStock(db, { sku, after: since_sku, limit: limit + 1 });
    const stock = rows.slice(0, limit).map(toStock);
    const has_more = rows.length > limit;
    const next_since_sku = stock.at(-1)?.sku ?? (since_sku || null);
    const body = { stock, next_since_sku, has_more };
    const etag = tagOf(body);
    reply.header("ETag", etag);
    if (matchesEntityTag(headers["if-none-match"], etag)) return reply.code(304).send();
    if (has_more)
      reply.header(
        "Link",
        `<?${new URLSearchParams({ limit: `${limit}`, since_sku: `${next_since_sku}` })}>; rel="next"`,
      );
    return body;
  });

  app.post("", { schema: countSchema, bodyLimit: MOST_BYTES }, async ({ body, partner }) => {
    const { changed_after: changedAfter, stock } = body;
    const countedAt = new Date(body.counted_at);
    const shop = await readShopFacts(db);
    if (!shop.erp.owns.includes("stock")) throw new ApiError("not-owned", NOT_OWNED);
    refuseImpossible(stock, countedAt);
    await catchUp(db);
    await refuseCursor(db, changedAfter);
    const counts = stock.map(({ sku, count, restock_on = null }) => ({ sku, count, restock_on }));
    const by = partner.slice(0, 8);
    const counting = { changedAfter, countedAt, by, booksPlaced: shop.erp.books_placed };
    const { stored, rejected } = await storeCounts(db, counts, counting);
    return {
      stored: stored.map(toStock),
      rejected: rejected.map(({ sku, type }) => ({ sku, type, detail: ADVICE[type] })),
    };
  });
};

const NOT_OWNED =
  "This shop counts its stock itself. If your system is to count it, ask the shop to write `erp: { owns: [stock] }` into store.yaml.";

const ADVICE: Readonly<Record<Rejection, string>> = {
  "unknown-sku": "No version has this SKU: correct it, or leave the row out.",
  stale: "The shop has a newer count of it: read and book the orders, count again, and send that.",
  "confirm-needed": "The shop has another count of this very moment: send the right one with a later counted_at.",
};

/** Throws 400 for what the schema can't say. */
function refuseImpossible(stock: readonly { sku: string; restock_on?: string | null }[], countedAt: Date): void {
  refuseFuture("counted_at", countedAt);
  refuseTwice("stock", stock);
  for (const [place, { restock_on }] of stock.entries())
    if (restock_on && !isDay(restock_on)) refuseField(`stock.${place}.restock_on`, "There is no such day.");
}

const isDay = (day: string) => new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);

/** Throws 409 for a number that this shop hasn't given out, or gave out before it went back to a backup. */
async function refuseCursor(db: Db, changedAfter: number): Promise<void> {
  const [{ last_sequence }, { base }] = [await readLastNumbers(db, "orders"), await readLedger(db)];
  if (changedAfter <= last_sequence && changedAfter >= base) return;
  // A shop that was restored before its first order has nothing to read, whatever its numbers are.
  if (changedAfter === 0 && !(await db.selectFrom("orders").select("id").limit(1).executeTakeFirst())) return;
  const detail =
    changedAfter < base
      ? "This changed_after is from before the shop began to count, or went back to an earlier state. Read and book all orders again from 0, then count."
      : "This changed_after is larger than any number of this shop. Read and book all orders again from 0, then count.";
  throw new ApiError("cursor-ahead", detail, {
    errors: [{ in: "body", field: "changed_after", detail: "Read all orders again." }],
  });
}

const toStock = ({ sku, count, restock_on, available, changed_after, counted_at, counted_by }: StockLevel): Stock => ({
  ...{ sku, count, restock_on, available, changed_after },
  counted_at: counted_at && toRfc3339(counted_at),
  counted_by,
});
