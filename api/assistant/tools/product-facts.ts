import Type from "typebox";
import type { Product } from "../../contract/built-files/search.ts";
import type { ShopFacts } from "../../contract/built-files/store.ts";
import type { ProductEntry } from "../../people/search/search-index.ts";
import { ApiError } from "../../platform/http/problem.ts";
import { readShopFacts } from "../../selling/shop/queries.ts";
import { adviseOnUnknown, type Catalogue, describeVariant, readCatalogue, type Sold } from "../answers/catalogue.ts";
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
    return { result: describe(shop, catalogue, entry, sold), say: speak(context, shop, entry.product, sold) };
  },
});

function describe(shop: ShopFacts, catalogue: Catalogue, { product, category }: ProductEntry, sold: Sold | undefined) {
  const { slug, path, title, brand, summary } = product;
  const variants = product.versions.map((variant) => ({ product, variant }));
  const differing = differingNames(variants);
  const [first] = variants;
  const shared = first ? specificationsOf(first).filter(({ name }) => !differing.has(name)) : [];
  return {
    ...{ slug, title, brand, summary, url: shop.base_url + path },
    category: category ? { slug: category.slug, title: category.title, url: shop.base_url + category.path } : null,
    sku: sold?.variant.sku ?? null,
    specifications: sold ? specificationsOf(sold) : shared,
    versions: variants.map((each) => {
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
  const describeOther = ({ slug, title, path }: Product) => ({ slug, title, url: base_url + path });
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

function speak({ speech }: ToolContext, shop: ShopFacts, product: Product, sold: Sold | undefined): string {
  const { summary, versions: variants } = product;
  const [first] = variants;
  const shown = sold ?? (first && { product, variant: first });
  if (!shown) throw new Error(`${product.slug} has no versions.`);
  const offer = speakOffer(speech, shop, shown);
  return sold || variants.length === 1
    ? speech.say("assistant.facts.version", { summary, offer })
    : speech.say("assistant.facts.product", { summary, offer, count: variants.length });
}
