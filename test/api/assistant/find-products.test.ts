import { expect, test } from "vitest";
import { searchFile, searchProduct, searchVersion } from "../people/search/search-file.ts";
import { assistantFile } from "./assistant-file.ts";
import { startAssistant } from "./assistant-shop.ts";

const everything = {
  ...{ query: null, category: null, facets: null, max_price: null, max_price_includes_tax: null },
  ...{ in_stock: null, limit: null },
};

/** Looks for products in the small shop of searchFile(). */
async function startSearch(given: Parameters<typeof startAssistant>[0] = {}) {
  const { call, ...api } = await startAssistant(given);
  const search = async (args: object) => (await call("find_products", { ...everything, ...args })).json();
  const skus = async (args: object) => {
    const { result } = await search(args);
    return result.products.map(({ sku }: { sku: string }) => sku);
  };
  return { ...api, call, search, skus };
}

test("a hit is the version that fits the words, with both prices, availability, day, address and the reason", async () => {
  const { search } = await startSearch();
  const { result, say } = await search({ query: "white kestrel lanyard" });
  expect(result.products[0]).toEqual({
    ...{ sku: "KES-C2-WH", title: "Kestrel C2 cordless scanner", version: "White" },
    ...{ price_net: "147.93", price_gross: "179.00", currency: "EUR" },
    ...{ availability: "backorder", available_from: "2099-02-01" },
    url: "https://shop.example/products/kestrel-c2?sku=KES-C2-WH",
    why: "Yes, a lanyard is in the box with it.",
  });
  expect(say).toBe(
    "One product fits: Kestrel C2 cordless scanner, White for €147.93 plus VAT, on back-order, expected 1 February 2099.",
  );
});

test("what the shop has instead of a maker that it doesn't sell is said to be that, as the search page says it", async () => {
  const { search } = await startSearch();
  const { result, say } = await search({ query: "Epson printer" });
  expect(result.makers_not_sold).toEqual(["Epson"]);
  expect(say).toMatch(
    /^We don’t sell Epson\. 2 products do the same work\. The best: (?:Wren|Finch) \d\d receipt printer/,
  );
  const cheap = await search({ query: "Epson printer", max_price: "1" });
  expect(cheap.say).toMatch(/^We don’t sell Epson\. Nothing meets all of these conditions\./);
});

test("a SKU, GTIN or barcode finds its version alone, however it is written", async () => {
  const { search, skus } = await startSearch();
  for (const query of ["kes c2 wh", "KES-C2-WH"]) expect(await skus({ query })).toEqual(["KES-C2-WH"]);
  const { result } = await search({ query: "200000000017" });
  expect(result.products[0]).toMatchObject({ sku: "KES-C2-BK", why: expect.stringContaining("GTIN") });
});

test("conditions choose among a product's versions, not only among products", async () => {
  const { search, skus } = await startSearch();
  expect(await skus({ query: "c2" })).toEqual(["KES-C2-BK"]);
  expect(await skus({ query: "c2", max_price: "150.00" })).toEqual(["KES-C2-WH"]);
  expect(await skus({ query: "c2", max_price: "150", max_price_includes_tax: true })).toEqual([]);
  expect(await skus({ query: "c2", max_price: "179", max_price_includes_tax: true })).toEqual(["KES-C2-WH"]);
  expect(await skus({ query: "c2", facets: [{ name: "colour", value: "WHITE" }] })).toEqual(["KES-C2-WH"]);
  expect(await skus({ query: "c2", in_stock: true, facets: [{ name: "Colour", value: "White" }] })).toEqual([]);
  expect(await skus({ query: "scanner", facets: [{ name: "Reads", value: "2D" }] })).toEqual(["KES-C2-BK"]);
  const { result } = await search({ query: "cable", in_stock: true });
  expect(result.products.map(({ sku }: { sku: string }) => sku)).not.toContain("CABLE");
});

test("a price never leads to a version that can't do what was asked for", async () => {
  const reads = (value: string) => [{ name: "Reads", value }];
  const versions = [
    searchVersion("PIP-1D", { title: "1D", specifications: reads("1D"), price: { net: "73.55", gross: "89.00" } }),
    searchVersion("PIP-2D", {
      title: "2D",
      specifications: reads("1D, 2D, QR"),
      price: { net: "123.14", gross: "149.00" },
    }),
  ];
  const products = [searchProduct("pip", "Pip scanner", { versions })];
  const { skus, search } = await startSearch({ search: searchFile({ products }) });
  expect(await skus({ query: "pip that reads QR" })).toEqual(["PIP-2D"]);
  expect(await skus({ query: "pip", max_price: "100" })).toEqual(["PIP-1D"]);
  const { result } = await search({ query: "pip that reads QR", max_price: "100" });
  expect(result).toMatchObject({ products: [], total: 0, total_without_conditions: 1 });
});

test("without a query a category is listed as its page lists it, with what it can be narrowed by", async () => {
  const { search, skus } = await startSearch();
  const { result } = await search({ category: "barcode-scanners" });
  expect(result.products.map(({ sku }: { sku: string }) => sku)).toEqual(["MERLIN", "KES-C2-BK"]);
  expect(result.facets).toEqual([
    { name: "Reads", values: ["1D", "2D"] },
    { name: "Colour", values: ["Black", "White"] },
  ]);
  expect(await skus({ category: "receipt-printers", query: "printer for kestrel" })).not.toContain("KES-C2-BK");
  expect(await skus({ category: "barcode-scanners", limit: 1 })).toEqual(["MERLIN"]);
});

