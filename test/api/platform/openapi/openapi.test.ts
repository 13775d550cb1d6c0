import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { emitDocument } from "../../../../api/commands/openapi-document.ts";
import { ProductFeed } from "../../../../api/contract/built-files/products.ts";
import { document, file } from "./openapi-document.ts";

test("openapi.json matches the routes; if this fails, run npm run openapi", async () => {
  expect(await emitDocument()).toBe(await readFile(file, "utf8"));
});

test("the document has the version, title, paths and security that the specification requires", () => {
  expect(document.openapi).toBe("3.0.3");
  expect(document.info).toMatchObject({ title: "Public resources map", version: "1.0.0" });
  expect(document.servers).toEqual([{ url: "https://shop.example" }]);
  expect(Object.keys(document.paths)).toEqual([
    ...["/", "/llms.txt", "/sitemap.xml", "/robots.txt", "/developers", "/openapi.json", "/products.json"],
    ...["/api/erp/status", "/api/orders", "/api/orders/{id}"],
    ...["cancel", "close", "hold", "release", "payments", "refunds", "fulfillments", "returns", "invoices"].map(
      (name) => `/api/orders/{id}/${name}`,
    ),
    ...["/api/products", "/api/stock", "/api/prices"],
    ...["preview", "deliveries", "push"].map((name) => `/api/erp/orders/{id}/${name}`),
  ]);
  expect(document).toMatchObject({
    security: [{ EcomApiToken: [] }, { BearerToken: [] }],
    components: { securitySchemes: { EcomApiToken: { type: "apiKey", in: "header", name: "X-Ecom-Api-Token" } } },
  });
});

test("the errors that nginx answers are described for every path of the API", () => {
  for (const [path, operations] of Object.entries(document.paths)) {
    if (!path.startsWith("/api/")) continue;
    for (const { responses } of Object.values(operations))
      expect([path, Object.keys(responses)]).toEqual([
        path,
        expect.arrayContaining(["400", "405", "413", "414", "503"]),
      ]);
  }
});

test("products.json is described with exactly the fields that it has", () => {
  const content = document.paths["/products.json"]?.["get"]?.responses["200"]?.content ?? {};
  const { properties = {} }: Schema = { ...content["application/json"]?.schema };
  expect(namesIn({ properties })).toEqual(namesIn(ProductFeed));
  expect(fieldsWithout({ properties }, "products.json")).toEqual([]);
});

/** The names of fields at any depth, `products.variants.sku`; what is referred to elsewhere has no depth here. */
function namesIn({ properties = {}, items }: Schema): string[] {
  const own = Object.entries(properties).flatMap(([name, property]) => [
    name,
    ...(isCopied.has(name) ? [] : namesIn({ ...property }).map((below) => `${name}.${below}`)),
  ]);
  return [...own, ...(items ? namesIn({ ...items }) : [])];
}

/** Their fields are described where the partner API has them. */
const isCopied = new Set(["specifications", "options", "content", "order_quantity"]);

test("the document avoids keywords that OpenAPI 3.0 lacks", () => {
  const text = JSON.stringify(document);
  for (const keyword of [
    '"type":"null"',
    '"type":[',
    '"const":',
    '"exclusiveMinimum":',
    '"$id":',
    '"patternProperties":',
  ]) {
    expect(text).not.toContain(keyword);
  }
});

test("every operation and every field of an answer is described, with an example", () => {
  for (const operations of Object.values(document.paths)) {
    for (const operation of Object.values(operations)) {
      expect(operation).toMatchObject({
        operationId: expect.any(String),
        summary: expect.any(String),
        description: expect.any(String),
      });
      for (const parameter of operation.parameters ?? []) expect(parameter.description).toMatch(/\S/);
    }
  }
  const undescribed = Object.entries(document.components.schemas).flatMap(([name, schema]) =>
    fieldsWithout(schema, name),
  );
  expect(undescribed).toEqual([]);
});

function fieldsWithout(schema: object, path: string): string[] {
  if ("$ref" in schema) return []; // described where it points
  const { properties = {}, items, description, example, type }: Schema = { ...schema };
  const leaf = items === undefined && Object.keys(properties).length === 0;
  const missing =
    path.includes("/") && (!description || (leaf && type !== "boolean" && example === undefined)) ? [path] : [];
  const below = Object.entries(properties).flatMap(([name, property]) => fieldsWithout(property, `${path}/${name}`));
  return [
    ...missing,
    ...below,
    ...(items?.properties ? fieldsWithout({ ...items, description: "–" }, `${path}/items`) : []),
  ];
}
interface Schema {
  properties?: Record<string, object>;
  items?: { properties?: Record<string, object> };
  description?: string;
  example?: unknown;
  type?: string;
}
