import { isDeepStrictEqual } from "node:util";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type, { type Static } from "typebox";
import { MAX_QUANTITY } from "../../contract/order-quantity.ts";
import { METHOD_CODE, PLACE } from "../../contract/patterns.ts";
import type { Db } from "../../platform/database/pool.ts";
import type { OfBuild } from "../../platform/private-pages/builds.ts";
import { PageProblem } from "../../platform/private-pages/problem-page.ts";
import {
  afterOpening,
  findSession,
  openSession,
  renewSession,
  requireCookie,
} from "../../platform/private-pages/session.ts";
import { findVariants, type PieceRule, pieceRuleOf, type Variant } from "../../selling/catalogue/variants.ts";
import { isOrderable, nameOf } from "../../selling/quote/quote.ts";
import { readShopFacts } from "../../selling/shop/queries.ts";
import { choiceFault } from "../product/choice-fault.ts";
import { type Choice, chooseVersion, readChosen } from "../product/choose-version.ts";
import { type Fault, fault } from "../product/views.ts";
import { CostQuery, readAsked } from "./asked.ts";
import { findFitting, type Relations } from "./fitting.ts";
import { type Item, MAX_LINES, parseItems, readQuantity, writeItems } from "./items.ts";
import { type Asked, faultOf, priceAt, priceItems } from "./priced-items.ts";
import { addToBasket, BasketFull, type BasketLine, readBasket, setQuantities } from "./queries.ts";
import { type Adding, type BasketView, basketPage } from "./views.ts";

const strict = { additionalProperties: false };

/** The country or territory of delivery that the page showed, and the way of it, if they were asked for. */
const asked = { country: Type.Optional(Type.String()), method: Type.Optional(Type.String()) };
const chosen = Type.Optional(Type.String());
/**
 * One version with its quantity as it was typed, by its SKU or by its product and the values of its options, or several in
 * a link's grammar.
 */
const Addition = Type.Union([
  Type.Object({ sku: Type.String(), quantity: Type.String(), ...asked }, strict),
  Type.Object(
    { product: Type.String(), o1: chosen, o2: chosen, o3: chosen, quantity: Type.String(), ...asked },
    strict,
  ),
  Type.Object({ items: Type.String(), ...asked }, strict),
]);

/** A basket has a field `quantity:SKU:quantity` for each line, whose name says what the page showed. */
const QUANTITY = "quantity:";

/** Any parameter is allowed: people follow links to which mailing programs have added theirs. */
const ShowQuery = Type.Object({ ...asked, added: Type.Optional(Type.String()), opened: Type.Optional(Type.String()) });

interface BasketOptions {
  db: Db;
  /** What goes together; undefined where the shop has no counter. */
  relations: Pick<OfBuild<Relations | undefined>, "current">;
}

