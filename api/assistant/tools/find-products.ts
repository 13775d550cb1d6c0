import Type, { type Static } from "typebox";
import type { CategoryFacts } from "../../contract/built-files/assistant.ts";
import type { Version } from "../../contract/built-files/search.ts";
import type { ShopFacts } from "../../contract/built-files/store.ts";
import { formatMoney, parseMoney } from "../../contract/money.ts";
import { canMeet, find, findOffered, findVariant } from "../../people/search/find.ts";
import { availabilityOf, type Offers, priceOf, readOffers, skusOf } from "../../people/search/offers.ts";
import type { ProductEntry, SearchIndex } from "../../people/search/search-index.ts";
import { explainHit } from "../../people/search/view-search.ts";
import { ApiError } from "../../platform/http/problem.ts";
import { readShopFacts } from "../../selling/shop/queries.ts";
import { type Catalogue, describeVariant, readCatalogue, type Sold } from "../answers/catalogue.ts";
import type { Speech } from "../answers/speech.ts";
import { speakOffer } from "../answers/spoken-offer.ts";
import { defineTool, type ToolContext } from "../answers/tool.ts";
import { Query, readQuery } from "./query.ts";

const strict = { additionalProperties: false };
const MOST = 8;
/** Products that are named aloud. */
const SPOKEN = 3;

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T, description: string, title: string) =>
  Type.Union([schema, Type.Null()], { description, title });

const Facet = Type.Object({ name: Type.String(), value: Type.String() }, strict);

const Arguments = Type.Object(
  {
    query: orNull(
      Query,
      "What is looked for, in the customer's words or by SKU, GTIN or barcode: at most 1,000 characters. Null for everything in a category.",
      "Write a text of at most 1,000 characters, or null.",
    ),
    category: orNull(Type.String(), "The slug of a category, or null for all.", "Write a category's slug, or null."),
    facets: orNull(
      Type.Array(Facet, { maxItems: 8 }),
      "Specifications that a version must have, at most 8, or null. `facets` of an answer has the names and values of its category.",
      "Write a list of at most 8 objects with `name` and `value`, or null.",
    ),
    max_price: orNull(
      Type.String({ pattern: "^(0|[1-9][0-9]{0,11})(\\.[0-9]{1,4})?$" }),
      'What one piece may cost at most in the shop\'s currency, as a text such as "199.00", or null.',
      'Write an amount in quotes, such as "199.00", or null.',
    ),
    max_price_includes_tax: orNull(
      Type.Boolean(),
      "Whether max_price is with tax. Null is without, as businesses compare prices.",
      "Write true, false or null.",
    ),
    in_stock: orNull(Type.Boolean(), "True: only what is in stock now.", "Write true, false or null."),
    limit: orNull(
      Type.Integer({ minimum: 1, maximum: MOST }),
      `How many products to answer with: 1 to ${MOST}; null for ${MOST}.`,
      `Write a whole number from 1 to ${MOST}, or null.`,
    ),
  },
  strict,
);
type Arguments = Static<typeof Arguments>;

/** A product that was found, with the version to show and why. */
interface Hit extends Sold {
  why: string;
}