test("a category has what it lists of other folders, whatever the words", async () => {
  const { categories, products } = searchFile();
  const [scanners] = categories;
  const file = searchFile({
    categories: [...categories, ...(scanners ? [{ ...scanners, slug: "gifts", title: "Presents" }] : [])],
    products: products.map((each) => ({ ...each, listed_in: each.slug === "kestrel-c2" ? ["gifts"] : [] })),
  });
  const assistant = assistantFile();
  const { skus } = await startSearch({
    search: file,
    assistantFacts: {
      ...assistant,
      categories: [...assistant.categories, { slug: "gifts", products: ["kestrel-c2"], facets: [] }],
    },
  });
  expect(await skus({ category: "gifts", query: "scanner" })).toEqual(["KES-C2-BK"]);
  expect(await skus({ category: "receipt-printers", query: "scanner" })).not.toContain("KES-C2-BK");
});

test("an empty answer says how many there would be without the conditions, and which categories there are", async () => {
  const { search } = await startSearch();
  const { result, say } = await search({ query: "c2", max_price: "1" });
  expect(result).toMatchObject({ products: [], total: 0, total_without_conditions: 1 });
  expect(result.categories).toContainEqual({ slug: "receipt-printers", title: "Receipt printers" });
  expect(say).toContain("Without them there is one product");
  const nothing = await search({ query: "xyzzyqux" });
  expect(nothing.result).toMatchObject({ total: 0, total_without_conditions: 0 });
  expect(nothing.say).toBe("I found nothing like that. We sell: Barcode scanners, Receipt printers and Accessories.");
});

test("slips are mended, and makers that the shop doesn't sell are named", async () => {
  const { search } = await startSearch();
  const slip = await search({ query: "cordlss scaner" });
  expect(slip.result).toMatchObject({ is_spelling_corrected: true, products: [{ sku: "KES-C2-BK" }, {}] });
  const { result } = await search({ query: "epson" });
  expect(result).toMatchObject({ is_spelling_corrected: false, makers_not_sold: ["Epson"], total: 2 });
});

test("a wish in the words is a condition; where none meets it, the answer says so and has the nearest", async () => {
  const { search, skus } = await startSearch();
  const { result } = await search({ query: "scanner under 150" });
  expect(result).toMatchObject({ total: 1, products: [{ sku: "KES-C2-WH" }] });
  expect(result.wish).toEqual({ min_price_net: null, max_price_net: "150", in_stock: false, is_met: true });
  expect(await skus({ query: "scanner under 150", in_stock: true })).toEqual([]);
  const nearest = await search({ query: "scanner between 100 and 120 euros" });
  expect(nearest.result).toMatchObject({ total: 2, wish: { min_price_net: "100", is_met: false } });
  expect(nearest.say).toMatch(/^Nothing meets all of that\. This comes nearest: Kestrel C2/);
});

test("what a model gets wrong is refused with what to write instead, and no query breaks it", async () => {
  const { call } = await startSearch();
  const ask = async (args: object) => {
    const answer = await call("find_products", { ...everything, ...args });
    const { detail, errors = [], result } = answer.json();
    return { status: answer.statusCode, said: JSON.stringify([detail, errors]), result };
  };
  for (const query of [null, "", "   ", "?!", "\u0000"]) {
    const { status, said } = await ask({ query });
    expect([query, status, said]).toEqual([query, 422, expect.stringContaining("`category`")]);
  }
  expect(await ask({ query: "x".repeat(1_000) })).toMatchObject({ status: 200, result: { total: 0 } });
  expect(await ask({ query: "scanner ".repeat(125) })).toMatchObject({ status: 200, result: { total: 2 } });
  expect(await ask({ query: "x".repeat(1_001) })).toMatchObject({
    ...{ status: 400, said: expect.stringContaining("at most 1,000 characters") },
  });
  for (const [args, said] of [
    [{ category: "scanners" }, "barcode-scanners, receipt-printers, accessories"],
    [{ query: "x", facets: [{ name: "Reach", value: "1 m" }] }, '\\"Reads\\", \\"Colour\\"'],
    [{ query: "x", facets: [{ name: "Reads", value: "3D" }] }, '\\"1D\\", \\"2D\\"'],
    [{ query: "x", category: "accessories", facets: [{ name: "Reads", value: "2D" }] }, "arguments.facets.0.name"],
    [{ query: "x", max_price: 100 }, 'such as \\"199.00\\"'],
    [{ query: "x", max_price: "-1" }, 'such as \\"199.00\\"'],
    [{ query: "x", limit: 9 }, "1 to 8"],
    [{ query: "x", colour: "red" }, "arguments.colour"],
  ] as const) {
    const answer = await ask(args);
    expect([args, answer.status >= 400 && answer.status < 500, answer.said]).toEqual([
      ...[args, true],
      expect.stringContaining(said),
    ]);
  }
  for (const query of ["<script>alert(1)</script>", "](javascript:x)", "ürün 日本語 🤖", "' or 1=1 --", "{{ x | t }}"])
    expect([query, (await ask({ query })).status]).toEqual([query, 200]);
});

test("prices are those of the pages: net, and with tax where there is any", async () => {
  for (const gross of ["11.50", null]) {
    const versions = [searchVersion("BELL", { price: { net: "9.50", gross } })];
    const products = [searchProduct("bell", "Counter bell", { versions })];
    const { search } = await startSearch({ search: searchFile({ products }) });
    const { result, say } = await search({ query: "bell" });
    expect(result.products[0]).toMatchObject({ price_net: "9.50", price_gross: gross });
    expect(say).toBe(`One product fits: Counter bell for €9.50${gross === null ? "" : " plus VAT"}, in stock.`);
  }
});
