import { Readable } from "node:stream";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type from "typebox";
import type { Db } from "../../platform/database/pool.ts";
import { readShopFacts } from "../../selling/shop/queries.ts";
import { requireRight } from "../staff-member.ts";
import { listExports, startExport } from "./export.ts";
import { ORDER_LISTS, readAsked } from "./filter.ts";
import { countLists, findOrders } from "./find-orders.ts";
import { readListed } from "./listed-orders.ts";
import { orderListPage, viewOrderList } from "./views.ts";

const ORDERS_PER_PAGE = 50;

/** A million orders take some minutes. */
const EXPORT_TIMEOUT_MS = 15 * 60_000;

const field = Type.Optional(Type.String({ maxLength: 1_000 }));
const ExportForm = Type.Object({ list: field, q: field, from: field, to: field }, { additionalProperties: false });

/** The shop's orders in a list, and as a table. */
export const orderListRoutes: FastifyPluginAsyncTypebox<{ db: Db }> = async (scope, { db }) => {
  scope.get("/", { schema: { hide: true } }, async (request, reply) => {
    await requireRight(request, "orders");
    const asked = readAsked(Object(request.query));
    const [counts, found, exports] = await Promise.all([
      countLists(db, ORDER_LISTS),
      findOrders(db, asked.filter, { before: asked.before, limit: ORDERS_PER_PAGE }),
      listExports(db),
    ]);
    const orders = await readListed(db, found.ids);
    return reply.page(orderListPage, viewOrderList({ asked, counts, found, orders, exports }), 200);
  });

  // By a form, since it leaves a note of who took them.
  const exporting = { schema: { hide: true, body: ExportForm }, handlerTimeout: EXPORT_TIMEOUT_MS };
  scope.post("/export", exporting, async (request, reply) => {
    const { name } = await requireRight(request, "orders");
    const { locale } = await readShopFacts(db);
    const csv = await startExport(db, readAsked(request.body).filter, name, locale);
    const today = new Date().toISOString().slice(0, 10);
    reply.header("Content-Disposition", `attachment; filename="orders-${today}.csv"`);
    return reply.type("text/csv; charset=utf-8").send(Readable.from(csv));
  });
};
