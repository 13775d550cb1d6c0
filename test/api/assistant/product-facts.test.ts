import { expect, test } from "vitest";
import { searchFile, searchProduct, searchVersion } from "../people/search/search-file.ts";
import { startAssistant } from "./assistant-shop.ts";

test("a version's facts are its own specifications, all versions, what fits and what doesn't, documents and address", async () => {
  const { call } = await startAssistant();
  const { result, say } = (await call("product_facts", { product: "KES-C2-WH" })).json();
  expect(result).toEqual({
    ...{ slug: "kestrel-c2", title: "Kestrel C2 cordless scanner", brand: "Kestrel" },
    ...{ summary: "Kestrel C2 cordless scanner, for tests.", url: "https://shop.example/products/kestrel-c2" },
    category: {
      ...{ slug: "barcode-scanners", title: "Barcode scanners" },
      url: "https://shop.example/categories/barcode-scanners",
    },
    sku: "KES-C2-WH",
    specifications: [
      { name: "Reads", value: "1D, 2D" },
      { name: "Cutter", value: "None" },
      { name: "Colour", value: "White" },
    ],
    versions: [
      expect.objectContaining({ sku: "KES-C2-BK", gtin: "0200000000017", price_net: "156.20", price_gross: "189.00" }),
      {
        ...{ sku: "KES-C2-WH", version: "White", price_net: "147.93", price_gross: "179.00", currency: "EUR" },
        ...{ availability: "backorder", available_from: "2099-02-01", gtin: null, barcode: null },
        ...{
          url: "https://shop.example/products/kestrel-c2?sku=KES-C2-WH",
          specifications: [{ name: "Colour", value: "White" }],
        },
      },
    ],
    works_with: [
      {
        ...{ slug: "finch-80", title: "Finch 80 receipt printer", url: "https://shop.example/products/finch-80" },
        ...{ skus: ["FINCH-80"], with_own_skus: ["KES-C2-BK"], reason: "both on one USB hub", together_with: "cable" },
      },
    ],
    does_not_work_with: [
      {
        ...{ slug: "wren-58", title: "Wren 58 receipt printer", url: "https://shop.example/products/wren-58" },
        reason: "the Wren has no USB port",
      },
    ],
    documents: [
      {
        ...{ kind: "manual", title: "Quick start", language: "en" },
        url: "https://shop.example/documents/c2/start.pdf",
      },
    ],
  });
  expect(say).toBe(
    "Kestrel C2 cordless scanner, for tests. Kestrel C2 cordless scanner, White for €147.93 plus VAT, on back-order, expected 1 February 2099.",
  );
});

test("a slug gives what all versions share, and each version's own", async () => {
  const { call } = await startAssistant();
  const { result, say } = (await call("product_facts", { product: "kestrel-c2" })).json();
  expect(result).toMatchObject({
    sku: null,
    specifications: [
      { name: "Reads", value: "1D, 2D" },
      { name: "Cutter", value: "None" },
    ],
    versions: [
      { specifications: [{ name: "Colour", value: "Black" }] },
      { specifications: [{ name: "Colour", value: "White" }] },
    ],
  });
  expect(say).toContain("There are 2 versions, such as Kestrel C2 cordless scanner, Black for €156.20 plus VAT");
});

test("what only some versions say of themselves is given for each, and applies to the others as the product has it", async () => {
  const For = (value: string) => ({ name: "For", value });
  const versions = [searchVersion("CARD-58"), searchVersion("CARD-80", { specifications: [For("Receipt printers")] })];
  const products = [searchProduct("cards", "Cards", { specifications: [For("All printers")], versions })];
  const { call } = await startAssistant({ search: searchFile({ products }) });
  const { result } = (await call("product_facts", { product: "cards" })).json();
  expect(result).toMatchObject({
    specifications: [],
    versions: [{ specifications: [For("All printers")] }, { specifications: [For("Receipt printers")] }],
  });
});

test("what isn't a SKU or slug is refused with those that are most like it, and never repeated", async () => {
  const { call } = await startAssistant();
  const ask = async (product: unknown) => {
    const answer = await call("product_facts", { product });
    return { status: answer.statusCode, said: answer.json().detail, payload: answer.payload };
  };
  expect(await ask("kes c2 wh")).toMatchObject({
    ...{ status: 422, said: expect.stringContaining("Did you mean KES-C2-WH (Kestrel C2 cordless scanner, White)?") },
  });
  expect((await ask("finch printer")).said).toContain("FINCH-80 (Finch 80 receipt printer)");
  for (const odd of ["xyzzyqux", "a/b,c:%", "../etc/passwd", "' or 1=1", "__proto__", "constructor", "\u202e🤖", "?"]) {
    const { status, said, payload } = await ask(odd);
    expect([odd, status, said]).toEqual([odd, 422, expect.stringContaining("find_products")]);
    if (odd.length > 1) expect(payload).not.toContain(odd);
  }
  for (const wrong of ["", "x".repeat(201), null, 7, ["KES-C2-BK"]]) expect((await ask(wrong)).status).toBe(400);
});
