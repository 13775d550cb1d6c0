import { expect, test } from "vitest";
import { buyPath, versionPath } from "../../../site/urls/paths.ts";

test("a link to order a version has its SKU as it is, and unusual SKUs in base64url", () => {
  expect(buyPath("TAV-T40_1.b", 1)).toBe("/buy/TAV-T40_1.b:1");
  for (const sku of ["A/B", "a:1,b:2", "~x", "5%", "a?b#c"]) {
    const [, code = ""] = /^\/buy\/~([\w-]+):1$/.exec(buyPath(sku, 1)) ?? [];
    expect(Buffer.from(code, "base64url").toString()).toBe(sku);
  }
});

test("a version's address has its SKU, in which nothing can end a link in Markdown or begin another parameter", () => {
  expect(versionPath("kestrel", "TAV-T40_1.b~")).toBe("/products/kestrel?sku=TAV-T40_1.b~");
  const signs = "!\"#$%&'()*+,/:;<=>?@[\\]^`{|}";
  const path = versionPath("kestrel", signs);
  expect(path).toMatch(/^\/products\/kestrel\?sku=(?:%[0-9A-F]{2})+$/);
  expect(new URL(path, "https://shop.example").searchParams.get("sku")).toBe(signs);
});
