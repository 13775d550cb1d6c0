import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyReply, FastifyRequest } from "fastify";
import Type from "typebox";
import type { Db } from "../../platform/database/pool.ts";
import { takeShared, takeSharedOf } from "../../platform/http/shared-limits.ts";
import { emailKey } from "../../platform/mail/email-address.ts";
import { PageProblem } from "../../platform/private-pages/problem-page.ts";
import {
  afterOpening,
  endSession,
  findSession,
  openSession,
  renewSession,
  requireCookie,
} from "../../platform/private-pages/session.ts";
import { findKeyOrder } from "../../selling/mail/order-keys.ts";
import { queueMail } from "../../selling/mail/queue.ts";
import { type PaymentPage, viewOrder } from "../../selling/order-view/order-view.ts";
import { findShopOrder } from "../../selling/orders/queries.ts";
import { findDocument } from "../../selling/orders/record-invoice.ts";
import { orderPath } from "../../selling/orders/to-order.ts";
import { findNextAddress, isPaymentUnavailable, settleOpenPage } from "../../selling/payments/open-page.ts";
import { isPaymentUnchanged, payByTransfer } from "../../selling/payments/pay-by-transfer.ts";
import type { Payments } from "../../selling/payments/settle.ts";
import { readShopFacts } from "../../selling/shop/queries.ts";
import { readBasket } from "../basket/queries.ts";
import { addSessionOrder, findOrderOf, findSessionOrder, listSessionOrders, readOrderNumber } from "./queries.ts";
import { accountPage, type FindView, findPage, orderPage, unknownBrowser, viewListedOrder } from "./views.ts";

const PAYMENT_PAGES_PER_HOUR = 30;
const FINDS_PER_HOUR = 20;
/** So that nobody's mailbox is filled by somebody who knows number and address. */
const LINKS_PER_HOUR = 3;
/** Longer than a search takes, so that the time of an answer doesn't say whether the order exists. */
const FIND_MS = 400;

const FindForm = Type.Object(
  { number: Type.String({ maxLength: 64 }), email: Type.String({ maxLength: 254 }) },
  { additionalProperties: false },
);

interface AccountOptions {
  db: Db;
  /** Undefined where cards aren't taken. */
  payments: Payments | undefined;
}

