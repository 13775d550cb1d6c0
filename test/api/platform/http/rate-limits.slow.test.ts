import { expect, test } from "vitest";
import { addressKey, countAddresses, countPerMinute, siteKey } from "../../../../api/platform/http/rate-limits.ts";
import { startApi, token } from "../../api.ts";
import { startShopApi } from "../private-pages/pages.ts";

const other = "another-partner-token-of-thirty-two-letters";
const bearer = (value: string) => ({ authorization: `Bearer ${value}` });

/** A clock that moves only when a test sets it. */
function makeClock() {
  const clock = { time: 5_000, now: () => clock.time };
  return clock;
}

test("a token over its limit gets 429 until the minute is over", async () => {
  const clock = makeClock();
  const { get, statements } = await startApi({ rateLimitPerMinute: 3, now: clock.now });
  for (const remaining of [2, 1, 0]) {
    const { statusCode, headers } = await get("/api/orders");
    expect([statusCode, headers["ratelimit"]]).toEqual([200, `"token";r=${remaining};t=60`]);
    expect(headers["ratelimit-policy"]).toBe('"token";q=3;w=60');
  }
  clock.time += 20_500;
  const before = statements.length;
  const limited = await get("/api/orders/1");
  expect(limited.statusCode).toBe(429);
  expect(limited.headers).toMatchObject({
    "content-type": "application/problem+json",
    "retry-after": "40",
    ratelimit: '"token";r=0;t=40',
    "cache-control": "private, no-cache",
  });
  expect(limited.json()).toEqual({
    type: "https://shop.example/developers#too-many-requests",
    title: "Too Many Requests",
    status: 429,
    detail: "This token may make 3 requests a minute. Wait for the time in Retry-After.",
    instance: limited.headers["x-request-id"],
  });
  expect(statements).toHaveLength(before);
  clock.time += 39_499;
  expect((await get("/api/orders")).headers["retry-after"]).toBe("1");
  clock.time += 1;
  expect((await get("/api/orders")).headers["ratelimit"]).toBe('"token";r=2;t=60');
});

test("each token has its own count, across addresses, headers and spellings", async () => {
  const { app } = await startApi({ rateLimitPerMinute: 4, pullTokens: [token, other], now: makeClock().now });
  const headers = [
    bearer(token),
    { authorization: `BEARER ${token}` },
    { authorization: `Bearer  ${token} ` },
    { "x-ecom-api-token": token },
  ];
  for (const [index, header] of headers.entries()) {
    const remoteAddress = `203.0.113.${index}`;
    const answer = await app.inject({ url: "/api/products", headers: header, remoteAddress });
    expect(answer.headers["ratelimit"]).toBe(`"token";r=${3 - index};t=60`);
  }
  expect((await app.inject({ url: "/api/products", headers: bearer(token) })).statusCode).toBe(429);
  expect((await app.inject({ url: "/api/products", headers: bearer(other) })).statusCode).toBe(200);
});

test("invalid input, unknown addresses and other methods count against a token; requests without it don't", async () => {
  const { app, get } = await startApi({ rateLimitPerMinute: 4, now: makeClock().now });
  expect((await app.inject({ url: "/api/orders" })).headers["ratelimit"]).toBeUndefined();
  expect((await get("/api/orders?limit=0")).headers["ratelimit"]).toContain("r=3");
  expect((await get("/api/orders/1/nothing")).headers["ratelimit"]).toContain("r=2");
  const post = await app.inject({ method: "DELETE", url: "/api/products", headers: bearer(token) });
  expect([post.statusCode, post.headers["ratelimit"]]).toEqual([405, '"token";r=1;t=60']);
  expect((await app.inject({ url: "/api/orders", headers: bearer(other) })).statusCode).toBe(401);
  expect((await get("/api/orders")).headers["ratelimit"]).toContain("r=0");
});

test("a limit of 0 allows any number of requests", async () => {
  const { get } = await startApi({ rateLimitPerMinute: 0 });
  for (let count = 0; count < 200; count += 1) {
    const { statusCode, headers } = await get("/api/orders/1");
    expect([statusCode, headers["ratelimit"], headers["ratelimit-policy"]]).toEqual([404, undefined, undefined]);
  }
});

test("after 21 wrong credentials an address gets 429 for the rest of the minute, but a valid token still passes", async () => {
  const clock = makeClock();
  const { app, get } = await startApi({ now: clock.now });
  const wrong = (remoteAddress: string) =>
    app.inject({ url: "/api/orders", headers: bearer(`${token}x`), remoteAddress });
  for (let count = 0; count < 21; count += 1) expect((await wrong("203.0.113.7")).statusCode).toBe(401);
  clock.time += 15_000;
  const limited = await wrong("203.0.113.7");
  expect([limited.statusCode, limited.headers["retry-after"]]).toEqual([429, "45"]);
  expect(limited.json().type).toBe("https://shop.example/developers#too-many-requests");
  expect((await wrong("203.0.113.8")).statusCode).toBe(401);
  const headers = bearer(token);
  expect((await app.inject({ url: "/api/orders", headers, remoteAddress: "203.0.113.7" })).statusCode).toBe(200);
  const none = await app.inject({ url: "/api/orders", remoteAddress: "203.0.113.7" });
  expect(none.statusCode).toBe(401);
  clock.time += 45_000;
  expect((await wrong("203.0.113.7")).statusCode).toBe(401);
  expect((await get("/api/orders")).statusCode).toBe(200);
});

