import { readFileSync } from "node:fs";
import type { ProductFacts } from "../../../api/contract/built-files/assistant.ts";
import type { Page, SearchFacts, SearchFile } from "../../../api/contract/built-files/search.ts";
import { shop } from "../../src/settings/shop.ts";
import { tellingApart } from "../../src/shop/card-facts.ts";
import { type Category, type Product, readCatalogue, versionsPath, writtenVariants } from "../../src/shop/catalogue.ts";
import { describeOptions, listTitle } from "../../src/shop/display-text.ts";
import { type Guide, readGuides } from "../../src/shop/guides.ts";
import { sellsOnline } from "../../src/shop/ordering.ts";
import { thumbnailPath } from "../../src/shop/raster-image.ts";
import { unitPrice } from "../../src/shop/tax.ts";
import { readTextPages, type TextPage } from "../../src/shop/text-pages.ts";
import { ownSpecifications } from "../../src/shop/version-specifications.ts";
import { absoluteUrl, guidePath, pagePath } from "../../urls/paths.ts";
import { currencyNamesIn, searchGrammarIn } from "../../words/words-in.ts";
import { isForDevelopers } from "./for-developers.ts";

/** The first line. Its pages have no texts until they are rendered (passages.ts). */
export type UnreadFacts = SearchFacts & { pages: Omit<Page, "text">[] };

/** What `.session/search.index` is made of, as lines of JSON: then come the products, a line each. */
export const GET = async () => {
  const [{ products, categories, topCategories }, guides, pages] = await Promise.all([
    readCatalogue(),
    readGuides(),
    readTextPages(),
  ]);
  const facts: UnreadFacts = {
    base_url: shop.base_url,
    sells_online: sellsOnline,
    sales_email: shop.sales_email,
    tax_name: shop.tax.name,
    currency: currencyNamesIn(shop.locale, shop.currency),
    language: searchGrammarIn(shop.locale),
    synonyms: shop.synonyms,
    categories: categories.map((category) => describeCategory(category, topCategories.includes(category))),
    pages: [
      ...guides.map((guide) => describePage("guide", guidePath(guide.id), guide)),
      ...pages
        .filter(({ id }) => id !== "home")
        .map((page) => describePage(isForDevelopers(page) ? "developers" : "page", pagePath(page.id), page)),
    ],
  };
  const lines = [`${JSON.stringify(facts)}\n`];
  for (const product of products) lines.push(`${JSON.stringify(await describeProduct(product))}\n`);
  // In pieces, because a large shop's are too long for one text.
  return new Response(new Blob(lines), { headers: { "content-type": "application/jsonl" } });
};

function describeCategory(category: Category, is_in_header: boolean): SearchFile["categories"][number] {
  const { slug, path, name: title, summary, entry } = category;
  const { also_called, instead_of } = entry.data;
  return { slug, path, title, summary, also_called, instead_of, told_apart_by: tellingApart(category), is_in_header };
}

async function describeProduct(product: Product): Promise<SearchFile["products"][number]> {
  const { slug, path, brand, summary, category, listedIn, images, specifications, variants } = product;
  const { worksWith, entry } = product;
  const pictures = await Promise.all(images.map(({ src }) => thumbnailPath(src)));
  return {
    ...{ slug, path, title: listTitle(product), brand, summary, specifications },
    category: category.slug,
    listed_in: listedIn.slice(1).map((each) => each.slug),
    also_called: entry.data.also_called,
    works_with: worksWith.length,
    text: plainText(entry),
    facts: describeFacts(product),
    // As content/ has them: the API knows what is in force, and a refresh leaves the index as it is (quick-build.ts).
    versions: writtenVariants(product).map((variant, index) => {
      const { sku, gtin, barcode, availability, available_from, options } = variant;
      return {
        ...{ sku, gtin, barcode, availability, available_from },
        price: unitPrice(variant, shop),
        path: versionsPath(product, variants.slice(index, index + 1)),
        title: describeOptions(variant) || null,
        picture: pictures[variant.image] ?? null,
        specifications: [
          ...Object.entries(options).map(([name, value]) => ({ name, value })),
          ...ownSpecifications(product, variant).filter(({ name }) => !(name in options)),
        ],
      };
    }),
  };
}

/** What the assistant says of a product. */
function describeFacts({ worksWith, doesNotWorkWith, documents }: Product): ProductFacts {
  return {
    works_with: worksWith.map(({ product, variants, reason, third }) => ({
      slug: product.slug,
      skus: variants.map(({ sku }) => sku),
      reason,
      together_with: third?.slug ?? null,
    })),
    does_not_work_with: doesNotWorkWith.map(({ product, reason }) => ({ slug: product.slug, reason })),
    documents: documents.map(({ kind, title, language, href }) => ({
      ...{ kind, title, language },
      url: absoluteUrl(href, shop.base_url),
    })),
  };
}

function describePage(
  kind: Page["kind"],
  path: string,
  { data: { title, summary } }: Guide | TextPage,
): UnreadFacts["pages"][number] {
  return { kind, path, title, summary };
}

/**
 * A product's text and questions without Markdown, one paragraph, heading or table row a line. From its source, which has no
 * components: the HTML would take several times as long, and each build reads those of all products.
 */
function plainText({ filePath = "", data }: Product["entry"]): string {
  // Astro runs in site/, and doesn't keep the texts of products.
  const body = readFileSync(filePath, "utf8")
    .replaceAll("\r\n", "\n")
    .replace(/^---\n.*?^---\n/ms, "");
  const asked = data.questions?.flatMap(({ question, answer }) => [question, answer]) ?? [];
  return [withoutCode(body), ...asked]
    .join("\n\n")
    .split(/\n\s*\n|\n(?=\s*(?:[-*#>|]|\d+\.\s))/)
    .map(plainLine)
    .filter((line) => /[\p{L}\p{N}]/u.test(line))
    .join("\n");
}

const withoutCode = (body: string) => body.replaceAll(/^```.*?^```/gms, "");

const plainLine = (line: string) =>
  line
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/^\s*(?:[-*>]|#+|\d+\.)\s+/, "")
    .replaceAll(
      /\\([^\p{L}\p{N}\s])|\*+|`|\||(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu,
      (_all, escaped: string | undefined) => escaped ?? "",
    )
    .replaceAll("https://shop.example", shop.base_url)
    .replaceAll(/\s+/g, " ")
    .trim();
