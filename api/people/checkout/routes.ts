import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyReply, FastifyRequest } from "fastify";
import Type from "typebox";
import type { ShopFacts } from "../../contract/built-files/store.ts";
import { DAY_MS } from "../../contract/duration.ts";
import { WayToPay } from "../../contract/schemas.ts";
import { addressCountry, territoryOf } from "../../contract/territories.ts";
import { sellsOnline } from "../../contract/ways-to-pay.ts";
import type { Db } from "../../platform/database/pool.ts";
import type { StoredVatCheck } from "../../platform/database/tables.ts";
import { hasUnknownOutcome } from "../../platform/database/transaction.ts";
import { COUNTED_FOR_MS, takeSharedOf } from "../../platform/http/shared-limits.ts";
import { PageProblem } from "../../platform/private-pages/problem-page.ts";
import { findSession, renewSession } from "../../platform/private-pages/session.ts";
import { pieceRuleOf } from "../../selling/catalogue/variants.ts";
import type { FollowUp } from "../../selling/orders/place-order.ts";
import { orderPath } from "../../selling/orders/to-order.ts";
import { isPayable } from "../../selling/payments/amounts.ts";
import { findNextAddress } from "../../selling/payments/open-page.ts";
import type { Payments } from "../../selling/payments/settle.ts";
import { deliveryCountries, deliveryZone, nameOf } from "../../selling/quote/quote.ts";
import { readVatNumber } from "../../selling/quote/vat-number.ts";
import { checkVatNumber } from "../../selling/quote/vies.ts";
import { readShopFacts } from "../../selling/shop/queries.ts";
import { TooFewLeft } from "../../selling/stock/ledger.ts";
import { CostQuery, readAsked } from "../basket/asked.ts";
import { BasketChanged, type BasketLine, readBasket } from "../basket/queries.ts";
import { DetailsForm, EMPTY_FORM, type FieldFaults, isCollecting, readDetails, toForm } from "./details.ts";
import {
  isTooMany,
  lineKey,
  makeOffer,
  type OrderableLine,
  orderableLines,
  readShown,
  SHOWN_PATTERN,
  waysToPayOffer,
} from "./offer.ts";
import { placeCheckout } from "./place.ts";
import {
  type Checkout,
  chooseMethod,
  findLastCheckout,
  findLastOrder,
  findOpenCheckout,
  findPlacedOrder,
  saveCheckout,
} from "./queries.ts";
import { Turns } from "./turns.ts";
import {
  checkoutPage,
  type Obstacle,
  outcomePage,
  type ReviewView,
  reviewPage,
  viewChanges,
  viewCheckout,
  viewOffer,
} from "./views.ts";

interface CheckoutOptions {
  db: Db;
  /** Where VIES is; undefined: nobody is asked. */
  vatCheckUrl: string | undefined;
  /** What follows from an order in its transaction, such as mails. */
  followUp: FollowUp;
  /** Undefined where cards aren't taken. */
  payments: Payments | undefined;
  /** Orders that one address may place in an hour. */
  placementsPerHour: number;
}

/** A COMMIT without an answer is given up after 9 s (database/pool.ts): then there is time to look. */
const PLACING_TIMEOUT_MS = 20_000;
/**
 * Of one process. They write one after the other (database/sequence.ts); more at once would only wait for each other
 * until the database gives up, with connections that other pages need.
 */
const PLACED_AT_ONCE = 4;
/** Then there is time to place it before PLACING_TIMEOUT_MS. */
const TURN_WITHIN_MS = 8_000;
const VAT_CHECKS_PER_HOUR = 30;
const VAT_CHECK_TIMEOUT_MS = 3_000;
/** How long an answer of VIES about a number holds. */
const VAT_CHECK_KEPT_MS = DAY_MS;

/** Counts end an hour after their first request, so at the latest then. */
const RETRY_AFTER = String(COUNTED_FOR_MS / 1_000);

const strict = { additionalProperties: false };
const Id = Type.String({ pattern: "^[1-9][0-9]{0,15}$" });
const placing = {
  payment: WayToPay,
  quote: Type.String({ pattern: "^[\\w-]{43}$" }),
  shown: Type.String({ pattern: SHOWN_PATTERN }),
};
/** `method` is missing where there is nothing to choose; one that the shop doesn't have is shown as such, as in an address. */
const PlaceForm = Type.Object({ checkout: Id, ...placing, method: Type.Optional(Type.String()) }, strict);
/** The same form, sent by the button beside the ways of delivery. */
const MethodForm = Type.Object(
  { checkout: Id, ...Type.Partial(Type.Object(placing)).properties, method: Type.String() },
  strict,
);
const ReviewQuery = Type.Object({ checkout: Type.Optional(Id) });