test("X-Forwarded-For counts only if it comes from nginx", async () => {
  const { app } = await startApi({ now: makeClock().now });
  const wrong = (forwarded: string, remoteAddress: string) =>
    app.inject({
      url: "/api/orders",
      headers: { ...bearer("wrong"), "x-forwarded-for": forwarded },
      remoteAddress,
    });
  for (let count = 0; count < 21; count += 1) await wrong("203.0.113.1", "127.0.0.1");
  expect((await wrong("203.0.113.1", "127.0.0.1")).statusCode).toBe(429);
  expect((await wrong("203.0.113.2", "127.0.0.1")).statusCode).toBe(401);
  for (let count = 0; count < 21; count += 1) await wrong(`203.0.113.${count}`, "198.51.100.1");
  expect((await wrong("203.0.113.99", "198.51.100.1")).statusCode).toBe(429);
});

test("an address can request the status 60 times a minute", async () => {
  const clock = makeClock();
  const { app } = await startApi({ now: clock.now });
  const ask = (remoteAddress: string) => app.inject({ url: "/api/erp/status", remoteAddress });
  for (let count = 0; count < 60; count += 1) expect((await ask("2001:db8::1")).statusCode).toBe(200);
  const limited = await ask("2001:db8::ffff:2");
  expect([limited.statusCode, limited.headers["retry-after"]]).toEqual([429, "60"]);
  expect((await ask("2001:db8:0:1::1")).statusCode).toBe(200);
  clock.time += 60_000;
  expect((await ask("2001:db8::1")).statusCode).toBe(200);
});

test("addresses are counted per customer: IPv4 whole, IPv6 by /64 network", () => {
  const same = [
    ["203.0.113.7", "::ffff:203.0.113.7", "::FFFF:203.0.113.7", "::ffff:cb00:7107", "0:0:0:0:0:ffff:cb00:7107"],
    ["2001:db8:1:2::1", "2001:DB8:1:2:ffff:ffff:ffff:ffff", "2001:0db8:0001:0002::", "2001:db8:1:2::203.0.113.7"],
    ["fe80::1", "fe80::1%eth0", "fe80:0:0:0:1:2:3:4"],
    ["", "unknown", "_hidden", "203.0.113.7.8", `${"x".repeat(10_000)}`],
  ];
  for (const addresses of same) expect(new Set(addresses.map(addressKey)).size).toBe(1);
  const different = ["203.0.113.7", "203.0.113.8", "2001:db8:1:2::1", "2001:db8:1:3::1", "::1", "fe80::1", "x"];
  expect(new Set(different.map(addressKey)).size).toBe(different.length);
});

test("a key that has used up its limit stays refused, however many others ask", () => {
  const limit = countPerMinute(3, makeClock().now);
  for (let count = 0; count < 3; count += 1) limit.take("attacker");
  for (let count = 0; count < 30_000; count += 1) limit.take(`key ${count}`);
  expect(limit.take("attacker")).toMatchObject({ exceeded: true, remaining: 0 });
  expect([limit.isUsedUp("attacker"), limit.isUsedUp("key 29999")]).toEqual([true, false]);
});

test("the limit keeps at most 10,000 keys below it and as many at it, the newest", () => {
  const limit = countPerMinute(2, makeClock().now);
  const use = (name: string) => {
    for (let count = 0; count < 10_001; count += 1) limit.take(`${name} ${count}`);
  };
  use("once");
  expect([limit.take("once 10000").remaining, limit.take("once 0").remaining]).toEqual([0, 1]);
  for (let turn = 0; turn < 2; turn += 1) for (const name of ["a", "b"]) limit.take(name);
  for (let count = 0; count < 9_999; count += 1) for (let turn = 0; turn < 2; turn += 1) limit.take(`twice ${count}`);
  expect(["a", "b", "twice 9998"].map((key) => limit.take(key).exceeded)).toEqual([false, true, true]);
});

test("a minute that is over is forgotten, in whatever order its limit was used up", () => {
  const clock = makeClock();
  const limit = countPerMinute(2, clock.now);
  for (const [key, after] of [
    ["early", 0],
    ["late", 40_000],
    ["late", 0],
    ["early", 10_000],
  ] as const) {
    clock.time += after;
    limit.take(key);
  }
  clock.time += 10_000;
  expect([limit.isUsedUp("early"), limit.isUsedUp("late")]).toEqual([false, true]);
  expect(limit.take("early")).toEqual({ exceeded: false, remaining: 1, resetSeconds: 60 });
  expect(limit.take("late")).toEqual({ exceeded: true, remaining: 0, resetSeconds: 40 });
});

