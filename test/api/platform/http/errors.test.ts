import { expect, test } from "vitest";
import { startApi, token } from "../../api.ts";

const credential = { authorization: `Bearer ${token}` };

test("an unknown address answers 404 as a problem", async () => {
  const { app } = await startApi();
  for (const url of [
    "/",
    "/api",
    "/api/nothing",
    "/api/erp",
    "/api/ordersx",
    "/api/orders/1/lines",
    "/api/orders/",
    "/api/orders/?x=1",
  ]) {
    const answer = await app.inject({ url, headers: credential });
    expect([url, answer.statusCode]).toEqual([url, 404]);
    expect(answer.headers["content-type"]).toBe("application/problem+json");
    expect(answer.json()).toEqual({
      type: "https://shop.example/developers#not-found",
      title: "Not Found",
      status: 404,
      detail: "There is nothing at this address.",
      instance: answer.headers["x-request-id"],
    });
  }
});

test("an unsupported method answers 405 with Allow, before the body is read", async () => {
  const { app } = await startApi();
  for (const url of ["/api/%6frders", "/api/orders/1", "/api/orders/1?x=1", "/api/products", "/api/erp/status"]) {
    const allowed = url.startsWith("/api/orders/") ? "GET, HEAD, PATCH" : "GET, HEAD";
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const) {
      if (allowed.includes(method)) continue;
      const headers = { ...credential, "content-type": "text/xml" };
      const answer = await app.inject({ method, url, headers, payload: "{" });
      expect([method, url, answer.statusCode]).toEqual([method, url, 405]);
      expect(answer.headers["allow"]).toBe(allowed);
      expect(answer.json().type).toBe("https://shop.example/developers#method-not-allowed");
    }
  }
});

test("HEAD answers as GET does, without the body", async () => {
  const { app } = await startApi();
  for (const url of ["/api/orders", "/api/products", "/api/erp/status", "/api/orders/1", "/api/nothing"]) {
    const get = await app.inject({ url, headers: credential });
    const head = await app.inject({ method: "HEAD", url, headers: credential });
    expect([url, head.statusCode, head.payload]).toEqual([url, get.statusCode, ""]);
    for (const name of ["content-type", "cache-control", "vary", "etag"])
      expect(head.headers[name]).toBe(get.headers[name]);
  }
});

test("bodies that are too large, of the wrong type or malformed answer 413, 415 and 400 as problems", async () => {
  const { app } = await startApi();
  app.post("/probe", { bodyLimit: 10 }, async () => ({}));
  const json = { "content-type": "application/json" };
  const cases = [
    { payload: '"more than ten"', headers: json, status: 413, slug: "payload-too-large" },
    { payload: "<a/>", headers: { "content-type": "text/xml" }, status: 415, slug: "unsupported-media-type" },
    { payload: "{nope", headers: json, status: 400, slug: "bad-request" },
    { payload: '{"__proto__":1}'.slice(0, 9), headers: json, status: 400, slug: "bad-request" },
  ];
  for (const { status, slug, ...request } of cases) {
    const answer = await app.inject({ method: "POST", url: "/probe", ...request });
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({ type: `https://shop.example/developers#${slug}`, status });
    expect(answer.payload).not.toContain("nope");
  }
});

test("an internal error answers 500 without details", async () => {
  const { app } = await startApi();
  app.get("/fault", async () => {
    throw new Error("select secret from orders");
  });
  const answer = await app.inject("/fault");
  expect(answer.statusCode).toBe(500);
  expect(answer.payload).not.toMatch(/secret|stack|\.ts/);
  expect(answer.json()).toMatchObject({
    type: "https://shop.example/developers#internal-error",
    title: "Internal Server Error",
  });
});

test("an address that can't be decoded answers 400 as a problem with the request id", async () => {
  const { app } = await startApi();
  const answer = await app.inject({ url: "/api/orders/%zz", headers: credential });
  expect(answer.statusCode).toBe(400);
  expect(answer.headers["content-type"]).toBe("application/problem+json");
  expect(answer.json().instance).toBe(answer.headers["x-request-id"]);
});

test("a request id from nginx is kept; one that could forge a log line or has another sender is replaced", async () => {
  const { app } = await startApi();
  const ask = (id: string) => app.inject({ url: "/api/erp/status", headers: { "x-request-id": id } });
  expect((await ask("0123456789abcdef0123456789abcdef")).headers["x-request-id"]).toBe(
    "0123456789abcdef0123456789abcdef",
  );
  for (const id of ["short", "with space and more", 'quote"quote"', "x".repeat(65)]) {
    expect((await ask(id)).headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
  }
  const otherSender = await app.inject({
    url: "/api/erp/status",
    headers: { "x-request-id": "0123456789abcdef" },
    remoteAddress: "203.0.113.9",
  });
  expect(otherSender.headers["x-request-id"]).not.toBe("0123456789abcdef");
});