/** GET and POST /checkout, GET /checkout/review, POST /checkout/method and POST /checkout/place. */
export const checkoutRoutes: FastifyPluginAsyncTypebox<CheckoutOptions> = async (app, options) => {
  const { db, followUp, payments, placementsPerHour } = options;
  const turns = new Turns(PLACED_AT_ONCE, TURN_WITHIN_MS);

  const leadToOrder = async (request: FastifyRequest, reply: FastifyReply, number: string) =>
    reply.redirect(await findNextAddress(payments, number, request), 303);

  /** The review page; what doesn't hold any more of the details is asked for again. */
  const showOffer = (
    reply: FastifyReply,
    situation: Situation,
    checkout: Checkout,
    shown: string | undefined,
    status: number,
  ) => {
    const faults = situation.obstacle === null ? findExpired(situation.shop, checkout) : undefined;
    if (faults) {
      const form = offerMethod(situation.shop, toForm(checkout.details));
      return reply.page(checkoutPage, viewCheckout(situation, form, faults), 422);
    }
    const view = viewReview(situation, checkout, shown);
    if (payments && view.offer?.ways_to_pay.includes("card")) reply.header("Payment-Origin", payments.pageOrigin);
    return reply.page(reviewPage, view, status);
  };

  app.get("", { schema: { hide: true, querystring: CostQuery } }, async (request, reply) => {
    const session = await findSession(db, request);
    const situation = await readSituation(options, session);
    const last = session === undefined ? undefined : await findLastCheckout(db, session);
    const { country, method } = readAsked(request.query);
    const chosen = countryToChoose(situation.shop, country ?? "");
    // Until somebody chooses, the basket and the summary have the prices of the shop's own country.
    const filled: DetailsForm = last
      ? withCountry(toForm(last.details), chosen)
      : {
          ...EMPTY_FORM,
          country_code: country === undefined ? countryToChoose(situation.shop, situation.shop.tax.home) : chosen,
        };
    const form = offerMethod(situation.shop, { ...filled, ...(method !== undefined && { method }) });
    const place = form.postal_code === "" ? country : undefined;
    return reply.page(checkoutPage, viewCheckout(situation, form, {}, place), 200);
  });

  app.post("", { schema: { hide: true, body: DetailsForm } }, async (request, reply) => {
    const session = await renewSession(db, request, reply);
    const situation = await readSituation(options, session);
    const { shop, obstacle } = situation;
    if (session === undefined || obstacle !== null) return reply.redirect("/checkout", 303);
    const form = offerMethod(shop, request.body);
    // The form has the fields of the other choice: all that was entered stays, and is sent again.
    if (form.collects !== request.body.collects) return reply.page(checkoutPage, viewCheckout(situation, form), 200);
    const { details, faults } = readDetails(form, shop);
    if (faults) return reply.page(checkoutPage, viewCheckout(situation, form, faults), 422);
    // Of a number from outside the EU nobody is asked.
    const vat_check =
      details.vat_id === null || readVatNumber(details.vat_id) === undefined
        ? null
        : await findVatCheck(options, { session, vatId: details.vat_id, shop, ip: request.ip });
    if (vat_check === undefined)
      return reply
        .header("Retry-After", RETRY_AFTER)
        .page(checkoutPage, viewCheckout(situation, form, { vat_id: "checks" }), 429);
    await saveCheckout(db, session, { details, vat_check });
    return reply.redirect("/checkout/review", 303);
  });

  app.get("/review", { schema: { hide: true, querystring: ReviewQuery } }, async (request, reply) => {
    const session = await findSession(db, request);
    const situation = await readSituation(options, session);
    if (session === undefined) return reply.redirect("/checkout", 303);
    const asked = request.query.checkout;
    const placed = asked === undefined ? undefined : await findPlacedOrder(db, session, Number(asked));
    if (placed !== undefined) return reply.redirect(orderPath(placed), 303);
    const checkout = await findOpenCheckout(db, session);
    // Back after placing, or another tab: the basket went into an order.
    const last = checkout === undefined && situation.basket.length === 0 ? await findLastOrder(db, session) : undefined;
    if (last !== undefined) return reply.redirect(orderPath(last), 303);
    if (checkout === undefined) return reply.redirect("/checkout", 303);
    return showOffer(reply, situation, checkout, undefined, 200);
  });

  // Reloading what the form answered, or opening its tab again.
  for (const path of ["/place", "/method"])
    app.get(path, { schema: { hide: true } }, async (_request, reply) => reply.redirect("/checkout/review", 303));

  app.post("/method", { schema: { hide: true, body: MethodForm } }, async (request, reply) => {
    const { checkout: id, method } = request.body;
    const session = await renewSession(db, request, reply);
    const checkout = session === undefined ? undefined : await findOpenCheckout(db, session);
    if (session === undefined || checkout?.id !== Number(id))
      return reply.redirect(`/checkout/review?checkout=${id}`, 303);
    await chooseMethod(db, session, checkout, method);
    return reply.redirect("/checkout/review#delivery", 303);
  });

  app.post(
    "/place",
    { schema: { hide: true, body: PlaceForm }, handlerTimeout: PLACING_TIMEOUT_MS },
    async (request, reply) => {
      const session = await renewSession(db, request, reply);
      if (session === undefined) return reply.redirect("/checkout", 303);
      const checkoutId = Number(request.body.checkout);
      const placed = await findPlacedOrder(db, session, checkoutId);
      if (placed !== undefined) return leadToOrder(request, reply, placed);
      if (!(await takeSharedOf(db, "placements", request.ip, placementsPerHour)))
        throw new PageProblem("too-many-requests", { headers: { "Retry-After": RETRY_AFTER } });
      const checkout = await findOpenCheckout(db, session);
      if (checkout?.id !== checkoutId) {
        // Another click may have placed it just now.
        const placed = await findPlacedOrder(db, session, checkoutId);
        if (placed !== undefined) return leadToOrder(request, reply, placed);
        // Expired, or of another browser.
        return reply.redirect(`/checkout/review?checkout=${checkoutId}`, 303);
      }
      let current = checkout;
      const answerChanged = async () => {
        const situation = await readSituation(options, session);
        // Another click may have emptied the basket by placing it.
        const placed = await findPlacedOrder(db, session, checkoutId);
        if (placed !== undefined) return leadToOrder(request, reply, placed);
        return showOffer(reply, situation, current, request.body.shown, 422);
      };
      /** Undefined if what was shown doesn't hold any more. */
      const placeShown = async () => {
        const { shop, lines, obstacle } = await readSituation(options, session);
        const offer = obstacle === null && !findExpired(shop, checkout) && makeOffer(shop, checkout, lines);
        if (offer && isTooMany(shop, offer)) return undefined;
        const { payment, quote, method, shown } = request.body;
        // What stays as the page had it wasn't chosen: it may be the default, or another tab has chosen since.
        if (offer && method && method !== (readShown(shown).method ?? offer.quote.shipping.code)) {
          // Chosen beside the sums of another: they are shown first.
          await chooseMethod(db, session, checkout, method);
          current = { ...checkout, details: { ...checkout.details, method } };
          return undefined;
        }
        if (!offer || offer.hash !== quote || !waysToPayOffer(shop, offer).includes(payment)) return undefined;
        const placing = { sessionId: session, checkout, quote: offer.quote, paymentMethod: payment };
        return placeCheckout(db, placing, followUp);
      };
      try {
        const number = await turns.take(placeShown);
        return number === undefined ? await answerChanged() : await leadToOrder(request, reply, number);
      } catch (error) {
        if (error instanceof BasketChanged || error instanceof TooFewLeft) return answerChanged();
        if (!hasUnknownOutcome(error)) throw error;
        request.log.warn("The COMMIT of an order wasn't confirmed.");
        return reply.page(outcomePage, { path: `/checkout/review?checkout=${checkoutId}` }, 503);
      }
    },
  );
};