/** Finds products as /search does, or lists a category as its page does, the best version of each. */
export const findProducts = defineTool({
  name: "find_products",
  description:
    "Finds products the way the shop's search page does, the best first, each as the version that fits the words and conditions best, with the reason. Prices are of one piece. A price or “in stock” in the words counts as a condition: `wish` says how it was understood, and whether any product meets it. An empty answer says how many products there would be without the conditions, and which categories there are.",
  arguments: Arguments,
  example: {
    ...{ query: "cordless scanner that reads QR codes", category: null, facets: null, max_price: "300.00" },
    ...{ max_price_includes_tax: false, in_stock: true, limit: 5 },
  },
  writes: false,
  async call(context, args) {
    const [shop, catalogue] = [await readShopFacts(context.db), await readCatalogue(context)];
    const category = args.category === null ? undefined : findCategory(catalogue, args.category);
    const meetsOthers = makeCondition(catalogue, args, category);
    const found = await findCandidates(catalogue, context, args.query, category);
    const { candidates, namedVersions, variantOf, explain, ...searched } = found;
    const offersOf = (those: typeof candidates) =>
      readOffers(
        context.db,
        skusOf(
          catalogue.search,
          those.map(({ entry }) => entry),
        ),
      );
    const allOffers = args.in_stock || args.max_price !== null ? await offersOf(candidates) : undefined;
    const isOffered = allOffers && makeOfferCondition(catalogue.search, args, allOffers);
    const meets: Condition = (version) => meetsOthers(version) && (isOffered?.(version) ?? true);
    const meeting = candidates.filter((entry) => canMeet(namedVersions, entry, meets));
    const shown = meeting.slice(0, args.limit ?? MOST);
    const offers = allOffers ?? (await offersOf(shown));
    const hits = shown.flatMap(({ entry, versions }): Hit[] => {
      const variant = variantOf(entry, offers, (each) => versions.includes(each) && meets(each));
      return variant ? [{ product: entry.product, variant, why: explain(entry, variant) }] : [];
    });
    const total = meeting.length;
    const result = {
      products: hits.map(({ why, ...sold }) => ({ ...describeVariant(shop, sold), why })),
      total,
      total_without_conditions: candidates.length,
      ...searched,
      facets: category ? category.facets.map(describeFacet) : null,
      categories: total > 0 ? null : catalogue.search.facts.categories.map(({ slug, title }) => ({ slug, title })),
    };
    const spoken = { hits, total, without: candidates.length, ...searched };
    return { result, say: speak(context, shop, catalogue, spoken) };
  },
});

const describeFacet = ({ name, values }: CategoryFacts["facets"][number]) => ({
  name,
  values: values.map(({ value }) => value),
});

function findCategory({ file }: Catalogue, slug: string): CategoryFacts {
  const category = file.categories.find((each) => each.slug === slug);
  if (category) return category;
  const slugs = file.categories.map((each) => each.slug).join(", ");
  throw new ApiError("unprocessable", `No category has this slug. Write one of ${slugs}, or null.`, {
    errors: [{ in: "body", field: "arguments.category", detail: "Write a category's slug, or null." }],
  });
}

/** Of a version, by its number in the index. */
type Condition = (version: number) => boolean;

/** What a version must meet besides the words, its price and its availability. */
function makeCondition(
  { search, file }: Catalogue,
  { facets }: Arguments,
  category: CategoryFacts | undefined,
): Condition {
  const allowed = (facets ?? []).map((facet, place) =>
    variantsWith(category ? [category] : file.categories, facet, place),
  );
  return (version) => allowed.length === 0 || isInAll(search, version, allowed);
}

/** Whether a version can be had for as much and as soon as was asked for. */
function makeOfferCondition(
  search: SearchIndex,
  { max_price, max_price_includes_tax, in_stock }: Arguments,
  offers: Offers,
): Condition {
  const most = max_price === null ? undefined : parseMoney(max_price);
  return (version) => {
    if (in_stock && availabilityOf(search, version, offers) !== "in_stock") return false;
    if (most === undefined) return true;
    const { net, gross } = priceOf(search, version, offers);
    return (max_price_includes_tax ? gross : net) <= most;
  };
}

function isInAll(search: SearchIndex, version: number, lists: readonly ReadonlySet<string>[]): boolean {
  const sku = search.skuOf(version);
  return lists.every((skus) => skus.has(sku));
}

