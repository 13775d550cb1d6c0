import { Ajv, type AnySchema } from "ajv";
import { default as addFormats } from "ajv-formats";
import { expect, test } from "vitest";
import { addDemoOrders } from "../../api/demo/orders.ts";
import { startApi, token } from "./api.ts";
import { document } from "./openapi-document.ts";

test("every answer of a sweep over addresses, methods and failures is described", async () => {
  const { app, db } = await startApi();
  await addDemoOrders(db);
  const open = await startApi({ pullTokens: [] });
  const validate = makeValidator();
  const credential = { "x-ecom-api-token": token };
  const urls = [
    ...["erp/status", "erp/status?x=1", "orders", "orders?limit=250", "orders?limit=0", "orders?since_id=100&limit=50"],
    ...[
      "orders?changed_after=0&limit=250",
      "orders?status=refunded,failed",
      "orders/1",
      "orders/7",
      "orders/0",
      "orders/x",
    ],
    ...["orders/%zz", "products", "products?limit=1", "products?limit=x"],
  ].map((path) => `/api/${path}`);
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
