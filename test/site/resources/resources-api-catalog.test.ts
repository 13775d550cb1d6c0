import { expect, test } from "vitest";
import { writeApiCatalog } from "../../../site/src/resources/api-catalog.ts";

test("the API catalogue lists each entry point with its description, documentation and status, and the open catalogue", () => {
  const endpoints = [
    { method: "GET", path: "/" },
    { method: "GET", path: "/openapi.json" },
    { method: "GET", path: "/api/orders" },
    { method: "POST", path: "/api/orders" },
    { method: "GET", path: "/api/orders/{id}" },
    { method: "GET", path: "/api/erp/status" },
  ];
  const described = {
    "service-desc": [{ href: "https://shop.example/openapi.json", type: "application/json" }],
    "service-doc": [{ href: "https://shop.example/developers", type: "text/html" }],
  };
  const status = [{ href: "https://shop.example/api/erp/status", type: "application/json" }];
  expect(JSON.parse(writeApiCatalog(endpoints, "https://shop.example"))).toEqual({
    linkset: [
      { anchor: "https://shop.example/api/orders", ...described, status },
      { anchor: "https://shop.example/api/erp/status", ...described, status },
      { anchor: "https://shop.example/products.json", ...described },
    ],
  });
});