interface Situation {
  shop: ShopFacts;
  basket: BasketLine[];
  /** What of it can be ordered. */
  lines: OrderableLine[];
  obstacle: Obstacle;
}

async function readSituation({ db, payments }: CheckoutOptions, session: number | undefined): Promise<Situation> {
  const facts = await readShopFacts(db);
  // The site may have been built with a key that this process lacks.
  const shop = { ...facts, card: facts.card && payments !== undefined && isPayable(facts.currency) };
  const basket = session === undefined ? [] : await readBasket(db, session);
  const lines = orderableLines(basket);
  return { shop, basket, lines, obstacle: findObstacle(shop, basket, lines) };
}

function findObstacle(shop: ShopFacts, basket: readonly BasketLine[], lines: readonly OrderableLine[]): Obstacle {
  if (!sellsOnline(shop)) return "closed";
  if (basket.length === 0) return "empty";
  if (lines.length === 0) return "sold_out";
  return lines.some(({ variant, quantity }) => pieceRuleOf(shop, variant, quantity)?.nearest) ? "pieces" : null;
}

/**
 * What doesn't hold any more of stored details, if anything: an address from before the shop's zones changed, or a VAT
 * number that was confirmed too long ago.
 */
function findExpired(shop: ShopFacts, { details, vat_check }: Checkout): FieldFaults | undefined {
  const { shipping_address } = details;
  const collects = isCollecting(details) && canCollect(shop);
  const { country_code: country = "", postal_code = null } = shipping_address ?? {};
  const isReached = collects || deliveryZone(shop, { country, postal_code }) !== undefined;
  const hasOldCheck = vat_check?.result === "valid" && !isFresh(vat_check);
  if (isReached && !hasOldCheck) return undefined;
  return {
    ...readDetails(offerMethod(shop, toForm(details)), shop).faults,
    ...(!collects && shipping_address === null && { method: "unserved" }),
    ...(hasOldCheck && { vat_id: "expired" }),
  };
}

