import { expect, test } from "vitest";
import { readEnv, readWorkerEnv } from "../../../../api/env.ts";
import { problemsOf } from "../../settings-problems.ts";
import { secret } from "./erp-server.ts";

const base = { API_PORT: "3000", BASE_URL: "https://shop.example", DATABASE_URL: "mysql://shop@db.internal/twinfront" };
const good = { ...base, ERP_WEBHOOK_URL: "https://erp.example/orders?shop=1", ERP_WEBHOOK_SECRET: secret };
const second = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

test("the webhook's settings are parsed into its URL, keys and allowed ranges", () => {
  const { webhook } = readEnv({ ...good, ERP_WEBHOOK_SECRET: `${secret},${second}`, ERP_WEBHOOK_ALLOW: "10.0.0.0/8" });
  expect(webhook?.url.href).toBe(good.ERP_WEBHOOK_URL);
  expect(webhook?.keys.map(({ length }) => length)).toEqual([24, 32]);
  expect(webhook?.allow.ranges.check("10.1.2.3")).toBe(true);
  expect(webhook?.allow.ranges.check("127.0.0.1")).toBe(false);
  expect(readWorkerEnv(good).webhook?.url.href).toBe(good.ERP_WEBHOOK_URL);
});

test("without a URL the webhook isn't configured, even if other settings are set; an empty value counts as unset", () => {
  for (const source of [base, { ...good, ERP_WEBHOOK_URL: "" }, { ...base, ERP_WEBHOOK_ALLOW_HTTP: "" }])
    expect(readEnv(source).webhook).toBe(undefined);
  expect(() => readWorkerEnv(base)).toThrow("ERP_WEBHOOK_URL is missing");
});

test.each([
  [
    "ERP_WEBHOOK_URL",
    ["erp.example", "ftp://erp.example", "https://", "https://erp.example/#x", " https://erp.example", "https://a b/"],
  ],
  [
    "ERP_WEBHOOK_URL",
    ["https://user:sesame@erp.example/", "https://user@erp.example/", "https://:sesame@erp.example/"],
  ],
  ["ERP_WEBHOOK_URL", ["http://erp.example/orders", "HTTP://erp.example/orders"]],
  ["ERP_WEBHOOK_SECRET", ["sesame", "whsec_sesame", `${secret},`, `${secret},${second},${second}`, `v1,${secret}`]],
  ["ERP_WEBHOOK_ALLOW", ["sesame", "10.0.0.0", "10.0.0.0/33", "10.0.0.0/8,,"]],
  ["ERP_WEBHOOK_ALLOW_HTTP", ["yes", "1", "TRUE"]],
])("invalid values of %s are refused without being quoted: %s", (name, values) => {
  for (const value of values) {
    const problems = problemsOf({ ...good, [name]: value });
    expect([value, problems]).toEqual([value, [expect.stringMatching(new RegExp(`^${name} is not usable\\. Write `))]]);
    expect(problems.join()).not.toContain("sesame");
  }
});

test("plain HTTP is accepted when it is allowed", () => {
  const plain = { ...good, ERP_WEBHOOK_URL: "http://erp.example/orders" };
  expect(problemsOf({ ...plain, ERP_WEBHOOK_ALLOW_HTTP: "false" })).toHaveLength(1);
  expect(readEnv({ ...plain, ERP_WEBHOOK_ALLOW_HTTP: "true" }).webhook?.url.protocol).toBe("http:");
});

test("a URL without a secret is refused, and all problems are reported at once", () => {
  expect(problemsOf({ ...base, ERP_WEBHOOK_URL: "https://erp.example" })).toEqual([
    expect.stringMatching(/^ERP_WEBHOOK_SECRET is missing while ERP_WEBHOOK_URL is set\. Write whsec_/),
  ]);
  const bad = { ERP_WEBHOOK_URL: "x", ERP_WEBHOOK_SECRET: "x", ERP_WEBHOOK_ALLOW: "x", ERP_WEBHOOK_ALLOW_HTTP: "x" };
  const named = problemsOf({ API_PORT: "x", ...bad }).map((problem) => problem.split(" ")[0]);
  expect(named.sort()).toEqual(["API_PORT", "BASE_URL", "DATABASE_URL", ...Object.keys(bad)].sort());
});
