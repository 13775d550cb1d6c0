import { join } from "node:path";
import { buildApp } from "../../api/app.ts";
import type { AssistantFile } from "../../api/contract/built-files/assistant.ts";
import type { FeedProduct } from "../../api/contract/built-files/products.ts";
import type { Product, SearchFile } from "../../api/contract/built-files/search.ts";
import { openBuilds } from "../../api/platform/private-pages/builds.ts";
import { storeShopFacts } from "../../api/selling/shop/queries.ts";
import { step } from "../../nginx/local/report.ts";
import { CONTENT_PLACE, TITLE_PLACE } from "../../site/private-pages/frame-places.ts";
import { buildSessionFolder } from "../../site/private-pages/session-folder.ts";
import { searchGrammarIn } from "../../site/words/words-in.ts";
import { countBytes, followSearch } from "../api/people/search/opening.ts";
import { searchIndexOf } from "../api/people/search/search-file.ts";
import { shopFacts } from "../api/selling/quote/shop.ts";
import { colours, kinds } from "../catalogue-words.ts";
import { startDatabase } from "./api/database.ts";
import { inventProducts } from "./api/imports.ts";
import { interleave } from "./rounds.ts";
import { type Findings, percentile } from "./table.ts";

const PRODUCTS = 10_000;
const TOKEN = "the-token-of-the-benchs-assistant-0001";

/**
 * How long /search and the assistant's find_products take among 10,000 products, one request at a time, without a
 * network, and what it takes an API to open a new release's index.
 */
export async function benchSearch(): Promise<Findings> {
  const { app, sessionPages } = await step("search", async () => ({
    summary: `${PRODUCTS.toLocaleString("en-GB")} products indexed`,
    value: await openShop(),
  }));
  const calls = inventCalls();
  const pages = [...new Set(calls.flatMap(({ query }) => query ?? []))];
  const ask = (args: object) => () =>
    app.inject({
      method: "POST",
      url: "/api/assistant/tools/find_products",
      headers: { authorization: `Bearer ${TOKEN}` },
      payload: { conversation: "bench", arguments: args },
    });
  const show = (query: string) => () => app.inject(`/search?${new URLSearchParams({ q: query })}`);
  const { tool, page } = await interleave({
    tool: () => timeEach(calls.map(ask)),
    page: () => timeEach(pages.map(show)),
  });
  const { opening } = await interleave({ opening: () => measureOpening(sessionPages) });
  await app.close();
  const ofIndex = (what: string, unit: string, figure: keyof (typeof opening)[number]) => ({
    ...{ what: `The search index of ${PRODUCTS.toLocaleString("en-GB")} products: ${what}`, unit },
    ours: { name: "processor time, heap and what is outside", values: opening.map((each) => each[figure]) },
  });
  const row = (what: string, times: readonly number[][], share: number) => ({
    what: `${what} among ${PRODUCTS.toLocaleString("en-GB")} products: p${share * 100}`,
    unit: "ms",
    ours: { name: "processor time", values: times.map((each) => percentile(each, share)) },
  });
  return {
    rows: [
      row("find_products", tool, 0.5),
      { ...row("find_products", tool, 0.99), bar: { atMost: 20 } },
      row("/search", page, 0.5),
      row("/search", page, 0.99),
      ofIndex("opening", "ms", "processorMs"),
      { ...ofIndex("opening, at a stretch", "ms", "longestMs"), bar: { atMost: 50 } },
      { ...ofIndex("memory for a product", "bytes", "bytes"), bar: { atMost: 8_000 } },
    ],
  };
}

async function openShop() {
  const { folder, db } = await startDatabase();
  const facts = shopFacts();
  await storeShopFacts(db, facts);
  const sold = inventProducts(PRODUCTS);
  const out = join(folder, ".session");
  await buildSessionFolder({
    frame: `<!DOCTYPE html><title>${TITLE_PLACE}</title><main>${CONTENT_PLACE}</main>`,
    shop: facts,
    search: await searchIndexOf(describeSearch(sold)),
    assistant: JSON.stringify(describeCategories(sold)),
    out,
  });
  const app = buildApp({
    ...{ db, baseUrl: facts.base_url, pullTokens: [], rateLimitPerMinute: 0, builds: openBuilds(out) },
    assistant: { tokens: [TOKEN], identitySecrets: [] },
  });
  // Reading may take longer than a request has on a busy machine.
  for (let tries = 0; (await app.inject("/search?q=warm")).statusCode === 503; tries += 1)
    if (tries === 10) throw new Error(`The search isn't ready: ${(await app.inject("/api/health/ready")).payload}`);
  return { app, sessionPages: out };
}