/** GET /cart, POST /cart/lines and POST /cart/quantities. */
export const basketRoutes: FastifyPluginAsyncTypebox<BasketOptions> = async (app, { db, relations }) => {
  app.get("", { schema: { hide: true, querystring: ShowQuery } }, async (request, reply) => {
    requireCookie(request, request.query);
    const { added, ...asked } = request.query;
    const session = await findSession(db, request);
    const view = await viewBasket(db, session, asked);
    const known = added === undefined ? undefined : readAdded(added, view.lines);
    return reply.page(basketPage, { ...view, added: known ? await viewAdded(known, view) : null }, 200);
  });

  const viewAdded = async (added: readonly Item[], { lines }: BasketView): Promise<BasketView["added"]> => {
    const related = await relations.current();
    const [skus, all] = [added, lines].map((items) => items.map(({ sku }) => sku)) as [string[], string[]];
    return {
      lines: added.flatMap(({ sku, quantity }) =>
        lines.filter((line) => line.sku === sku).map(({ name, version }) => ({ name, version, quantity })),
      ),
      fitting: related ? await findFitting(db, await readShopFacts(db), related, skus, all) : [],
    };
  };

  // Reloading what a form answered, or opening its tab again.
  for (const path of ["/lines", "/quantities"])
    app.get(path, { schema: { hide: true } }, async (_request, reply) => reply.redirect("/cart", 303));

  app.post("/lines", { schema: { hide: true, body: Addition, querystring: CostQuery } }, async (request, reply) => {
    const { body } = request;
    const found = await findSession(db, request);
    const basket = found === undefined ? [] : await readBasket(db, found);
    const { items, errors, adding } =
      "product" in body ? await readChoice(db, body, basket) : await readAddition(db, body, basket);
    const { country, method } = readAsked({ ...request.query, ...body });
    const refuse = async (session: number | undefined, faults: Fault[]) =>
      reply.page(basketPage, await viewBasket(db, session, { country, method, errors: faults, adding }), 422);
    if (errors.length > 0) return refuse(await renewSession(db, request, reply), errors);
    const session = await openSession(db, request, reply);
    try {
      await addToBasket(db, session, items);
    } catch (error) {
      if (error instanceof BasketFull) return refuse(session, [fault("full", "")]);
      throw error;
    }
    const added = items.map(({ variant: { sku }, quantity }) => ({ sku, quantity }));
    return reply.redirect(afterOpening(request, basketPath({ country, method }, added)), 303);
  });

  const Fields = Type.Record(Type.String(), Type.String());
  app.post("/quantities", { schema: { hide: true, body: Fields } }, async (request, reply) => {
    const { country, method, remove, ...fields } = request.body;
    const removed = remove === undefined ? undefined : readItem(remove).sku;
    const typed = new Map<string, { text: string; shown: number }>();
    for (const [name, text] of Object.entries(fields)) {
      if (!name.startsWith(QUANTITY)) throw new PageProblem("bad-request");
      const { sku, quantity } = readItem(name.slice(QUANTITY.length));
      if (sku !== removed) typed.set(sku, { text, shown: quantity });
    }
    // Each one is a statement, and a form of 64 KiB could name thousands.
    if (typed.size > MAX_LINES) throw new PageProblem("bad-request");
    const session = await renewSession(db, request, reply);
    if (session !== undefined) {
      const changes = [...typed].map(([sku, { text, shown }]) => ({ sku, shown, quantity: readQuantity(text) }));
      // A quantity that the customer left alone isn't checked: the basket says what is wrong with it.
      const written = changes.filter(({ quantity, shown }) => quantity !== shown);
      if (written.some(({ quantity }) => quantity === undefined) || (await hasWrongPieces(db, written))) {
        const texts = new Map([...typed].map(([sku, { text }]) => [sku, text]));
        return reply.page(basketPage, await viewBasket(db, session, { country, method, texts }), 422);
      }
      // A quantity that the customer left alone isn't written, because another tab may have changed it.
      const changed = changes.flatMap(({ sku, shown, quantity = shown }) =>
        quantity === shown ? [] : [{ sku, quantity }],
      );
      if (removed !== undefined) changed.push({ sku: removed, quantity: 0 });
      if (changed.length > 0) await setQuantities(db, session, changed);
    }
    return reply.redirect(basketPath({ country, method }), 303);
  });
};

/** Versions that the basket's address names after they were added; more would be too long for a header. */
const MAX_ADDED = 10;
const MANY_ADDED = "many";

/**
 * The address of the basket with the cost of delivery to a country in some way, and with what was just added, in a link's
 * grammar. What isn't a code is left out, because nginx refuses a header as long as it could be.
 */
function basketPath({ country, method }: Asked, added: readonly Item[] = []): string {
  const query = [
    country !== undefined && new RegExp(PLACE).test(country) && `country=${country}`,
    method !== undefined && new RegExp(METHOD_CODE).test(method) && `method=${method}`,
    added.length > 0 && `added=${added.length > MAX_ADDED ? MANY_ADDED : writeItems(added)}`,
  ].filter(Boolean);
  return query.length > 0 ? `/cart?${query.join("&")}` : "/cart";
}

