import Type from "typebox";
import type { Product } from "../../contract/built-files/search.ts";
import type { ShopFacts } from "../../contract/built-files/store.ts";
import type { ProductEntry } from "../../people/search/search-index.ts";
import { ApiError } from "../../platform/http/problem.ts";
import { readShopFacts } from "../../selling/shop/queries.ts";
import {
  adviseOnUnknown,
  type Catalogue,
  describeVariant,
  offerNow,
  readCatalogue,
  type Sold,
} from "../answers/catalogue.ts";
import { differingNames, specificationsOf } from "../answers/specifications.ts";
import { speakOffer } from "../answers/spoken-offer.ts";
import { defineTool, type ToolContext } from "../answers/tool.ts";

/** Says all that the shop knows of a product. */
export const productFacts = defineTool({
  name: "product_facts",
  description:
    "All facts of a product, by the SKU of a version or by its slug (the last part of its page's address): prices and availability of its versions, specifications, what it works with and doesn't, with reasons, and documents. With a SKU, `specifications` are that version's; with a slug, those that all versions share, and each version has those in which they differ. What isn't listed isn't known: don't guess.",
  arguments: Type.Object(
    {
      product: Type.String({
        minLength: 1,
        maxLength: 200,
        description: "A SKU, such as TAV-T40-BK, or a slug, such as tavrel-t40-cordless.",
      }),
    },
    { additionalProperties: false },
  ),
  example: { product: "tavrel-t40-cordless" },
  writes: false,
  async call(context, { product: name }) {
    const [shop, catalogue] = [await readShopFacts(context.db), await readCatalogue(context)];
    const sold = catalogue.search.findSku(name);
    const entry = sold?.entry ?? catalogue.search.findProduct(name);
    if (!entry) {
      const detail = `No product has this SKU or slug. ${adviseOnUnknown(catalogue, name)}`;
      throw new ApiError("unprocessable", detail, { errors: [{ in: "body", field: "arguments.product", detail }] });
    }
    const versions = await offerNow(
      context.db,
      entry.product.versions.map((variant) => ({ product: entry.product, variant })),
    );
    const named = versions.find(({ variant }) => variant.sku === sold?.variant.sku);
    return {
      result: describe(shop, catalogue, { entry, versions, named }),
      say: speak(context, shop, { versions, named }),
    };
  },
});

/** The versions of a product, and the one that was asked for. */
interface Asked {
  versions: readonly Sold[];
  named: Sold | undefined;
}

function describe(shop: ShopFacts, catalogue: Catalogue, { entry, versions, named }: Asked & { entry: ProductEntry }) {
  const { product, category } = entry;
  const { slug, path, title, brand, summary } = product;
  const differing = differingNames(versions);
  const [first] = versions;
  const shared = first ? specificationsOf(first).filter(({ name }) => !differing.has(name)) : [];
  return {
    ...{ slug, title, brand, summary, url: new URL(path, shop.base_url).href },
    category: category
      ? { slug: category.slug, title: category.title, url: new URL(category.path, shop.base_url).href }
      : null,
    sku: named?.variant.sku ?? null,
    specifications: named ? specificationsOf(named) : shared,
    versions: versions.map((each) => {
      const { title: _, ...facts } = describeVariant(shop, each);
      const { gtin, barcode } = each.variant;
      return {
        ...facts,
        gtin,
        barcode,
        specifications: specificationsOf(each).filter(({ name }) => differing.has(name)),
      };
    }),
    ...describeRelations(shop, catalogue, product),
  };
}

function describeRelations({ base_url }: ShopFacts, { search }: Catalogue, { slug, facts }: Product) {
  const { works_with, does_not_work_with, documents } = facts;
  const findOther = (other: string) => search.findProduct(other)?.product ?? [];
  const describeOther = ({ slug, title, path }: Product) => ({ slug, title, url: new URL(path, base_url).href });
  return {
    works_with: works_with.flatMap(({ slug: name, skus, reason, together_with }) =>
      [findOther(name)].flat().map((other) => ({
        ...describeOther(other),
        skus,
        with_own_skus: other.facts.works_with.find((fit) => fit.slug === slug)?.skus ?? [],
        reason,
        together_with,
      })),
    ),
    does_not_work_with: does_not_work_with.flatMap(({ slug: name, reason }) =>
      [findOther(name)].flat().map((other) => ({ ...describeOther(other), reason })),
    ),
    documents,
  };
}

function speak({ speech }: ToolContext, shop: ShopFacts, { versions, named }: Asked): string {
  const shown = named ?? versions[0];
  if (!shown) throw new Error("A product has no versions.");
  const { summary } = shown.product;
  const offer = speakOffer(speech, shop, shown);
  return named || versions.length === 1
    ? speech.say("assistant.facts.version", { summary, offer })
    : speech.say("assistant.facts.product", { summary, offer, count: versions.length });
}