/** The customer's pages of an order. A browser sees the orders that it placed, or opened with a key from a mail. */
export const accountRoutes: FastifyPluginAsyncTypebox<AccountOptions> = async (scope, { db, payments }) => {
  const viewFind = async (changes: Partial<FindView>): Promise<FindView> => {
    const { sales_email: shop_email } = await readShopFacts(db);
    const empty = { errors: [], number_error: null, email_error: null, reason: null, sent: false };
    return { ...empty, number: "", email: "", shop_email, ...changes };
  };

  /** The same answer for another's order as for none. */
  const showOrder = async (
    reply: FastifyReply,
    id: number | undefined,
    status: number,
    page?: PaymentPage,
    is_pro_forma = false,
  ) => {
    const order = id === undefined ? undefined : await findShopOrder(db, id);
    if (!order) return reply.page(findPage, await viewFind({ reason: "find.unknown_order" }), 404);
    const facts = await readShopFacts(db);
    // The site may have been built with a key that this process lacks.
    const view = viewOrder(order, { ...facts, card: facts.card && payments !== undefined }, page);
    if (view.card && payments) reply.header("Payment-Origin", payments.pageOrigin);
    return reply.page(orderPage, { ...view, is_pro_forma }, status);
  };

  scope.get("/", { schema: { hide: true } }, async (request, reply) => {
    const session = await findSession(db, request);
    if (session === undefined) return reply.page(accountPage, unknownBrowser, 200);
    const [orders, basket] = await Promise.all([listSessionOrders(db, session), readBasket(db, session)]);
    const view = {
      ...unknownBrowser,
      orders: orders.map(viewListedOrder),
      is_known: true,
      basket_items: basket.length,
    };
    return reply.page(accountPage, view, 200);
  });

  scope.post("/forget", { schema: { hide: true } }, async (request, reply) => {
    await endSession(db, request, reply);
    return reply.page(accountPage, { ...unknownBrowser, is_forgotten: true }, 200);
  });

  const OrderPath = Type.Object({ number: Type.String() });
  scope.get("/orders/:number", { schema: { hide: true, params: OrderPath } }, async (request, reply) => {
    const query = Object(request.query);
    requireCookie(request, query);
    const session = await findSession(db, request);
    const id = session === undefined ? undefined : await findSessionOrder(db, session, request.params.number);
    const isOpen = payments !== undefined && id !== undefined && (await settleOpenPage(payments, id, request));
    const [isUnavailable, isUnchanged] = [isPaymentUnavailable(request), isPaymentUnchanged(request)];
    return showOrder(reply, id, 200, { isOpen, isUnavailable, isUnchanged }, "pro-forma" in query);
  });

  const DocumentPath = Type.Object({ number: Type.String(), file: Type.String() });
  const documentOptions = { schema: { hide: true, params: DocumentPath } };
  scope.get("/orders/:number/invoices/:file", documentOptions, async (request, reply) => {
    const { number, file } = request.params;
    const [, position, form] = /^([1-9][0-9]?)\.(pdf|xml)$/.exec(file) ?? [];
    const session = form && (await findSession(db, request));
    const id = session && (await findSessionOrder(db, session, number));
    const found = id && (await findDocument(db, id, Number(position), form === "xml" ? form : "pdf"));
    if (!found) return showOrder(reply, undefined, 404);
    const name = `${number}-${found.number}`.replaceAll(/[^A-Za-z0-9]+/g, "-");
    reply.header("Content-Disposition", `attachment; filename="${name}.${form}"`);
    return reply.type(`application/${form}`).send(found.file);
  });

  /** The id of the order that a form is about, whose payment page is to be opened or closed; undefined: it isn't theirs. */
  const findOrderToPay = async (request: FastifyRequest, reply: FastifyReply, number: string) => {
    const session = await renewSession(db, request, reply);
    const id = session === undefined ? undefined : await findSessionOrder(db, session, number);
    if (id !== undefined && !(await takeSharedOf(db, "payment-pages", request.ip, PAYMENT_PAGES_PER_HOUR)))
      throw new PageProblem("too-many-requests", { headers: { "Retry-After": "3600" } });
    return id;
  };

  scope.post("/orders/:number/pay", { schema: { hide: true, params: OrderPath } }, async (request, reply) => {
    const { number } = request.params;
    const id = await findOrderToPay(request, reply, number);
    if (id === undefined) return showOrder(reply, id, 404);
    return reply.redirect(await findNextAddress(payments, number, request), 303);
  });

  scope.post("/orders/:number/transfer", { schema: { hide: true, params: OrderPath } }, async (request, reply) => {
    const { number } = request.params;
    const id = await findOrderToPay(request, reply, number);
    if (id === undefined) return showOrder(reply, id, 404);
    const canSwitch = payments !== undefined && (await readShopFacts(db)).transfer !== null;
    return reply.redirect(canSwitch ? await payByTransfer(payments, { id, number }, request) : orderPath(number), 303);
  });

  // Reloading what the forms answered.
  scope.get("/forget", { schema: { hide: true } }, async (_request, reply) => reply.redirect("/account", 303));
  for (const form of ["pay", "transfer"])
    scope.get(`/orders/:number/${form}`, { schema: { hide: true, params: OrderPath } }, async (request, reply) =>
      reply.redirect(orderPath(request.params.number), 303),
    );

  // Mail scanners open links too: a key works any number of times, and HEAD, which Fastify adds, does nothing.
  scope.get("/open", { schema: { hide: true } }, async (request, reply) => {
    if (request.method === "HEAD") return reply.code(200).send();
    const { key }: { key?: unknown } = Object(request.query);
    const order = typeof key === "string" ? await findKeyOrder(db, key) : undefined;
    if (!order) return reply.page(findPage, await viewFind({ reason: "find.unknown_key" }), 404);
    await addSessionOrder(db, await openSession(db, request, reply), order.id);
    return reply.redirect(afterOpening(request, orderPath(order.number)), 303);
  });

  scope.get("/find", { schema: { hide: true } }, async (_request, reply) =>
    reply.page(findPage, await viewFind({}), 200),
  );

  scope.post("/find", { schema: { hide: true, body: FindForm } }, async (request, reply) => {
    if (!(await takeSharedOf(db, "find", request.ip, FINDS_PER_HOUR)))
      throw new PageProblem("too-many-requests", { headers: { "Retry-After": "3600" } });
    const { number, email } = request.body;
    const [given, key] = [readOrderNumber(number), emailKey(email)];
    const number_error = given === "" ? "find.number_missing" : null;
    const email_error = key === undefined ? "find.email_missing" : null;
    if (number_error || key === undefined) {
      const wrong = [
        { field: "number", message: number_error },
        { field: "email", message: email_error },
      ];
      const errors = wrong.flatMap(({ field, message }) => (message ? [{ field, message }] : []));
      return reply.page(findPage, await viewFind({ number, email, errors, number_error, email_error }), 422);
    }
    await Promise.all([sendLink(db, given, key), sleep(FIND_MS)]);
    return reply.page(findPage, await viewFind({ sent: true }), 200);
  });
};

async function sendLink(db: Db, number: string, key: string): Promise<void> {
  const order = await findOrderOf(db, number, key);
  if (order !== undefined && (await takeShared(db, "find-order", String(order), LINKS_PER_HOUR)))
    await queueMail(db, order, "order_link");
}
