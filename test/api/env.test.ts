import { expect, test } from "vitest";
import { readEnv } from "../../api/env.ts";
import { problemsOf } from "./settings-problems.ts";

const token = "a-partner-token-of-thirty-two-letters";
const good = {
  API_PORT: "3000",
  BASE_URL: "https://shop.example",
  DATABASE_URL: "mysql://shop:p%40ss%2Fword@db.internal:3307/twinfront",
  ERP_PULL_API_TOKEN: `${token},another-${token}`,
};

test("valid settings are parsed, with defaults for the rest", () => {
  expect(readEnv(good)).toEqual({
    apiPort: 3000,
    metricsPort: undefined,
    rateLimitPerMinute: 120,
    baseUrl: "https://shop.example",
    database: {
      host: "db.internal",
      port: 3307,
      user: "shop",
      password: "p@ss/word",
      database: "twinfront",
      socketPath: undefined,
    },
    sessionPages: expect.stringMatching(/\/site\/dist\/\.session$/),
    pullTokens: [token, `another-${token}`],
    pushWhen: "manual",
    pushLater: false,
    placementsPerHour: 30,
    editors: { origin: "https://shop.example", hasContent: false },
  });
  const socket = readEnv({ ...good, DATABASE_URL: "mysql://root@localhost/twinfront?socketPath=%2Frun%2Fdb.sock" });
  expect(socket.database).toMatchObject({ user: "root", password: "", socketPath: "/run/db.sock" });
});

test("METRICS_PORT and RATE_LIMIT_PER_MINUTE are read, and the metrics need their own port", () => {
  expect(readEnv({ ...good, METRICS_PORT: "9464", RATE_LIMIT_PER_MINUTE: "0" })).toMatchObject({
    metricsPort: 9464,
    rateLimitPerMinute: 0,
  });
  expect(problemsOf({ ...good, METRICS_PORT: "3000" })).toEqual([
    "METRICS_PORT and API_PORT are the same: give each its own.",
  ]);
});

test("orders are pushed automatically only where a webhook is set up", () => {
  const webhook = {
    ERP_WEBHOOK_URL: "https://erp.example/orders",
    ERP_WEBHOOK_SECRET: `whsec_${Buffer.from("n".repeat(32)).toString("base64")}`,
  };
  for (const ERP_PUSH_WHEN of ["placed", "paid", "manual"] as const)
    expect(readEnv({ ...good, ...webhook, ERP_PUSH_WHEN }).pushWhen).toBe(ERP_PUSH_WHEN);
  for (const ERP_PUSH_WHEN of ["placed", "paid"])
    expect(problemsOf({ ...good, ERP_PUSH_WHEN })).toEqual([
      "ERP_PUSH_WHEN pushes orders, but ERP_WEBHOOK_URL is missing: set it, or write ERP_PUSH_WHEN=manual.",
    ]);
  expect(readEnv({ ...good, ERP_PUSH_WHEN: "manual" }).pushWhen).toBe("manual");
  expect(
    ["true", "false", ""].map((ERP_PUSH_LATER) => readEnv({ ...good, ...webhook, ERP_PUSH_LATER }).pushLater),
  ).toEqual([true, false, false]);
  expect(problemsOf({ ...good, ERP_PUSH_LATER: "true" })).toEqual([
    "ERP_PUSH_LATER pushes orders, but ERP_WEBHOOK_URL is missing: set it, or write ERP_PUSH_LATER=false.",
  ]);
});

test("without a token the settings are valid and the pull API isn't configured", () => {
  for (const ERP_PULL_API_TOKEN of [undefined, ""])
    expect(readEnv({ ...good, ERP_PULL_API_TOKEN }).pullTokens).toEqual([]);
});

test("all problems are reported at once, each with what to write", () => {
  const bad = { API_PORT: "http", BASE_URL: "https://shop.example/", DATABASE_URL: "", ERP_PULL_API_TOKEN: "sesame" };
  expect(problemsOf(bad)).toEqual([
    expect.stringMatching(/^API_PORT is not usable\. Write the port/),
    expect.stringMatching(/^BASE_URL is not usable\. Write scheme and host/),
    expect.stringMatching(/^DATABASE_URL is missing\. Write DATABASE_URL=mysql:/),
    expect.stringMatching(/^ERP_PULL_API_TOKEN is not usable\. Write one token of at least 32/),
  ]);
});

test.each([
  ["API_PORT", ["0", "3000,3001", "65536", "-1", "3000x", "0x10", " 3000"]],
  ["METRICS_PORT", ["0", "65536", "any"]],
  ["RATE_LIMIT_PER_MINUTE", ["-1", "1.5", "1e3", "01", "none", "1000000"]],
  ["ERP_PUSH_WHEN", ["always", "Paid", "paid ", "placed,paid"]],
  ["ERP_PUSH_LATER", ["yes", "True", "true "]],
  ["SESSION_PAGES", ["dist/.session", "ftp://shop.example", "."]],
  ["PLACEMENTS_PER_HOUR", ["0", "-1", "1e3", "1000000", "many"]],
  [
    "VAT_CHECK_URL",
    [
      "vies",
      "http://vies.example/",
      "ftp://127.0.0.1/",
      "https://user@vies.example/",
      "https://a b/",
      "https://a:70000/",
    ],
  ],
  [
    "BASE_URL",
    [
      "shop.example",
      "ftp://shop.example",
      "https://shop.example/x",
      "https://",
      'https://a"b',
      "https://a b",
      "https://shop.example:65536",
    ],
  ],
  [
    "ERP_PULL_API_TOKEN",
    ["x".repeat(31), `${token},short`, `${token},${token},${token}`, `${token} ${token}`, `${token},`],
  ],
  [
    "DATABASE_URL",
    [
      "postgres://a:b@c/d",
      "mysql://host/name",
      "mysql://user@host",
      "mysql://user@host/",
      "mysql://user@host/a/b",
      "mysql://user@host:port/name",
      "mysql://user@host/name?ssl=true",
      "mysql://user@host/name#x",
      "mysql://user:%zz@host/name",
      "mysql://user@host/name?ssl-mode=preferred",
      "mysql://user@host/name?ssl-mode=required&ssl-mode=verify-ca",
      "mysql://user@host/name?ssl-mode=",
      "mysql://user@host/name?ssl-mode=constructor",
      "mysql://user@host/name?sslmode=required",
      "mysql://user@host/name?ssl-ca=/etc/ssl/certs/ca-certificates.crt",
      "mysql://user@10.0.0.7/name?ssl-mode=verify-identity",
      "mysql://user@[::1]/name?ssl-mode=verify-identity",
      "mysql://user@host/name?ssl-mode=verify-ca&ssl-ca=ca.pem",
      "mysql://user@host/name?ssl-mode=verify-ca&ssl-ca=/missing/ca.pem",
      `mysql://user@host/name?ssl-mode=verify-ca&ssl-ca=${import.meta.filename}`,
      "mysql://root@localhost/name?socketPath=/run/db.sock&ssl-mode=required",
    ],
  ],
])("invalid values of %s are refused", (name, values) => {
  for (const value of values) {
    expect([value, problemsOf({ ...good, [name]: value })]).toEqual([
      value,
      [expect.stringContaining(`${name} is not usable`)],
    ]);
  }
});

test("messages don't quote tokens or passwords", () => {
  const bad = { ...good, ERP_PULL_API_TOKEN: "secret-one", DATABASE_URL: "mysql://user:secret-two@host" };
  expect(problemsOf(bad).join()).not.toContain("secret");
});