/** What an address says was added, as far as the basket has it; none of MANY_ADDED, undefined if it's not true. */
function readAdded(text: string, lines: BasketView["lines"]): Item[] | undefined {
  if (text === MANY_ADDED) return lines.length > MAX_ADDED ? [] : undefined;
  const has = (added: Item) =>
    lines.some(({ sku, quantity }) => sku === added.sku && Number(quantity) >= added.quantity);
  const known = (parseItems(text) ?? []).slice(0, MAX_ADDED).filter(has);
  return known.length > 0 ? known : undefined;
}

/** One `SKU:quantity`. */
function readItem(text: string): Item {
  const [item, ...others] = parseItems(text) ?? [];
  if (item === undefined || others.length > 0) throw new PageProblem("bad-request");
  return item;
}

type Addition = Static<typeof Addition>;
type KnownAddition = Exclude<Addition, { product: string }>;

/**
 * Finds the version that was chosen by its options. If it can't be had, the error names the nearest one that can, which
 * `adding` offers; where a value is missing, `adding` asks for it.
 */
async function readChoice(db: Db, body: Extract<Addition, { product: string }>, basket: readonly BasketLine[]) {
  const { product, quantity } = body;
  const choice = await chooseVersion(db, product, readChosen({ o1: body.o1, o2: body.o2, o3: body.o3 }));
  if (choice === undefined) return { items: [], errors: [fault("archived", product)], adding: null };
  const { variant, nearest } = choice;
  if (variant && isOrderable(variant)) return readAddition(db, { sku: variant.sku, quantity }, basket);
  const error = choiceFault(choice);
  if (error.reason === "choose") {
    const adding = askForChoice(choice, body);
    const field = adding.options.find(({ value }) => value === null)?.field ?? null;
    return { items: [], errors: [{ ...error, field }], adding };
  }
  const { errors, adding } = nearest
    ? await readAddition(db, { sku: nearest.sku, quantity }, basket)
    : { errors: [], adding: null };
  return { items: [], errors: [error, ...errors], adding };
}

const askForChoice = ({ name, options }: Choice, { product, quantity }: { product: string; quantity: string }) => ({
  ...{ name, sku: null, product, quantity, items: null, has_error: !readQuantity(quantity), pieces: null },
  options: options.map(({ name, values, value }, place) => ({
    field: `o${place + 1}`,
    name,
    values,
    value: value ?? null,
  })),
});

/** Whether a quantity, other than 0, isn't one in which its version is sold. */
async function hasWrongPieces(db: Db, items: readonly { sku: string; quantity: number | undefined }[]) {
  const [shop, variants] = await Promise.all([readShopFacts(db), findVariants(db, skusOf(items))]);
  return items.some(({ sku, quantity }) => {
    const variant = variants.get(sku);
    return Boolean(variant && quantity && pieceRuleOf(shop, variant, quantity)?.nearest);
  });
}

const skusOf = (items: readonly { sku: string }[]) => items.map(({ sku }) => sku);

/**
 * Reads what is to be added; with errors, `adding` is what can be sent again. The pieces in the basket count with those that
 * come to them.
 */
