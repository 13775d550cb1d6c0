import { expect, test } from "vitest";
import { writeApiCatalog } from "../../site/src/resources/api-catalog.ts";

const endpoint = (method: string, path: string) => ({
  ...{ id: path, method, path, isPublic: false, summary: "", description: "", parameters: [] },
});

test("the catalogue has where the API is entered, each with its description, documentation and status", () => {
  const endpoints = [
    endpoint("GET", "/"),
    endpoint("GET", "/openapi.json"),
    endpoint("GET", "/api/orders"),
    endpoint("POST", "/api/orders"),
    endpoint("GET", "/api/orders/{id}"),
    endpoint("GET", "/api/erp/status"),
  ];
  const described = {
    "service-desc": [{ href: "https://shop.example/openapi.json", type: "application/json" }],
    "service-doc": [{ href: "https://shop.example/developers", type: "text/html" }],
    status: [{ href: "https://shop.example/api/erp/status", type: "application/json" }],
  };
  expect(JSON.parse(writeApiCatalog(endpoints, "https://shop.example"))).toEqual({
    linkset: [
      { anchor: "https://shop.example/api/orders", ...described },
      { anchor: "https://shop.example/api/erp/status", ...described },
    ],
  });
});
