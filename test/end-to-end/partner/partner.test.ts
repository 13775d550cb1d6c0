import { expect, inject, test, vi } from "vitest";

const url = inject("shopUrl");
const token = inject("shopToken");

const get = async (path: string, headers: Record<string, string> = { authorization: `Bearer ${token}` }) => {
  const answer = await fetch(url + path, { headers });
  return { status: answer.status, headers: answer.headers, body: JSON.parse(await answer.text()) };
};

interface Order {
  id: number;
  sequence: number;
  status: string;
  currency: string;
}

/** Follows the Link header from page to page, as an integrator would, and returns all orders. */
async function followPages(first: string): Promise<Order[]> {
  const orders: Order[] = [];
  for (let page: string | undefined = first; page; ) {
    const { body, headers } = await get(page);
    orders.push(...body.orders);
    const next: string | undefined = /<(\?[^>]+)>; rel="next"/.exec(headers.get("link") ?? "")?.[1];
    expect(Boolean(next)).toBe(body.has_more);
    page = next && page.split("?")[0] + next;
  }
  return orders;
}

test.each(["", "/index.php"])("a poller sees every order once, in order, through %s/api/orders", async (prefix) => {
  const bySinceId = await followPages(`${prefix}/api/orders?limit=50`);
  expect(bySinceId.length).toBeGreaterThanOrEqual(120);
  const ids = bySinceId.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  const bySequence = await followPages(`${prefix}/api/orders?limit=33&changed_after=0`);
  expect(bySequence.map(({ id }) => id).sort((a, b) => a - b)).toEqual(ids);
  expect(new Set(bySinceId.map(({ currency }) => currency))).toEqual(new Set(["EUR"]));
  expect(new Set(bySinceId.map(({ status }) => status)).size).toBe(7);
  const pending = await followPages(`${prefix}/api/orders?status=pending,on_hold&limit=7`);
  expect(pending.map(({ id }) => id)).toEqual(
    bySinceId.filter(({ status }) => ["pending", "on_hold"].includes(status)).map(({ id }) => id),
  );
});

test("the API accepts the token in either header, and rejects everything else", async () => {
  expect((await get("/api/orders?limit=1", { authorization: `Bearer ${token}` })).status).toBe(200);
  expect((await get("/api/orders?limit=1", { "x-ecom-api-token": token })).status).toBe(200);
  for (const headers of [
    {},
    { authorization: "Bearer wrong" },
    { "x-ecom-api-token": "" },
    { authorization: `Basic ${token}` },
  ]) {
    for (const path of ["/api/orders", "/api/orders/1", "/api/products", "/index.php/api/products"]) {
      const { status, headers: answered, body } = await get(path, headers);
      expect([path, status, answered.get("www-authenticate")?.split(" ")[0]]).toEqual([path, 401, "Bearer"]);
      expect(body.type).toBe("https://shop.example/developers#unauthorized");
    }
  }
});

test("one order answers 304 to its ETag until it changes, to the compressed answer's and the plain one's", async () => {
  const authorization = `Bearer ${token}`;
  const tags = await Promise.all(
    ["gzip", "identity"].map(async (encoding) => {
      const { headers } = await get("/api/orders/7", { authorization, "accept-encoding": encoding });
      expect(headers.get("content-encoding")).toBe(encoding === "gzip" ? "gzip" : null);
      return headers.get("etag") ?? "";
    }),
  );
  expect(tags).toEqual([`W/${tags[1]}`, expect.stringMatching(/^"7-\d+-[0-9a-f]{8}"$/)]);
  for (const encoding of ["gzip", "identity"])
    for (const etag of tags) {
      const headers = { authorization, "accept-encoding": encoding, "if-none-match": etag };
      expect((await fetch(`${url}/api/orders/7`, { headers })).status).toBe(304);
    }
});

test("the API has the feed's products, with every variant", async () => {
  const { body } = await get("/api/products");
  // The feed also has what the shop's own basket and agents need.
  const more = ["thumbnail", "available_from", "image", "price_net", "order_url", "when_sold_out"];
  const feed = JSON.parse(await (await fetch(`${url}/products.json`)).text(), (key, value) =>
    more.includes(key) ? undefined : value,
  );
  type Product = Record<string, unknown> & { variants: { url?: string }[] };
  const facts = ({ variants, ...product }: Product) => {
    const { slug, url, title, description, brand, category, images, specifications } = product;
    const offers = variants.map(({ url: _url, ...offer }) => offer);
    return { slug, url, title, description, brand, category, images, specifications, offers };
  };
  const bySlug = (a: { slug: unknown }, b: { slug: unknown }) => (String(a.slug) < String(b.slug) ? -1 : 1);
  expect(body.products.map(facts).sort(bySlug)).toEqual(feed.products.map(facts).sort(bySlug));
});

test("the developer page explains every problem type of the API", async () => {
  const guide = await (await fetch(`${url}/developers`)).text();
  const answers = [
    await get("/api/orders", {}),
    await get("/api/orders?limit=0"),
    await get("/api/orders/999999999"),
    await get("/api/nowhere"),
    await get("/api/%zz"),
  ];
  for (const { body } of answers) {
    const anchor = body.type.replace("https://shop.example/developers#", "");
    expect(guide).toContain(`id="${anchor}"`);
  }
});

test("a problem's instance is the answer's X-Request-Id, from nginx and from the API", async () => {
  for (const path of ["/api/nowhere", "/api/%zz"]) {
    const { body, headers } = await get(path);
    expect(headers.get("x-request-id")).toBe(body.instance);
  }
});

test("status is public and contains no secrets", async () => {
  // It says `degraded` while the database is slow, and answers 60 times a minute.
  const slowly = { timeout: 240_000, interval: 1_500 };
  await vi.waitFor(async () => {
    const { status, body } = await get("/api/erp/status", {});
    expect(status).toBe(200);
    expect(JSON.stringify(body)).not.toContain(token);
    expect(body).toMatchObject({ status: "ok", pull_api: { configured: true }, webhook: { configured: false } });
  }, slowly);
});