const canCollect = ({ shipping }: ShopFacts): boolean => (shipping?.pickup ?? null) !== null;

/** A form with the fields of its way of delivery, and without a choice to collect where there is none. */
function offerMethod(shop: ShopFacts, { collects: _, ...form }: DetailsForm): DetailsForm {
  const isOffered = !isCollecting(form) || canCollect(shop);
  const offered = isOffered ? form : { ...form, method: "" };
  return isCollecting(offered) ? { ...offered, collects: "yes" } : offered;
}

/** The country of the form for a place that was chosen in the basket; Monaco is chosen as France where no zone names it. */
function countryToChoose(shop: ShopFacts, place: string): string {
  const country = addressCountry(place);
  return deliveryCountries(shop).includes(country) ? country : (territoryOf(place)?.country ?? "");
}

/** A form that was filled before, with the country that was chosen in the basket since: an address in another isn't theirs. */
const withCountry = (form: DetailsForm, country: string): DetailsForm =>
  country === "" || country === form.country_code || isCollecting(form)
    ? form
    : { ...form, address1: "", address2: "", postal_code: "", city: "", region: "", country_code: country };

/** The review page; `form` is `shown` of an earlier one, which doesn't hold any more. */
function viewReview({ shop, basket, lines, obstacle }: Situation, checkout: Checkout, form?: string): ReviewView {
  const shown = form === undefined ? undefined : readShown(form);
  const unavailable = basket
    .filter((line) => !(lines as readonly BasketLine[]).includes(line))
    .map(({ sku, variant }) => ({
      name: nameOf(sku, variant),
      was_shown: shown?.lines.has(lineKey(sku)) ?? false,
    }));
  const made = obstacle === null ? makeOffer(shop, checkout, lines) : undefined;
  const offer = made ? viewOffer(shop, checkout, made, shown, unavailable) : null;
  const view = {
    obstacle: obstacle ?? (made ? null : ("undeliverable" as const)),
    ...{ can_collect: canCollect(shop), sales_email: shop.sales_email, unavailable, offer },
  };
  return { ...view, errors: shown === undefined ? [] : viewChanges(view) };
}

/** What VIES says of a VAT number, now or within the last day; undefined if this address has asked too often. */
async function findVatCheck(
  { db, vatCheckUrl }: CheckoutOptions,
  { session, vatId, shop, ip }: { session: number; vatId: string; shop: ShopFacts; ip: string },
): Promise<StoredVatCheck | undefined> {
  const known = (await findLastCheckout(db, session))?.vat_check;
  if (known?.vat_id === vatId && known.result !== "unavailable" && isFresh(known)) return known;
  const mayAsk = vatCheckUrl === undefined || (await takeSharedOf(db, "vies", ip, VAT_CHECKS_PER_HOUR));
  if (!mayAsk) return undefined;
  const { registration: shopRegistration } = shop.tax;
  return checkVatNumber(vatId, { url: vatCheckUrl, timeoutMs: VAT_CHECK_TIMEOUT_MS, shopRegistration });
}

const isFresh = ({ checked_at }: StoredVatCheck) => Date.now() - Date.parse(checked_at) < VAT_CHECK_KEPT_MS;
