import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import Type, { type Static } from "typebox";
import type { ShopFacts } from "../../contract/built-files/store.ts";
import { sellsOnline } from "../../contract/ways-to-pay.ts";
import type { Db } from "../../platform/database/pool.ts";
import type { OfBuild } from "../../platform/private-pages/builds.ts";
import { PageProblem } from "../../platform/private-pages/problem-page.ts";
import { findVariants, type Variant } from "../../selling/catalogue/variants.ts";
import { isOrderable, nameOf } from "../../selling/quote/quote.ts";
import { perUnit, priceAtHome } from "../../selling/quote/unit-price.ts";
import { readShopFacts } from "../../selling/shop/queries.ts";
import { writeItems } from "../basket/items.ts";
import { type Arranged, arrange, type Offer, type Reason, readChoices } from "./arrange.ts";
import type { Choice, Counter } from "./built-counter.ts";
import {
  type Chosen,
  type CounterView,
  counterMarkdown,
  counterPage,
  type OfferedVariant,
  type Offers,
} from "./views.ts";

/** Any other parameter is allowed: people follow links to which mailing programs have added theirs. */
const Parameter = Type.Union([Type.String(), Type.Array(Type.String())]);
const Query = Type.Object({ chosen: Type.Optional(Parameter), add: Type.Optional(Parameter) });

/**
 * GET /counter?chosen=SKU+SKU&add=SKU, where `add` is what a button chooses besides: “Build your counter”, for anyone. All
 * that is chosen is in the address, so it writes nothing and sets no cookie. nginx says in X-Face which face the client
 * wants, by the ending `.md`, which it takes off, or by Accept.
 */
export const counterRoutes: FastifyPluginAsyncTypebox<{ db: Db; counters: OfBuild<Counter | undefined> }> = async (
  app,
  { db, counters },
) => {
  app.get("", { schema: { hide: true, querystring: Query } }, async ({ query, headers }, reply) => {
    const counter = await counters.current();
    if (!counter) throw new PageProblem("not-found");
    const { choices, faults } = readChoices(counter, readSkus(query));
    const known = await findVariants(db, skusOf(choices));
    const isSold = ({ sku }: Choice) => (known.get(sku)?.availability ?? "archived") !== "archived";
    const sold = choices.filter(isSold);
    const gone = choices.filter((choice) => !isSold(choice));
    const arranged = arrange(counter, sold);
    const offered = arranged.steps.flatMap(({ offers, extras }) => [offers, ...extras.map((group) => group.offers)]);
    const variants = await findVariants(db, [...skusOf(sold), ...offered.flat().flatMap(({ skus }) => skus)]);
    const view = viewCounter(await readShopFacts(db), arranged, variants);
    const page = headers["x-face"] === "md" ? counterMarkdown : counterPage;
    const all = [...faults, ...gone.map(({ sku }) => ({ reason: "unknown" as const, name: sku })), ...view.faults];
    return reply.page(page, { ...view, faults: all }, sold.length === 0 && all.length > 0 ? 404 : 200);
  });
};

/** SKUs have no blanks. */
const readSkus = ({ chosen = [], add = [] }: Static<typeof Query>): string[] =>
  [chosen, add].flat().flatMap((text) => text.split(/\s+/).filter((sku) => sku !== ""));

const skusOf = (choices: readonly Choice[]): string[] => choices.map(({ sku }) => sku);

function viewCounter(
  shop: ShopFacts,
  { steps, fitting, misfits, cautions }: Arranged,
  variants: ReadonlyMap<string, Variant>,
): CounterView {
  const choices = [...fitting, ...misfits];
  const skus = skusOf(choices);
  const titleOf = ({ sku }: Choice) => variants.get(sku)?.product_title ?? sku;
  const describeReason = ({ with: choice, text }: Reason) => ({ name: titleOf(choice), text });
  const describeOffer = ({ summary, skus: own, reasons, cautions }: Offer): Offers["products"] => {
    const versions = own
      .flatMap((sku) => variants.get(sku) ?? [])
      .filter(({ availability }) => availability !== "archived");
    return versions.slice(0, 1).map((first) => ({
      ...describeProduct(first),
      reasons: reasons.map(describeReason),
      cautions: cautions.map(describeReason),
      summary: reasons.length > 0 ? null : summary,
      versions: versions.map((variant) => describeVariant(shop, variant, skus.includes(variant.sku))),
    }));
  };
  const describeOffers = (offers: readonly Offer[]): Offers => {
    const products = offers.flatMap(describeOffer);
    const versions = products.flatMap((product) => product.versions);
    return {
      products,
      count: new Set(products.map(({ path }) => path)).size,
      can_choose: versions.some(({ can_order, is_chosen }) => can_order && !is_chosen),
    };
  };
  const describeChoice = ({ sku }: Choice, reasons: readonly Reason[] = []): Chosen[] =>
    [variants.get(sku) ?? []].flat().map((variant) => ({
      ...describeProduct(variant),
      ...describeVariant(shop, variant, true),
      reasons: reasons.map(describeReason),
      others: skus.filter((other) => other !== sku).join(" "),
    }));
  const chosen = fitting.flatMap((choice) => describeChoice(choice));
  const lines = chosen.filter(({ can_order }) => can_order);
  const order = lines.map(({ sku, quantity }) => ({ sku, quantity }));
  // Markdown would escape a star.
  const query = new URLSearchParams({ chosen: skus.join(" ") }).toString().replaceAll("*", "%2A");
  const [first] = steps;
  const hasFirst = first?.choice !== undefined;
  return {
    url: `${shop.base_url}/counter${skus.length > 0 ? `?${query}` : ""}`,
    origin: shop.base_url,
    faults: chosen.flatMap(({ sku, can_order }) =>
      can_order ? [] : { reason: "out_of_stock" as const, name: nameOf(sku, variants.get(sku)) },
    ),
    steps: steps.map((step) => ({
      slug: step.slug,
      title: step.title,
      chosen: (step.choice && describeChoice(step.choice, step.choice.reasons)[0]) ?? null,
      others: skusOf(choices.filter(({ category }) => category !== step.slug)).join(" "),
      offers: describeOffers(step.offers),
      is_open: !step.choice && (hasFirst || step === first),
      extras: step.extras.map(({ title, offers }) => ({ title, offers: describeOffers(offers) })),
    })),
    misfits: misfits.flatMap((choice) => describeChoice(choice)),
    cautions: cautions.map(({ choice, ...caution }) => ({ name: titleOf(choice), with: describeReason(caution) })),
    first_title: first?.title ?? "",
    has_first: hasFirst,
    skus: skus.join(" "),
    lines,
    total: priceAtHome(
      shop,
      lines.flatMap(({ sku, quantity }) => {
        const variant = variants.get(sku);
        return variant ? Array<Variant>(quantity).fill(variant) : [];
      }),
    ),
    in_stock: lines.filter(({ availability }) => availability === "in_stock").length,
    items: order.length > 0 ? writeItems(order) : null,
    sells_online: sellsOnline(shop),
    sales_email: shop.sales_email,
  };
}

const describeProduct = ({ product_title, path, picture }: Variant) => ({ name: product_title, path, picture });

const describeVariant = (shop: ShopFacts, variant: Variant, is_chosen: boolean): OfferedVariant => {
  const { sku, title, product_title, availability, available_from } = variant;
  const version = title === product_title ? null : title;
  const price = priceAtHome(shop, [variant]);
  const facts = { sku, version, availability, available_from, price, per_unit: perUnit(shop.currency, variant, price) };
  return { ...facts, quantity: variant.order_least, can_order: isOrderable(variant), is_chosen };
};
