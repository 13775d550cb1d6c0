import { expect, test } from "vitest";
import { addDemoOrders } from "../../../../api/operation/demo/orders.ts";
import { startApi, token } from "../../api.ts";
import { document } from "./openapi-document.ts";
import { makeValidator } from "./openapi-validator.ts";

test("the document describes every answer of a sweep over addresses, credentials and failures", async () => {
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
        const [path = ""] = url.split("?");
        const operation = document.paths[/^\/api\/orders\/./.test(path) ? "/api/orders/{id}" : path]?.["get"];
        if (!operation) throw new Error(`${url} is not described.`);
        seen.add(validate(operation, answer));
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

test("an unsupported method gets the 405 that every operation at the address describes", async () => {
  const { app } = await startApi();
  const validate = makeValidator();
  for (const [path, operations] of Object.entries(document.paths)) {
    if (!path.startsWith("/api/")) continue;
    const names = Object.keys(operations).map((name) => name.toUpperCase());
    for (const method of (["GET", "POST", "PUT", "DELETE"] as const).filter((name) => !names.includes(name))) {
      const answer = await app.inject({
        method,
        url: path.replace("{id}", "1"),
        headers: { "x-ecom-api-token": token },
      });
      for (const operation of Object.values(operations)) expect(validate(operation, answer)).toMatch(/ 405$/);
      expect(String(answer.headers["allow"]).split(", ")).toEqual(expect.arrayContaining(names));
    }
  }
});
