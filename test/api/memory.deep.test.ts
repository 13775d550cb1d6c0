import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { placeOrder } from "../../api/selling/orders/place-order.ts";
import { stopChild } from "../../nginx/local/child-process.ts";
import { findFreePort } from "../../nginx/local/ports.ts";
import { startApi } from "../../nginx/local/services.ts";
import { makeFolder } from "../temporary-folder.ts";
import { openMigratedDatabase, token } from "./api.ts";
import { startCheckout } from "./people/checkout/start-checkout.ts";
import { newOrder } from "./selling/orders/new-order.ts";

const PARTNER = { authorization: `Bearer ${token}` };
const PERSON = { "x-forwarded-for": "10.0.0.1", "x-forwarded-proto": "https", "x-forwarded-host": "shop.example" };
const REQUESTS: [string, Record<string, string>][] = [
  ...["/api/orders?changed_after=100", "/api/orders/17", "/api/products", "/api/erp/orders/3/preview"].map(
    (path): [string, Record<string, string>] => [path, PARTNER],
  ),
  ...["/search?q=scanner", "/cart", "/account", "/checkout"].map((path): [string, Record<string, string>] => [
    path,
    PERSON,
  ]),
  ["/search?q=scanner", { ...PERSON, accept: "text/markdown" }],
  ["/api/health/ready", {}],
];

test("the API holds at most 170 MB after 10,000 requests of people and partners", async () => {
  const { db, url } = await openMigratedDatabase();
  const { sessionPages } = await startCheckout({ db });
  for (let number = 0; number < 150; number += 1) await placeOrder(db, newOrder());
  const folder = makeFolder("memory-test");
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "logs"));
  const port = await findFreePort();
  const running = await startApi(folder, {
    ...{ API_PORT: String(port), METRICS_PORT: String(await findFreePort()), DATABASE_URL: url },
    ...{ BASE_URL: "https://shop.example", ERP_PULL_API_TOKEN: token, RATE_LIMIT_PER_MINUTE: "0" },
    SESSION_PAGES: sessionPages,
  });
  onTestFinished(() => stopChild(running, "SIGKILL", 0));
  const refused = new Set<string>();
  for (let number = 0; number < 10_000; number += 1) {
    const [path, headers] = REQUESTS[number % REQUESTS.length] ?? ["", {}];
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
    await answer.arrayBuffer();
    if (answer.status !== 200) refused.add(`${path} ${answer.status}`);
  }
  expect([...refused]).toEqual([]);
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${running.child.pid}/status`, "utf8")) ?? [];
  expect((Number(kilobytes) * 1024) / 1e6).toBeLessThanOrEqual(170);
});
