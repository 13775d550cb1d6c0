import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { buildApp } from "../../../api/app.ts";
import { readDatabaseAddress, readEnv } from "../../../api/env.ts";
import openapi from "../../../api/openapi.json" with { type: "json" };
import { openDatabase } from "../../../api/platform/database/pool.ts";
import { PROBLEM_STATUS } from "../../../api/platform/http/problem.ts";
import { decide } from "../../../api/platform/outbox/attempt.ts";
import { page, sectionOf, tableOf } from "./developers-page.ts";

const url = inject("shopUrl");
const headers = { authorization: `Bearer ${inject("shopToken")}` };
const read = (file: string) => readFileSync(join(inject("dist"), file), "utf8");
const [html, markdown, fields] = ["developers.html", "developers.md", "developers-fields.md"].map(read);

test("every problem of the API and nginx has a heading with its status", () => {
  const slugOf = (heading: string) => heading.toLowerCase().replaceAll(" ", "-");
  const explained = [...sectionOf("Errors").matchAll(/^### (.+)\n\n\*\*(\d+)/gm)];
  const statuses = Object.fromEntries(explained.map(([, heading = "", status]) => [slugOf(heading), Number(status)]));
  expect(statuses).toEqual(PROBLEM_STATUS);
  const nginx = readFileSync(join(import.meta.dirname, "../../../nginx/conf/api-errors.conf"), "utf8");
  const problems = [...nginx.matchAll(/developers#([a-z-]+)","title":"[^"]+","status":(\d+)/g)];
  expect(problems.length).toBeGreaterThan(4);
  for (const [, slug = "", status] of problems) expect([slug, statuses[slug]]).toEqual([slug, Number(status)]);
  for (const slug of Object.keys(PROBLEM_STATUS)) expect(html).toContain(`<h3 id="${slug}">`);
});

test("the table of retries matches the API's schedule", () => {
  const seconds = { s: 1, min: 60, h: 3600 };
  const secondsOf = (text: string) =>
    [...text.matchAll(/(\d+) (s|min|h)/g)].reduce(
      (sum, [, count, unit]) => sum + Number(count) * seconds[unit === "s" || unit === "min" ? unit : "h"],
      0,
    );
  const failed = { outcome: "timeout", httpStatus: null, excerpt: null, retryAfterMs: 0, durationMs: 15_000 } as const;
  const rows = tableOf("Retries");
  let total = 0;
  for (const [index, [attempt, wait = "", since = ""]] of rows.entries()) {
    const verdict = index === 0 ? { state: "pending", delayMs: 0 } : decide(failed, index, 0.5);
    expect([attempt, verdict]).toEqual([String(index + 1), { state: "pending", delayMs: secondsOf(wait) * 1000 }]);
    total += secondsOf(wait);
    // From the third attempt on, five seconds are negligible.
    expect(secondsOf(since)).toBe(index < 2 ? total : total - (total % 60));
  }
  expect(decide(failed, rows.length, 0.5)).toEqual({ state: "failed" });
});

test("the limits match those of the API and nginx", async () => {
  const limits = Object.fromEntries(tableOf("Limits"));
  const policyOf = async (path: string) => (await fetch(url + path, { headers })).headers.get("ratelimit-policy");
  // The tests' shop limits no requests of theirs.
  const env = { API_PORT: "3000", BASE_URL: "https://shop.example", DATABASE_URL: "mysql://shop@127.0.0.1/shop" };
  const { rateLimitPerMinute } = readEnv({ ...env, ERP_PULL_API_TOKEN: inject("shopToken") });
  expect(rateLimitPerMinute).toBe(parseInt(limits["requests with a token"], 10));
  expect(await policyOf("/api/erp/status")).toBe(`"status";q=${parseInt(limits["`/api/erp/status`"], 10)};w=60`);
  const status = async (path: string) => (await fetch(url + path, { headers })).status;
  const [least, most] = limits["`limit`"].split(" to ").map(Number);
  expect(
    await Promise.all([least - 1, least, most, most + 1].map((limit) => status(`/api/orders?limit=${limit}`))),
  ).toEqual([400, 200, 200, 400]);
  const kibibytes = (name: string) => parseInt(limits[name], 10) * 1024;
  expect(await status(`/api/orders?status=${"x".repeat(kibibytes("address of a request"))}`)).toBe(414);
  for (const [path, name] of [
    ["/api/erp/orders/1/push", "body of a request"],
    ["/api/orders/1/fulfillments", "body of a fulfilment"],
  ] as const) {
    const post = (bytes: number) => fetch(url + path, { method: "POST", headers, body: "x".repeat(bytes) });
    expect((await post(kibibytes(name) + 1)).status).toBe(413);
    expect((await post(kibibytes(name))).status).not.toBe(413);
  }
});

test("the stated number of wrong tokens get 401, the next 429", async () => {
  const allowed = parseInt(Object.fromEntries(tableOf("Limits"))["wrong tokens"], 10);
  const db = openDatabase(readDatabaseAddress({ DATABASE_URL: "mysql://nobody@127.0.0.1:9/none" }));
  const app = buildApp({ db, baseUrl: url, pullTokens: ["t".repeat(32)], rateLimitPerMinute: 120 });
  const ask = async () =>
    (await app.inject({ url: "/api/orders", headers: { authorization: "Bearer wrong" } })).statusCode;
  for (let count = 0; count < allowed; count += 1) expect(await ask()).toBe(401);
  expect(await ask()).toBe(429);
  await app.close();
  await db.destroy();
});

interface Schema {
  properties?: Record<string, Schema>;
  items?: Schema;
  description?: string;
}

test("every field of orders, products and deliveries is on its page, with its description", () => {
  const missing: string[] = [];
  const check = (name: string, { properties = {}, items }: Schema) => {
    if (items) check(name, items);
    for (const [field, schema] of Object.entries(properties)) {
      const meaning = schema.description?.replace(/ ?RFC 3339.*$/, "").replaceAll("_", "\\_") ?? "";
      const row = `| \`${field}\` | `;
      const rows = fields
        ?.split("\n")
        .filter((line) => line.startsWith(row))
        .map((line) => line.replace(/\\/g, ""));
      if (!rows?.some((line) => line.includes(`| ${meaning.replace(/\\/g, "")}`))) missing.push(`${name}.${field}`);
      check(`${name}.${field}`, schema);
    }
  };
  const { Order, Product, Delivery } = openapi.components.schemas;
  for (const [name, schema] of Object.entries({ Order, Product, Delivery })) check(name, schema);
  expect(missing).toEqual([]);
});

test("the page is short enough for an agent, no heading skips a level, and the list at the top links to every chapter", () => {
  expect(markdown?.length).toBeLessThan(50_000);
  const levels = [...(html ?? "").matchAll(/<h([1-6])[ >]/g)].map(([, level]) => Number(level));
  for (const [index, level] of levels.entries()) expect(level - (levels[index - 1] ?? 0)).toBeLessThan(2);
  const contents = page.slice(0, page.indexOf("\n## "));
  const listed = [...contents.matchAll(/\]\(#([a-z0-9-]+)\)/g)].map(([, id]) => id);
  const chapters = [...(html ?? "").matchAll(/<h2 id="([^"]+)"/g)].map(([, id]) => id);
  const all = [...(html ?? "").matchAll(/<h[2-4] id="([^"]+)"/g)].map(([, id]) => id);
  expect(listed.filter((id) => chapters.includes(id))).toEqual(chapters);
  expect(all.filter((id) => listed.includes(id))).toEqual(listed);
});
