import { expect, test } from "vitest";
import { publishOpenapi } from "../../../site/src/resources/openapi.ts";

test("the published API description changes only to the shop's name, address and currency", () => {
  const write = (server: string, address: string, currency: string, title: string) => ({
    openapi: "3.0.3",
    info: { title, version: "1.0.0" },
    servers: [{ url: server }],
    paths: { "/a": { properties: { url: { example: address }, currency: { example: currency } }, "/b": ["EUR"] } },
  });
  const document = write("y", "https://shop.example/products/x", "EUR", "x");
  const shop = { name: "Teaware", base_url: "https://a.example", currency: "JPY" };
  expect(JSON.parse(publishOpenapi(JSON.stringify(document), shop))).toEqual(
    write("https://a.example", "https://a.example/products/x", "JPY", "Teaware: Public resources map"),
  );
});