/** What one opening takes, with the bytes that stay in memory for each product. */
async function measureOpening(sessionPages: string) {
  const before = await countBytes();
  const { index, ...taken } = await followSearch(sessionPages)();
  const bytes = ((await countBytes()) - before) / PRODUCTS;
  if (index.size < PRODUCTS) throw new Error("The index lacks products.");
  return { ...taken, bytes };
}

function describeSearch(sold: readonly FeedProduct[]): SearchFile {
  return {
    ...{
      base_url: "https://shop.example",
      sells_online: true,
      sales_email: "sales@shop.example",
      tax_name: "VAT",
    },
    currency: ["EUR", "€"],
    language: searchGrammarIn("en-GB"),
    synonyms: [["USB-C", "USB"]],
    categories: kinds.map(({ slug, title, noun }) => ({
      ...{
        slug,
        path: `/categories/${slug}`,
        title,
        summary: `Every ${noun}.`,
        also_called: [],
        instead_of: [],
        told_apart_by: [],
      },
    })),
    products: sold.map(describeProduct),
    pages: [],
  };
}

function describeProduct({
  slug,
  title,
  brand,
  category,
  description,
  specifications,
  variants,
}: FeedProduct): Product {
  const path = `/products/${slug}`;
  return {
    ...{ slug, path, title, brand: brand ?? "", category, summary: description, specifications },
    ...{ also_called: [], works_with: 0, text: `${description}\n${description}` },
    facts: { works_with: [], does_not_work_with: [], documents: [] },
    versions: variants.map(({ sku, gtin, barcode, price, availability, available_from, options }) => ({
      ...{ sku, gtin, barcode, picture: null, availability, available_from, path: `${path}?sku=${sku}` },
      price: { net: price, gross: price },
      title: Object.values(options).join(" / ") || null,
      specifications: Object.entries(options).map(([name, value]) => ({ name, value })),
    })),
  };
}

/** Each category can be narrowed by its versions' colours. */
function describeCategories(sold: readonly FeedProduct[]): AssistantFile {
  const skusIn = (category: string, colour: string) =>
    sold
      .filter((product) => product.category === category)
      .flatMap(({ variants }) => variants.filter(({ options }) => options["Colour"] === colour).map(({ sku }) => sku));
  return {
    categories: kinds.map(({ slug }) => ({
      slug,
      products: sold.filter(({ category }) => category === slug).map((product) => product.slug),
      facets: [{ name: "Colour", values: colours.map((value) => ({ value, skus: skusIn(slug, value) })) }],
    })),
    passages: [],
  };
}

const ANYTHING = {
  ...{ query: null, category: null, facets: null, max_price: null, max_price_includes_tax: null },
  ...{ in_stock: null, limit: null },
};

/** What customers ask for: kinds, with values, slips and conditions; SKUs; categories; and what the shop doesn't have. */
const inventCalls = () =>
  kinds.flatMap(({ noun, slug, facts }, place) => [
    { ...ANYTHING, query: noun },
    { ...ANYTHING, query: `a ${noun} for a small shop that is quiet and quick to set up` },
    { ...ANYTHING, query: noun.replace(/(.)(.)$/, "$2$1"), in_stock: true },
    { ...ANYTHING, query: `${noun} usb-c black`, max_price: "300.00" },
    { ...ANYTHING, query: `${noun} ${facts[0]?.[0] ?? ""}`, max_price: "500.00", max_price_includes_tax: true },
    { ...ANYTHING, query: `K${place + 1} ${noun}` },
    { ...ANYTHING, query: `K-${place + 1}-1` },
    { ...ANYTHING, query: "usb" },
    { ...ANYTHING, query: `${noun} xyzzyqux` },
    { ...ANYTHING, query: `${noun} `.repeat(20), max_price: "1.00" },
    { ...ANYTHING, category: slug },
    { ...ANYTHING, category: slug, facets: [{ name: "Colour", value: colours[0] }], max_price: "100.00" },
  ]);

/** Milliseconds of this thread's processor time for each request, three times each: it works alone, and other load doesn't count. */
async function timeEach(
  requests: readonly (() => Promise<{ statusCode: number; payload: string }>)[],
): Promise<number[]> {
  const times: number[] = [];
  for (const request of [...requests, ...requests, ...requests]) {
    const begin = process.threadCpuUsage();
    const { statusCode, payload } = await request();
    const { user, system } = process.threadCpuUsage(begin);
    times.push((user + system) / 1_000);
    if (statusCode !== 200 && statusCode !== 303) throw new Error(payload);
  }
  return times;
}
