import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyRequest } from "fastify";
import Type from "typebox";
import { PageProblem } from "../../platform/private-pages/problem-page.ts";
import { ActRefused } from "../../selling/orders/act-refused.ts";
import { actOnOrder, isActDone, memberOf, type Seen, seenOf } from "../../selling/orders/acts.ts";
import { linesLeft } from "../../selling/orders/pieces.ts";
import type { FollowUp } from "../../selling/orders/place-order.ts";
import { findDocument } from "../../selling/orders/record-invoice.ts";
import { findNewRefunds, sendRefund } from "../../selling/payments/card-refunds.ts";
import type { Payments } from "../../selling/payments/settle.ts";
import { requireRight } from "../staff-member.ts";
import { ACT_FORMS, ACT_NAMES, type ActForm, type ActName, type Typed } from "./act-forms.ts";
import {
  type OrderFacts,
  type OrderStanding,
  readHistory,
  readLastCarrier,
  readOrderFacts,
  readStanding,
  type StaffOrderOptions,
} from "./read-standing.ts";
import { KEY, SEEN_HISTORY, seenField, type Tried, viewAct } from "./view-act.ts";
import { staffOrderPath, viewPaper, viewStaffOrder } from "./view-order.ts";
import { actPage, paperPage, type StaffOrderView, staffOrderPage } from "./views.ts";

interface Options extends Omit<StaffOrderOptions, "takesCards"> {
  followUp: FollowUp;
  /** Undefined where cards aren't taken. */
  payments: Payments | undefined;
}

/** How long an answer waits for Stripe; what takes longer goes on, and the page shows how it stands. */
const STRIPE_AWAITED_MS = 5_000;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const hide = { hide: true };
const OrderPath = Type.Object({ number: Type.String() });
const ActPath = Type.Object({ number: Type.String(), act: Type.String() });
const DocumentPath = Type.Object({ number: Type.String(), file: Type.String() });

/** /admin/orders/{number}, its forms and its papers. */
export const staffOrderRoutes: FastifyPluginAsyncTypebox<Options> = async (
  scope,
  { followUp, payments, ...options },
) => {
  const { db } = options;

  /** Throws the page that there is none. */
  const requireStanding = async (number: string): Promise<OrderStanding> => {
    const standing = await readStanding({ ...options, takesCards: payments !== undefined }, number);
    if (!standing) throw new PageProblem("not-found");
    return standing;
  };

  scope.get("/:number", { schema: { ...hide, params: OrderPath } }, async (request, reply) => {
    await requireRight(request, "orders");
    const standing = await requireStanding(request.params.number);
    const facts = await readOrderFacts(db, standing.order, options.pushes);
    return reply.page(staffOrderPage, viewStaffOrder(standing, facts, readResult(request, facts)), 200);
  });

  const showAct = async (name: ActName, standing: OrderStanding, chosen: Typed, tried?: Tried) => {
    const history = await readHistory(db, standing.order.id);
    return viewAct(name, standing, { lastHistory: history.at(-1)?.id ?? 0, chosen, tried });
  };

  scope.get("/:number/:act", { schema: { ...hide, params: ActPath } }, async (request, reply) => {
    await requireRight(request, "orders");
    const { number, act } = request.params;
    const name = requireAct(act);
    const standing = await requireStanding(number);
    const [chosen, carrier] = [textsOf(request.query), name === "sent" ? await readLastCarrier(db) : ""];
    const begun: Typed = (field) => chosen(field) || (field === "carrier" ? carrier : "");
    return reply.page(actPage, await showAct(name, standing, begun), 200);
  });

  scope.post("/:number/:act", { schema: { ...hide, params: ActPath } }, async (request, reply) => {
    const member = await requireRight(request, "orders");
    const { number } = request.params;
    const name = requireAct(request.params.act);
    const typed = textsOf(request.body);
    const key = typed(KEY);
    if (!UUID.test(key)) throw new PageProblem("bad-request");
    const standing = await requireStanding(number);
    const path = staffOrderPath(standing.order.number);
    if (await isActDone(db, key)) return reply.redirect(`${path}?done=again`, 303);
    const form = ACT_FORMS[name];
    const seen = readSeen(form, typed);
    const refuse = async (status: 409 | 422, why: Pick<Tried, "faults" | "refused">) => {
      const now = await requireStanding(number);
      const meanwhile = await readHistory(db, now.order.id, Number(typed(SEEN_HISTORY)) || 0);
      const hasChanged = hasMoved(seen, seenOf(now.order));
      const view = await showAct(name, now, typed, { typed, ...why, meanwhile, hasChanged });
      return reply.page(actPage, view, status);
    };
    const read = form.read(typed, standing, key);
    if ("faults" in read) {
      // A form that isn't offered any more has no field that could be filled in better.
      if (form.isOffered(standing)) return refuse(422, { faults: read.faults });
      const why = hasMoved(seen, seenOf(standing.order)) ? "changed" : "impossible";
      return refuse(409, { refused: `staff_order.refused.${why}` });
    }
    try {
      const { id } = standing.order;
      const done = await actOnOrder(db, { id }, read.act, { by: memberOf(member), seen, key, followUp });
      if (!done) throw new PageProblem("not-found");
      if (name === "card-refund" && payments) await sendRefunds(request, payments, id);
      return reply.redirect(`${path}?done=${done.isNew ? name : "again"}`, 303);
    } catch (error) {
      if (error instanceof ActRefused) return refuse(409, { refused: `staff_order.refused.${error.word}` });
      // A transition that isn't allowed, or an amount that the order can't have.
      if (error instanceof RangeError) return refuse(409, { refused: "staff_order.refused.transition" });
      throw error;
    }
  });

  for (const [address, title] of [
    ["packing-slip", "packing_slip"],
    ["pro-forma", "pro_forma"],
  ] as const)
    scope.get(`/:number/${address}`, { schema: { ...hide, params: OrderPath } }, async (request, reply) => {
      await requireRight(request, "orders");
      const standing = await requireStanding(request.params.number);
      const { order } = standing;
      const chosen = textsOf(request.query)("parcel");
      const parcel = order.fulfillments.find(({ id }) => String(id) === chosen);
      if (chosen !== "" && !parcel) throw new PageProblem("not-found");
      return reply.page(paperPage, viewPaper(standing, title, parcel?.lines ?? linesLeft(order)), 200);
    });

  scope.get("/:number/invoices/:file", { schema: { ...hide, params: DocumentPath } }, async (request, reply) => {
    await requireRight(request, "orders");
    const { number, file } = request.params;
    const { order } = await requireStanding(number);
    const [, position, form] = /^([1-9][0-9]?)\.(pdf|xml)$/.exec(file) ?? [];
    const found = form && (await findDocument(db, order.id, Number(position), form === "xml" ? "xml" : "pdf"));
    if (!found) throw new PageProblem("not-found");
    const name = `${number}-${found.number}`.replaceAll(/[^A-Za-z0-9]+/g, "-");
    reply.header("Content-Disposition", `attachment; filename="${name}.${form}"`);
    return reply.type(`application/${form}`).send(found.file);
  });
};

