import { expect, test } from "vitest";
import { searchFile } from "../people/search/search-file.ts";
import { startAssistant } from "./assistant-shop.ts";

test("a question finds the passage that answers it, with its own address", async () => {
  const { call } = await startAssistant();
  const { result, say } = (await call("find_advice", { query: "How do I return something?" })).json();
  expect(result.passages[0]).toEqual({
    ...{ page: "Returns", title: "How to return something", text: "1. Write to us.\n2. Pack it well." },
    url: "https://shop.example/returns#how-to-return",
  });
  expect(result.sales_email).toBeNull();
  expect(say).toBe("Our page “Returns” has something about that: https://shop.example/returns#how-to-return");
});

test("the shop's synonyms and word endings count as in its own search", async () => {
  const { call } = await startAssistant({ search: searchFile({ synonyms: [["refund", "return"]] }) });
  const urls = async (query: string) => {
    const { result } = (await call("find_advice", { query })).json();
    return result.passages.map(({ url }: { url: string }) => new URL(url).pathname);
  };
  expect(await urls("refunds")).toContain("/returns");
  expect((await urls("exception"))[0]).toBe("/returns");
  expect((await urls("QR code scanner"))[0]).toBe("/guides/choosing");
});

test("where no page says anything, the answer is empty and says whom to ask", async () => {
  const { call } = await startAssistant();
  const { result, say } = (await call("find_advice", { query: "xyzzyqux" })).json();
  expect(result).toEqual({ passages: [], sales_email: "sales@shop.example" });
  expect(say).toContain("Shall I pass your question on to a person?");
});

test("a query without words is refused, and no other breaks it", async () => {
  const { call } = await startAssistant();
  const status = async (query: unknown) => (await call("find_advice", { query })).statusCode;
  for (const query of ["", " ", "?!"]) expect(await status(query)).toBe(422);
  for (const query of [null, 7, "x".repeat(1_001)]) expect(await status(query)).toBe(400);
  for (const query of ["x".repeat(1_000), "return ".repeat(140), "<b>", "{{ x }}", "ürün 日本語 🤖"])
    expect(await status(query)).toBe(200);
});
