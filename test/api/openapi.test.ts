import { readFile } from "node:fs/promises";
import { Ajv, type AnySchema } from "ajv";
import { default as addFormats } from "ajv-formats";
import { expect, test } from "vitest";
import { addDemoOrders } from "../../api/demo/orders.ts";
import { emitDocument } from "../../api/openapi-emit.ts";
import { startApi, token } from "./api.ts";

interface Described {
  operationId: string;
  security?: object[];
  tags: string[];
  summary: string;
  description: string;
  parameters?: { name: string; example?: unknown; description?: string; schema: object }[];
  responses: Record<string, { headers?: Record<string, object>; content?: Record<string, { schema: object }> }>;
}
interface Document {
  openapi: string;
  info: { title: string; version: string };
  servers: object[];
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, object> };
}

const file = new URL("../../api/openapi.json", import.meta.url);
const document: Document = JSON.parse(await readFile(file, "utf8"));

test("openapi.json is what the routes say; if this fails, run npm run openapi", async () => {
  expect(await emitDocument()).toBe(await readFile(file, "utf8"));
});

test("the document is the one that the specification asks for", () => {
  expect(document.openapi).toBe("3.0.3");
  expect(document.info).toMatchObject({ title: "Public resources map", version: "1.0.0" });
  expect(document.servers).toEqual([{ url: "https://shop.example" }]);
  expect(Object.keys(document.paths)).toEqual([
    ...["/", "/llms.txt", "/sitemap.xml", "/robots.txt", "/developers", "/openapi.json", "/products.json"],
    ...["/api/erp/status", "/api/orders", "/api/orders/{id}", "/api/products"],
  ]);
  expect(document).toMatchObject({
    security: [{ EcomApiToken: [] }, { BearerToken: [] }],
    components: { securitySchemes: { EcomApiToken: { type: "apiKey", in: "header", name: "X-Ecom-Api-Token" } } },
  });
});

test("it keeps to what OpenAPI 3.0 has", () => {
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

test("every operation and every field of every answer is explained, with an example", () => {
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
  const unexplained = Object.entries(document.components.schemas).flatMap(([name, schema]) =>
    fieldsWithout(schema, name),
  );
  expect(unexplained).toEqual([]);
});

function fieldsWithout(schema: object, path: string): string[] {
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
  items?: { properties?: object };
  description?: string;
  example?: unknown;
  type?: string;
}

test("every answer of a sweep over addresses, methods and failures is described", async () => {
  const { app, db } = await startApi();
  await addDemoOrders(db);
  const open = await startApi({ pullTokens: [] });
  const validate = makeValidator();
  const credential = { "x-ecom-api-token": token };
  const urls = [
    ...["/api/erp/status", "/api/erp/status?x=1", "/api/orders", "/api/orders?limit=250", "/api/orders?limit=0"],
    ...[
      "/api/orders?since_id=100&limit=100",
      "/api/orders?changed_after=0&limit=250",
      "/api/orders?status=refunded,failed",
    ],
    ...[
      "/api/orders/1",
      "/api/orders/7",
      "/api/orders/0",
      "/api/orders/x",
      "/api/orders/%zz",
      "/api/products",
      "/api/products?limit=1",
    ],
    ...["/api/products?limit=x"],
  ];
  const seen = new Set<string>();
  for (const url of urls) {
    for (const headers of [{}, credential, { ...credential, "if-none-match": "*" }]) {
      for (const app_ of [app, open.app]) {
        const answer = await app_.inject({ url, headers });
        seen.add(validate(url, answer));
      }
    }
  }
  expect([...seen].sort()).toEqual([
    ...[
      "getErpStatus 200",
      "getErpStatus 400",
      "getOrder 200",
      "getOrder 304",
      "getOrder 400",
      "getOrder 401",
      "getOrder 404",
    ],
    ...["getOrder 503", "listOrders 200", "listOrders 400", "listOrders 401", "listOrders 503"],
    ...["listProducts 200", "listProducts 304", "listProducts 400", "listProducts 401", "listProducts 503"],
  ]);
});

interface Answer {
  statusCode: number;
  payload: string;
  headers: Record<string, unknown>;
}

/** A check of an answer against the document, strict about what the document does not name. */
function makeValidator() {
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const components: AnySchema = { $id: "openapi", components: closed(document.components) };
  ajv.addSchema(components);
  return (url: string, { statusCode, payload, headers }: Answer): string => {
    const [path = ""] = url.split("?");
    const pattern = /^\/api\/orders\/./.test(path) ? "/api/orders/{id}" : path;
    const operation = document.paths[pattern]?.["get"];
    const described = operation?.responses[statusCode];
    const where = `${operation?.operationId} ${statusCode}`;
    expect([url, statusCode, described !== undefined]).toEqual([url, statusCode, true]);
    expect(headers["x-request-id"]).toEqual(expect.any(String));
    for (const name of ["link", "etag", "cache-control", "vary", "www-authenticate", "retry-after"]) {
      const names = Object.keys(described?.headers ?? {}).map((header) => header.toLowerCase());
      if (name in headers && statusCode < 400) expect([where, names]).toEqual([where, expect.arrayContaining([name])]);
    }
    if (statusCode === 304) return where;
    const type = String(headers["content-type"]).split(";")[0] ?? "";
    const schema = described?.content?.[type]?.schema;
    expect([url, type, schema !== undefined]).toEqual([url, type, true]);
    const check = ajv.compile(JSON.parse(JSON.stringify(closed(schema ?? {})).replaceAll('"#/', '"openapi#/')));
    check(JSON.parse(payload));
    expect([url, check.errors]).toEqual([url, null]);
    return where;
  };
}

/** The same schema, in which an object may have nothing but the properties that it names. */
function closed(schema: object): object {
  const entries = Object.entries(schema).map(([key, value]) => [
    key,
    typeof value === "object" && value ? closed(value) : value,
  ]);
  const copy = Array.isArray(schema) ? entries.map(([, value]) => value) : Object.fromEntries(entries);
  return "properties" in copy && "type" in copy ? { additionalProperties: false, ...copy } : copy;
}