async function readAddition(db: Db, body: KnownAddition, basket: readonly BasketLine[]) {
  const wanted = "items" in body ? parseItems(body.items) : [{ sku: body.sku, quantity: readQuantity(body.quantity) }];
  if (wanted === undefined) throw new PageProblem("bad-request");
  const [shop, variants] = await Promise.all([readShopFacts(db), findVariants(db, skusOf(wanted))]);
  const errors: Fault[] = [];
  const items: { variant: Variant; quantity: number }[] = [];
  for (const { sku, quantity } of wanted) {
    const variant = variants.get(sku);
    const had = basket.find((line) => line.sku === sku)?.quantity ?? 0;
    const together = Math.min((quantity ?? 0) + had, MAX_QUANTITY);
    const pieces = variant && quantity ? pieceRuleOf(shop, variant, together) : null;
    const reason = faultOf(sku, variant);
    if (reason) errors.push(reason);
    else if (!quantity) errors.push(fault("quantity", nameOf(sku, variant), "adding"));
    else if (pieces?.nearest) {
      const field = "items" in body ? null : "adding";
      errors.push({ ...fault("pieces", nameOf(sku, variant), field), pieces, had, together });
      if ("items" in body) continue;
    }
    if (variant && !reason) items.push({ variant, quantity: quantity ?? 0 });
  }
  return { items, errors, adding: describeAddition(body, items, errors) };
}

function describeAddition(
  body: KnownAddition,
  items: readonly { variant: Variant; quantity: number }[],
  errors: readonly Fault[],
): Adding | null {
  const [first] = items;
  if (first === undefined) return null;
  const has_error = errors.some(({ reason }) => reason === "quantity" || reason === "pieces");
  if ("items" in body) {
    const rest = items.map(({ variant: { sku }, quantity }) => ({ sku, quantity }));
    return { ...NO_CHOICE, name: null, sku: null, quantity: "", items: writeItems(rest), has_error };
  }
  const { sku, quantity } = body;
  const wrong = errors.find(({ reason }) => reason === "pieces");
  // The nearest numbers are those of all in the basket.
  const pieces = wrong?.pieces && wrong.had > 0 ? { ...wrong.pieces, nearest: null } : (wrong?.pieces ?? null);
  return { ...NO_CHOICE, name: nameOf(sku, first.variant), sku, quantity, items: null, has_error, pieces };
}

const NO_CHOICE = { product: null, options: [], pieces: null };

interface BasketState extends Asked {
  errors?: Fault[];
  adding?: Adding | null;
  /** The quantities as they were typed, by SKU. */
  texts?: ReadonlyMap<string, string>;
}

async function viewBasket(
  db: Db,
  session: number | undefined,
  { country, method, errors = [], adding = null, texts = new Map() }: BasketState,
): Promise<BasketView> {
  const shop = await readShopFacts(db);
  const basket = session === undefined ? [] : await readBasket(db, session);
  const { items, delivery } = priceItems(shop, basket, { country, method });
  const priceWas = ({ variant, seen_price }: BasketLine) =>
    variant && seen_price !== variant.price ? priceAt(shop, variant, seen_price, delivery) : undefined;
  const piecesOf = (variant: Variant | undefined, pieces: PieceRule | null, text: string) => {
    const typed = readQuantity(text);
    // 0 takes the line out.
    return pieces && variant && typed ? pieceRuleOf(shop, variant, typed) : pieces && { ...pieces, nearest: null };
  };
  const lines = items.map(({ offered, ...line }, index) => {
    const was = offered.can_order ? priceWas(line) : undefined;
    const quantity = texts.get(line.sku) ?? offered.quantity;
    return {
      ...offered,
      quantity,
      item: writeItems([line]),
      id: `quantity-${index + 1}`,
      price_was: was === undefined || isDeepStrictEqual(was, offered.price) ? null : was,
      at_most: line.quantity === MAX_QUANTITY,
      pieces: piecesOf(line.variant, offered.pieces, quantity),
      has_error: readQuantity(quantity) === undefined,
    };
  });
  const faults = lines.flatMap(({ has_error, pieces, id, name, version: variant, quantity }): Fault[] => {
    const called = variant === null ? name : `${name}, ${variant}`;
    if (has_error) return [fault("quantity", called, id)];
    return pieces?.nearest ? [{ ...fault("pieces", called, id), pieces, together: Number(quantity) }] : [];
  });
  return { errors: [...errors, ...faults], added: null, adding, is_empty: lines.length === 0, lines, ...delivery };
}