/** The versions that a facet leaves. Throws ApiError with what there is. */
function variantsWith(
  categories: readonly CategoryFacts[],
  { name, value }: Static<typeof Facet>,
  place: number,
): ReadonlySet<string> {
  const refuse = (field: string, detail: string) =>
    new ApiError("unprocessable", "A facet isn't one of the shop's. See `errors`.", {
      errors: [{ in: "body", field: `arguments.facets.${place}.${field}`, detail }],
    });
  const facets = categories.flatMap((category) => category.facets);
  const named = facets.filter((facet) => isSame(facet.name, name));
  if (named.length === 0) throw refuse("name", `Write one of ${list(facets.map((facet) => facet.name))}.`);
  const values = named.flatMap((facet) => facet.values);
  const matching = values.filter((each) => isSame(each.value, value));
  if (matching.length === 0) throw refuse("value", `Write one of ${list(values.map((each) => each.value))}.`);
  return new Set(matching.flatMap(({ skus }) => skus));
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.trim().toLowerCase();

const list = (texts: readonly string[]) => [...new Set(texts)].map((text) => JSON.stringify(text)).join(", ") || "none";

/** What a search or a category has, whatever the conditions. */
interface Candidates {
  /** Products, the best first, and of which of their versions it is true. */
  candidates: { entry: ProductEntry; versions: readonly number[] }[];
  /** Those of a product's versions that the words mean. */
  namedVersions: ReturnType<typeof find>["namedVersions"];
  variantOf: ReturnType<typeof find>["variantOf"];
  explain(entry: ProductEntry, variant: Version): string;
  is_spelling_corrected: boolean;
  makers_not_sold: string[];
  /** What the words say of price and stock; if nothing meets it, the products are the nearest. */
  wish: { min_price_net: string | null; max_price_net: string | null; in_stock: boolean; is_met: boolean } | null;
}

const AS_WRITTEN = { is_spelling_corrected: false, makers_not_sold: [], wish: null };

const describeWish = ({ least, most, isInStock, isMet }: NonNullable<ReturnType<typeof find>["wish"]>) => ({
  min_price_net: least === undefined ? null : formatMoney(least, 0),
  max_price_net: most === undefined ? null : formatMoney(most, 0),
  in_stock: isInStock,
  is_met: isMet,
});

/** Finds by words or code, or lists a category in the order of its page. */
async function findCandidates(
  { search }: Catalogue,
  { db, speech }: ToolContext,
  text: string | null,
  category: CategoryFacts | undefined,
): Promise<Candidates> {
  if (category && text === null) {
    const entries = category.products.flatMap((slug) => search.findProduct(slug) ?? []);
    const candidates = entries.map((entry) => ({ entry, versions: entry.versions }));
    const { namedVersions, variantOf } = find(search, "");
    return {
      candidates,
      namedVersions,
      variantOf,
      explain: ({ product }) => product.summary,
      ...AS_WRITTEN,
    };
  }
  const query = readQuery(text ?? "", " in `query`, or choose a `category`");
  const isInCategory = ({ categories }: ProductEntry) =>
    !category || categories.some(({ slug }) => slug === category.slug);
  const named = findVariant(search, query);
  if (named) {
    const { namedVersions, variantOf } = find(search, "");
    const candidates = [named.entry].filter(isInCategory).map((entry) => ({ entry, versions: [named.number] }));
    const explain = () => speech.say("assistant.products.named");
    return { candidates, namedVersions, variantOf, explain, ...AS_WRITTEN };
  }
  const found = await findOffered(search, query, (skus) => readOffers(db, skus));
  const entries = found.hits.filter((entry) => entry.kind === "product").filter(isInCategory);
  const { wish } = found;
  return {
    candidates: entries.map((entry) => ({
      entry,
      versions: wish?.isMet ? entry.versions.filter(wish.meets) : entry.versions,
    })),
    namedVersions: found.namedVersions,
    variantOf: found.variantOf,
    explain: (entry, variant) => explainHit(found, entry, variant),
    ...{ is_spelling_corrected: found.mended !== undefined, makers_not_sold: found.makers },
    wish: wish ? describeWish(wish) : null,
  };
}

function speak(
  { speech }: ToolContext,
  shop: ShopFacts,
  { search: { facts } }: Catalogue,
  found: { hits: readonly Hit[]; total: number; without: number } & Pick<Candidates, "makers_not_sold" | "wish">,
): string {
  const { hits, total, without, makers_not_sold: makers, wish } = found;
  const say = (word: string, values: Parameters<Speech["say"]>[1]) => speech.say(`assistant.products.${word}`, values);
  const notSold = makers.length > 0 ? [say("not_sold", { makers: makers.join(", ") })] : [];
  if (total > 0) {
    const best = hits.slice(0, SPOKEN).map((hit) => speakOffer(speech, shop, hit));
    const word = wish?.is_met === false ? "nearest" : makers.length > 0 ? "instead" : "found";
    return [...notSold, say(word, { count: total, best: best.join("; ") })].join(" ");
  }
  const categories = speech.list(facts.categories.filter(({ is_in_header }) => is_in_header).map(({ title }) => title));
  const nothing = without > 0 ? say("too_strict", { count: without }) : say("nothing", { categories });
  return [...notSold, nothing].join(" ");
}
