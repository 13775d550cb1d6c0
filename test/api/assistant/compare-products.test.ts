import { expect, test } from "vitest";
import { searchFile, searchProduct, searchVersion } from "../people/search/search-file.ts";
import { startAssistant } from "./assistant-shop.ts";

test("versions are compared by the specifications in which they differ, null where one isn't stated", async () => {
  const { call } = await startAssistant();
  const { result, say } = (await call("compare_products", { skus: ["KES-C2-WH", "MERLIN", "KES-C2-BK"] })).json();
  expect(result).toEqual({
    products: [
      expect.objectContaining({ sku: "KES-C2-WH", price_net: "147.93", availability: "backorder" }),
      expect.objectContaining({ sku: "MERLIN", price_net: "156.20", availability: "in_stock" }),
      expect.objectContaining({ sku: "KES-C2-BK", url: "https://shop.example/products/kestrel-c2?sku=KES-C2-BK" }),
    ],
    differences: [
      { name: "Reads", values: ["1D, 2D", "1D", "1D, 2D"] },
      { name: "Cutter", values: ["None", null, "None"] },
      { name: "Colour", values: ["White", null, "Black"] },
    ],
    alike: 0,
  });
  expect(say).toBe(
    "Kestrel C2 cordless scanner, White, Merlin corded scanner and Kestrel C2 cordless scanner, Black differ in 3 points: Reads, Cutter and Colour.",
  );
});

test("a version's own specification counts instead of its product's, and alike ones are only counted", async () => {
  const specifications = [
    { name: "Reads", value: "1D, 2D" },
    { name: "Weight", value: "62 g" },
  ];
  const versions = ["1D", "2D"].map((reads) =>
    searchVersion(`PIP-${reads}`, { title: reads, specifications: [{ name: "Reads", value: reads }] }),
  );
  const same = searchProduct("pop", "Pop", { specifications });
  const { call } = await startAssistant({
    search: searchFile({ products: [searchProduct("pip", "Pip", { specifications, versions }), same] }),
  });
  const compare = async (...skus: string[]) => (await call("compare_products", { skus })).json();
  expect((await compare("PIP-1D", "PIP-2D")).result).toMatchObject({
    differences: [{ name: "Reads", values: ["1D", "2D"] }],
    alike: 1,
  });
  const { say } = await compare("PIP-1D", "POP");
  expect(say).toBe("Pip, 1D and Pop differ in one point: Reads.");
});

test("fewer than two, more than four, the same or unknown SKUs are refused, each with its place", async () => {
  const { call } = await startAssistant();
  const ask = async (...skus: unknown[]) => {
    const answer = await call("compare_products", { skus });
    const fields = answer.json().errors.map(({ field, detail }: Record<string, string>) => `${field}: ${detail}`);
    return [answer.statusCode, ...fields];
  };
  expect(await ask("KES-C2-BK")).toEqual([400, "arguments.skus: Send at least 2 entries."]);
  expect(await ask("A", "B", "C", "D", "E")).toEqual([400, "arguments.skus: Send at most 4 entries."]);
  expect(await ask("KES-C2-BK", "KES-C2-BK", "kes-c2-wh")).toEqual([
    422,
    expect.stringMatching(/^arguments\.skus\.1: This SKU is there twice/),
    expect.stringMatching(/^arguments\.skus\.2: No version has this SKU. Did you mean KES-C2-WH/),
  ]);
  expect((await ask("a/b,c:%", "💥"))[0]).toBe(422);
});
