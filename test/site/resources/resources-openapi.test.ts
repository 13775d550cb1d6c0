import { expect, test } from "vitest";
import { publishOpenapi } from "../../../site/src/resources/openapi.ts";

test("the published API description changes only to the shop's name, addresses and currency", () => {
  const write = (server: string, address: string, currency: string, info: object) => ({
    openapi: "3.0.3",
    info: { version: "1.0.0", ...info },
    servers: [{ url: server }],
    paths: { "/a": { properties: { url: { example: address }, currency: { example: currency } }, "/b": ["EUR"] } },
  });
  const document = write("y", "https://shop.example/products/x", "EUR", { title: "x" });
  const shop = { name: "Teaware", base_url: "https://a.example", currency: "JPY", sales_email: "tea@a.example" };
  const contact = { name: "Teaware", url: "https://a.example/developers", email: "tea@a.example" };
  expect(JSON.parse(publishOpenapi(JSON.stringify(document), shop))).toEqual(
    write("https://a.example", "https://a.example/products/x", "JPY", {
      title: "Teaware: Public resources map",
      contact,
    }),
  );
});