/** Throws the page that there is no such form. */
function requireAct(act: string): ActName {
  const name = ACT_NAMES.find((each) => each === act);
  if (!name) throw new PageProblem("not-found");
  return name;
}

/** What was sent by its name; "" for what wasn't, or was twice. */
function textsOf(sent: unknown): Typed {
  const fields: Record<string, unknown> = Object(sent);
  return (name) => {
    const text = Object.hasOwn(fields, name) ? fields[name] : "";
    return typeof text === "string" ? text : "";
  };
}

/** How the order was when the form was shown. Throws the page of a request that isn't our form's. */
function readSeen({ depends }: ActForm, typed: Typed): Seen {
  const parts = depends.map((part) => [part, typed(seenField(part))] as const);
  // Also what isn't an amount, which no form has.
  if (parts.some(([part, text]) => text === "" || (part === "due" && !/^\d{1,15}(\.\d{1,4})?$/.test(text))))
    throw new PageProblem("bad-request");
  return Object.fromEntries(parts);
}

const hasMoved = (seen: Seen, now: Required<Seen>): boolean =>
  (Object.keys(seen) as (keyof Seen)[]).some((part) => seen[part] !== now[part]);

function readResult({ query }: FastifyRequest, { cardRefunds }: OrderFacts): StaffOrderView["result"] {
  const done = textsOf(query)("done");
  const refund = cardRefunds.at(-1)?.state;
  // What Stripe said is known by then, unless its answer takes long.
  if (done === "card-refund" && (refund === "made" || refund === "refused")) return `staff_order.result.card_${refund}`;
  const name = done === "again" ? done : ACT_NAMES.find((each) => each === done);
  return name === undefined ? null : `staff_order.result.${name}`;
}

/** Asks Stripe at once; where it doesn't answer, the sweep asks again (selling/payments/sweep.ts). */
async function sendRefunds(request: FastifyRequest, payments: Payments, orderId: number): Promise<void> {
  const send = async () => {
    for (const id of await findNewRefunds(payments.db, orderId)) await sendRefund(payments, id);
  };
  const sending = send().catch((error: unknown) => {
    request.log.warn({ err: error }, "A refund by card couldn't be made; a later sweep tries again.");
  });
  await Promise.race([sending, sleep(STRIPE_AWAITED_MS)]);
}
