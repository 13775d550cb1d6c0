import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { findFreePort } from "../../../nginx/local/ports.ts";
import { buildForStart } from "../../built-shops.ts";
import { copyWithContent } from "../../site/content-check/content-tree.ts";
import { spawned, spawnShop, startShop } from "../shop-process.ts";

const workspace = copyWithContent();
beforeAll(() => buildForStart(workspace));
afterEach(() => {
  for (const process of spawned) process.kill("SIGKILL");
});
afterAll(() => rmSync(workspace, { recursive: true, force: true }));

test("a data folder that can't be used is reported with what to do", async () => {
  const file = join(workspace, "a file");
  writeFileSync(file, "");
  const shop = await spawnShop(workspace, { DATA_DIR: file });
  expect(await shop.ended).toBe(1);
  expect(shop.output()).toContain("can't be used");
  expect(shop.output()).not.toMatch(/\n\s+at /);
});

test("a taken port is reported with what to do", async () => {
  const port = await findFreePort();
  const holder = createServer().listen(port, "127.0.0.1");
  await once(holder, "listening");
  const shop = await spawnShop(workspace, { PORT: String(port) });
  expect(await shop.ended).toBe(1);
  expect(shop.output()).toContain(`Port ${port} on 127.0.0.1 is taken by another program`);
  expect(shop.output()).toContain(`set PORT to another port, such as PORT=${port + 1}.`);
  holder.close();
});

test("all wrong settings are reported at once, without their values", async () => {
  const shop = await spawnShop(workspace, {
    PORT: "80a80",
    BASE_URL: "https://shop.example/",
    ERP_PULL_API_TOKEN: "too-short-a-secret",
  });
  expect(await shop.ended).toBe(1);
  for (const name of ["PORT", "BASE_URL", "ERP_PULL_API_TOKEN"]) expect(shop.output()).toContain(name);
  expect(shop.output()).not.toContain("too-short-a-secret");
});

test("every setting in .env reaches the API, the environment wins over it, and no secret is printed", async () => {
  const metricsPort = await findFreePort();
  const token = "a-partner-token-of-thirty-two-letters";
  const secret = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=";
  const lines = [
    `METRICS_PORT=${metricsPort}`,
    "RATE_LIMIT_PER_MINUTE=1000",
    `ERP_PULL_API_TOKEN=${token}`,
    "ERP_WEBHOOK_URL=https://erp.invalid/orders",
    `ERP_WEBHOOK_SECRET=${secret}`,
  ];
  writeFileSync(join(workspace, ".env"), lines.join("\n"));
  try {
    const shop = await startShop(workspace, { RATE_LIMIT_PER_MINUTE: "77" });
    const orders = await fetch(`${shop.url}/api/orders`, { headers: { authorization: `Bearer ${token}` } });
    expect([orders.status, orders.headers.get("ratelimit-policy")]).toEqual([200, '"token";q=77;w=60']);
    // It says `degraded` while the database is slow, and answers 60 times a minute.
    const slowly = { timeout: 240_000, interval: 1_500 };
    await vi.waitFor(async () => {
      const status = await (await fetch(`${shop.url}/api/erp/status`)).json();
      expect(status).toMatchObject({ status: "ok", webhook: { configured: true } });
    }, slowly);
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    expect(metrics).toContain('route="/api/orders"');
    await shop.stop();
    for (const hidden of [token, secret, "erp.invalid"]) expect(shop.output()).not.toContain(hidden);
  } finally {
    rmSync(join(workspace, ".env"));
  }
});

test("an unreachable DATABASE_URL is reported without its password", async () => {
  const port = await findFreePort();
  const shop = await spawnShop(workspace, { DATABASE_URL: `mysql://shop:hunter2@127.0.0.1:${port}/shop` });
  expect(await shop.ended).toBe(1);
  expect(shop.output()).toContain("The database in DATABASE_URL doesn't respond (ECONNREFUSED).");
  expect(shop.output()).not.toContain("hunter2");
  expect(shop.output()).not.toMatch(/\n\s+at /);
});
