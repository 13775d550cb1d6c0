import { expect, test } from "vitest";
import { answerInPieces, writeJson } from "../../../site/src/resources/answer-in-pieces.ts";

const describe = async (sku: string) => ({ sku, title: `${sku} – “é🎉”`, gtin: null });

test.each([[["A"]], [["A", "B", "C"]], [[]]])("JSON of %j in pieces is the JSON of the whole", async (skus) => {
  const facts = { name: "A [shop]}", language: { none: [] } };
  const response = answerInPieces(writeJson(facts, "products", skus, describe), "application/json");
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(await response.text()).toBe(JSON.stringify({ ...facts, products: await Promise.all(skus.map(describe)) }));
});

test("an answer in pieces fails where one of its items does", async () => {
  const failing = async () => {
    throw new Error("no picture");
  };
  await expect(answerInPieces(writeJson({}, "products", ["A"], failing), "application/json").text()).rejects.toThrow(
    "no picture",
  );
});
