import { expect, test } from "vitest";
import { startApi, token } from "../../api.ts";

const other = "another-partner-token-of-thirty-two-letters";
const wrong = "a-wrong-token-that-has-thirty-two-letters";
const bearer = (value: string) => ({ authorization: `Bearer ${value}` });
const own = (value: string) => ({ "x-ecom-api-token": value });

const table: [string, Record<string, string>, number][] = [
  ["no credential", {}, 401],
  ["the token as Bearer", bearer(token), 200],
  ["the token in X-Ecom-Api-Token", own(token), 200],
  ["the token in both headers", { ...bearer(token), ...own(token) }, 200],
  ["the Bearer token and a wrong X-Ecom-Api-Token", { ...bearer(token), ...own(wrong) }, 401],
  ["a wrong Bearer token and the right X-Ecom-Api-Token", { ...bearer(wrong), ...own(token) }, 401],
  ["the Bearer token and an empty X-Ecom-Api-Token", { ...bearer(token), ...own("") }, 401],
  ["an empty Authorization and the right X-Ecom-Api-Token", { authorization: "", ...own(token) }, 401],
  ["both tokens of a changeover, one in each header", { ...bearer(token), ...own(other) }, 200],
  ["a wrong token", bearer(wrong), 401],
  ["a prefix of the token", bearer(token.slice(0, -1)), 401],
  ["the token with a character added", bearer(`${token}x`), 401],
  ["the token in capitals", bearer(token.toUpperCase()), 401],
  ["two tokens in one header", own(`${token}, ${other}`), 401],
  ["the scheme in lower case", { authorization: `bearer ${token}` }, 200],
  ["the scheme in capitals", { authorization: `BEARER ${token}` }, 200],
  ["another scheme", { authorization: `Basic ${token}` }, 401],
  ["the token without a scheme", { authorization: token }, 401],
  ["only the scheme", { authorization: "Bearer" }, 401],
  ["an empty token", { authorization: "Bearer " }, 401],
  ["an empty X-Ecom-Api-Token", own(""), 401],
];

test.each(table)("a request with %s gets the right status", async (_name, headers, status) => {
  const { app } = await startApi({ pullTokens: [token, other] });
  expect((await app.inject({ url: "/api/orders", headers })).statusCode).toBe(status);
  expect((await app.inject({ url: "/api/products", headers })).statusCode).toBe(status);
});

test("every refusal gets the same answer, with WWW-Authenticate and without the credential", async () => {
  const { app } = await startApi();
  for (const headers of [{}, bearer(wrong), own(wrong), own("")]) {
    const answer = await app.inject({ url: "/api/orders", headers });
    expect(answer.headers).toMatchObject({
      "www-authenticate": "Bearer",
      "content-type": "application/problem+json",
      "cache-control": "private, no-cache",
      vary: "Authorization, X-Ecom-Api-Token",
    });
    const { instance, ...problem } = answer.json();
    expect(instance).toBe(answer.headers["x-request-id"]);
    expect(problem).toEqual({
      type: "https://shop.example/developers#unauthorized",
      title: "Unauthorized",
      status: 401,
      detail: "Send the partner token as Authorization: Bearer <token> or as X-Ecom-Api-Token: <token>.",
    });
  }
});

test("a token in the query string isn't a credential", async () => {
  const { app } = await startApi();
  expect((await app.inject({ url: `/api/orders?token=${token}` })).statusCode).toBe(401);
});

test("if no token is configured, a credential gets 503 not-configured and a request without one 401", async () => {
  const { app } = await startApi({ pullTokens: [] });
  for (const headers of [bearer(token), own(token), bearer("x")]) {
    const answer = await app.inject({ url: "/api/orders", headers });
    expect(answer.statusCode).toBe(503);
    expect(answer.json().type).toBe("https://shop.example/developers#not-configured");
  }
  for (const headers of [{}, own(""), { authorization: "" }]) {
    expect((await app.inject({ url: "/api/orders", headers })).statusCode).toBe(401);
  }
});

test("authentication is checked before input, unknown paths, methods and the database", async () => {
  const { app, statements } = await startApi();
  const requests = [
    { url: "/api/orders?limit=0" },
    { url: "/api/orders/no-number" },
    { url: `/api/orders/${"9".repeat(500)}` },
    { url: "/api/orders/1/lines" },
    { url: "/api/orders/" },
    { url: "/api/orders/%zz" },
    { url: "/api/orders/%C0%80" },
    { url: "/api/products/1" },
    { url: "/api/erp/orders/1/preview" },
    { url: "/api/orders", method: "DELETE" as const },
    { url: "/api/orders", method: "POST" as const, payload: "{", headers: { "content-type": "text/xml" } },
  ];
  for (const request of requests) expect((await app.inject(request)).statusCode).toBe(401);
  expect(statements).toEqual([]);
});
