import { once } from "node:events";
import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { placeOrder } from "../../../../api/selling/orders/place-order.ts";
import { findFreePort } from "../../../../nginx/local/ports.ts";
import { openMigratedDatabase, token } from "../../api.ts";
import { newOrder } from "../../selling/orders/new-order.ts";
import { run, untilServing } from "../../server-process.ts";

const key = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=";
const email = "zdenka.private@customer.example";
const customer = {
  id: 7,
  email,
  first_name: "Zdeňka",
  last_name: "Soukromá",
  company: null,
  phone: "+420 603 111 222",
  vat_id: null,
};

/** Starts an ERP at an address used by nothing else. It answers with the next of `statuses`, or 200. */
async function startErp() {
  const server = createServer((request, response) => {
    request.resume().on("end", () => response.writeHead(statuses.shift() ?? 200).end("said the ERP"));
  });
  const statuses: number[] = [];
  server.listen(0, "127.0.0.77");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return { url: `http://127.0.0.77:${port}/hook-for-orders`, statuses };
}

async function startShop(webhook: string) {
  const { db, url } = await openMigratedDatabase();
  for (let count = 0; count < 3; count += 1) await placeOrder(db, newOrder({ customer, note: "Ring Zdeňka first" }));
  const ports = { API_PORT: String(await findFreePort()), METRICS_PORT: String(await findFreePort()) };
  const server = run("server.ts", {
    ...ports,
    BASE_URL: "https://shop.example",
    DATABASE_URL: url,
    ERP_PULL_API_TOKEN: token,
    ERP_WEBHOOK_URL: webhook,
    ERP_WEBHOOK_SECRET: `whsec_${key}`,
    ERP_WEBHOOK_ALLOW: "127.0.0.77/32",
    ERP_WEBHOOK_ALLOW_HTTP: "true",
  });
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${ports.API_PORT}${path}`, {
      ...init,
      headers: { "x-ecom-api-token": token, ...init.headers },
    });
  await untilServing(ports.API_PORT);
  const metrics = async () => (await fetch(`http://127.0.0.1:${ports.METRICS_PORT}/metrics`)).text();
  return { db, server, ask, metrics };
}

/** Requests with a secret or personal data in every place where it fits. */
const intrusive: [string, RequestInit?][] = [
  ...[token, email, `whsec_${key}`].flatMap((text): [string, RequestInit?][] => [
    [`/api/orders?access_token=${encodeURIComponent(text)}&since_id=${encodeURIComponent(text)}`],
    [`/api/orders/${encodeURIComponent(text)}`],
    [`/api/${encodeURIComponent(text)}`],
    ["/api/orders", { headers: { "x-ecom-api-token": `${text}x` } }],
    ["/api/orders", { headers: { authorization: `Bearer ${text}.` } }],
    [
      "/api/erp/orders/1/push",
      { method: "POST", body: JSON.stringify({ force: text }), headers: { "content-type": "application/json" } },
    ],
    [
      "/api/erp/orders/1/push",
      { method: "POST", body: text, headers: { "content-type": `text/${text.replace("@", "-")}` } },
    ],
    ["/api/erp/orders/9/push", { method: "POST", headers: { "idempotency-key": `"${text}"` } }],
    ["/api/erp/status", { headers: { "x-forwarded-for": text, "user-agent": text } }],
  ]),
];

test("secrets and customer data never appear in the log, metrics, status, errors or a preview's headers", async () => {
  const erp = await startErp();
  const { db, server, ask, metrics } = await startShop(erp.url);
  const shown: string[] = [];
  const drive = async (path: string, init?: RequestInit) => {
    const answer = await ask(path, init);
    const text = await answer.text();
    shown.push(JSON.stringify([...answer.headers]));
    if (answer.status >= 400 || path === "/api/erp/status") shown.push(text);
    if (path.endsWith("/preview") && answer.ok) shown.push(JSON.stringify(JSON.parse(text).headers));
    return answer.status;
  };
  const push = (id: number) => drive(`/api/erp/orders/${id}/push`, { method: "POST" });
  for (const path of ["/api/orders", "/api/orders/1", "/api/products", "/api/erp/orders/1/preview"])
    expect(await drive(path)).toBe(200);
  erp.statuses.push(500, 410, 302);
  expect([await push(1), await push(2), await push(3), await push(3)]).toEqual([202, 502, 202, 200]);
  for (const id of [1, 2, 3]) expect(await drive(`/api/erp/orders/${id}/deliveries`)).toBe(200);
  for (const [path, init] of intrusive) await drive(path, init);
  for (let count = 0; count < 25; count += 1) await drive("/api/orders", { headers: { "x-ecom-api-token": email } });
  await db.schema.alterTable("orders").renameTo("lost").execute();
  expect([await drive("/api/orders"), await push(1)]).toEqual([503, 503]);
  expect(await drive("/api/erp/status")).toBe(200);
  shown.push(await metrics());
  server.child.kill("SIGTERM");
  await server.ended;
  expectNothingPrivate([...shown, server.output.stdout, server.output.stderr], ["127.0.0.77", "hook-for-orders"]);
  for (const message of ["delivered", "A delivery failed; it will be tried again."])
    expect(server.output.stdout).toMatch(new RegExp(`"order":\\d+,.*"msg":"${message}"`));
});

test("a webhook's host that can't be resolved never appears", async () => {
  const host = "erp-of-the-partner.invalid";
  const { server, ask, metrics } = await startShop(`https://${host}/orders`);
  const answer = await ask("/api/erp/orders/1/push", { method: "POST" });
  expect([202, 502]).toContain(answer.status);
  const shown = [await answer.text(), await (await ask("/api/erp/orders/1/deliveries")).text(), await metrics()];
  server.child.kill("SIGTERM");
  await server.ended;
  expectNothingPrivate([...shown, server.output.stdout, server.output.stderr], [host, "erp-of"]);
});

function expectNothingPrivate(texts: string[], more: string[]): void {
  const all = texts.join("\n");
  const private_ = [token, key, `whsec_`, email, "zdenka.private", "Zdeňka", "Soukromá", "603 111", ...more];
  expect(private_.filter((text) => all.includes(text))).toEqual([]);
}