test("the /64 networks of a /56 have eight times the limit together, whatever one of them is refused", () => {
  const limit = countAddresses(3, makeClock().now);
  for (let count = 0; count < 100; count += 1) limit.take("2001:db8::1");
  const network = (index: number) => `2001:db8:0:${index.toString(16)}::1`;
  for (let index = 1; index <= 7; index += 1)
    for (let count = 0; count < 3; count += 1) expect(limit.take(network(index)).exceeded).toBe(false);
  expect(limit.take(network(8))).toMatchObject({ exceeded: true, remaining: 0 });
  expect([limit.isUsedUp(network(255)), limit.isUsedUp(network(256))]).toEqual([true, false]);
  expect(limit.take(network(256)).exceeded).toBe(false);
  const sites = ["2001:db8:1:2ff::1", "2001:db8:1:200::", "2001:db8:1:300::", "2001:db8:1:2::", "203.0.113.7", "x"];
  expect(sites.map(siteKey)).toEqual([
    ...["2001:db8:1:200::/56", "2001:db8:1:200::/56", "2001:db8:1:300::/56", "2001:db8:1:0::/56"],
    ...[undefined, undefined],
  ]);
});

test("a new minute has 60 seconds, never 61, for any fraction of a millisecond", () => {
  for (let turn = 0; turn < 3_000; turn += 1) {
    const clock = { time: 10_000 + turn * 37.123456789 };
    const limit = countPerMinute(1, () => clock.time);
    expect([clock.time, limit.take("key").resetSeconds]).toEqual([clock.time, 60]);
    clock.time += 59_999.9;
    expect([clock.time, limit.take("key").resetSeconds]).toEqual([clock.time, 1]);
  }
});

test("fault 34: of 10,000 forms that an address sends in a minute, only as many as the setting says write a row", async () => {
  const clock = makeClock();
  const { db, customer } = await startShopApi({ rateLimitPerMinute: 120, now: clock.now });
  const send = (headers = {}) => customer().post("/cart/lines", { sku: "KES-C2-BK", quantity: "1" }, headers);
  // What another site makes browsers send takes nothing from their people.
  for (let turn = 0; turn < 200; turn += 1)
    expect((await send({ "sec-fetch-site": "cross-site" })).statusCode).toBe(403);
  const statuses: Record<number, number> = {};
  for (let turn = 0; turn < 10_000; turn += 1) {
    const { statusCode } = await send();
    statuses[statusCode] = (statuses[statusCode] ?? 0) + 1;
  }
  expect(statuses).toEqual({ 303: 120, 429: 9_880 });
  const refused = await send();
  expect([refused.headers["retry-after"], refused.headers["content-type"]]).toEqual(["60", "text/html; charset=utf-8"]);
  expect((await customer().get("/cart")).statusCode).toBe(200);
  expect((await send({ "x-forwarded-for": "198.51.100.7" })).statusCode).toBe(303);
  clock.time += 60_000;
  expect((await send()).statusCode).toBe(303);
  const { sessions } = await db
    .selectFrom("sessions")
    .select(({ fn }) => fn.countAll<number>().as("sessions"))
    .executeTakeFirstOrThrow();
  expect(sessions).toBe(122);
});

test.each(["/cart", "/checkout", "/account", "/account/find", "/buy/KES-C2-BK:1", "/counter"])(
  "of an address's requests of %s in a minute, only five times as many as the setting says ask the database",
  async (path) => {
    const clock = makeClock();
    const { statements, app } = await startShopApi({ rateLimitPerMinute: 1, now: clock.now });
    const ask = (method: "GET" | "HEAD", face: string, address: string) =>
      app.inject({ method, url: path, headers: { "x-face": face, "x-forwarded-for": address } });
    for (const method of ["GET", "HEAD", "GET", "HEAD", "GET"] as const)
      expect((await ask(method, "html", "2001:db8::1")).statusCode).toBeLessThan(429);
    clock.time += 20_000;
    const before = statements.length;
    const [page, text] = [await ask("GET", "html", "2001:db8::2"), await ask("GET", "md", "2001:db8::3")];
    expect(statements).toHaveLength(before);
    expect([page, text].map(({ statusCode, headers }) => [statusCode, headers["retry-after"]])).toEqual(
      Array(2).fill([429, "40"]),
    );
    expect([page, text].map(({ headers }) => headers["content-type"])).toEqual(
      ["html", "markdown"].map((type) => `text/${type}; charset=utf-8`),
    );
    expect(page.body).toContain("<h1>Too many requests</h1>");
    expect(text.body).toMatch(/^# Too many requests\n\nThere were too many .*\n$/);
    expect((await ask("GET", "html", "2001:db8:0:1::1")).statusCode).toBeLessThan(429);
  },
);
