import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { SettingsError } from "../../api/env.ts";
import { readAdmin, readLocalSettings, readNginxSettings, readShopSettings } from "../../nginx/settings.ts";
import { shops } from "../workspace.ts";

const problemsOf = (read: () => unknown): readonly string[] => {
  try {
    read();
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
};

test("API_PORT and METRICS_PORT may list the ports of several APIs", () => {
  expect(readNginxSettings({ API_PORT: "3000, 3001", METRICS_PORT: "9464,9465" })).toMatchObject({
    apiPorts: [3000, 3001],
    metricsPorts: [9464, 9465],
  });
  expect(readNginxSettings({})).toMatchObject({ apiPorts: [], metricsPorts: [] });
});

test.each([
  [
    { API_PORT: "3000," },
    "API_PORT isn't a port, or several separated by commas. Write whole numbers from 1 to 65535.",
  ],
  [{ API_PORT: "3000,3000" }, "API_PORT has the same port twice."],
  [{ PORT: "80", API_PORT: "3000,80" }, "PORT and API_PORT are the same. Use a different port for each."],
  [
    { API_PORT: "3000,3001", METRICS_PORT: "3001" },
    "API_PORT and METRICS_PORT are the same. Use a different port for each.",
  ],
  [
    { BASE_URL: "https://shop.example:70000" },
    "BASE_URL isn't an origin. Write scheme and host without a slash at the end, such as https://shop.example.",
  ],
])("%j is refused", (source, problem) => {
  expect(problemsOf(() => readNginxSettings(source))).toEqual([problem]);
});

test("TLS takes a certificate and its key, at port 443 if nothing else is said", () => {
  const files = { TLS_CERTIFICATE: "/etc/letsencrypt/live/shop.example/fullchain.pem", TLS_KEY: "/etc/tls/key.pem" };
  const tls = { certificate: files.TLS_CERTIFICATE, key: files.TLS_KEY, port: 443 };
  expect(readNginxSettings(files)).toMatchObject({ tls, hstsIncludeSubdomains: false });
  expect(readNginxSettings({ ...files, TLS_PORT: "8443", HSTS_INCLUDE_SUBDOMAINS: "true" })).toMatchObject({
    tls: { ...tls, port: 8443 },
    hstsIncludeSubdomains: true,
  });
  expect(problemsOf(() => readNginxSettings({ ...files, PORT: "443", HSTS_INCLUDE_SUBDOMAINS: "yes" }))).toEqual([
    "HSTS_INCLUDE_SUBDOMAINS isn't true or false. Write true only if every subdomain has TLS.",
    "PORT and TLS_PORT are the same. Use a different port for each.",
  ]);
});

test.each([
  { TLS_CERTIFICATE: "/etc/tls/certificate.pem" },
  { TLS_KEY: "/etc/tls/key.pem" },
  { TLS_CERTIFICATE: "certificate.pem", TLS_KEY: "key.pem" },
  { TLS_CERTIFICATE: "/etc/tls/a; b", TLS_KEY: "/etc/tls/key.pem" },
])("%j isn't a certificate and its key", (source) => {
  expect(problemsOf(() => readNginxSettings(source))).toEqual([expect.stringMatching(/^TLS_CERTIFICATE and TLS_KEY/)]);
});

test("`npm start` starts one API, so it takes one port", () => {
  expect(problemsOf(() => readLocalSettings({ API_PORT: "3000,3001" }))).toEqual([
    "API_PORT has 2 ports, but one API is started here. Write one port, or leave it out.",
  ]);
});

test.each([
  ["content", "CONTENT_ROOT=content isn't an absolute path."],
  ["/srv/#1", "CONTENT_ROOT=/srv/#1 has # in it"],
  ["/nowhere", "CONTENT_ROOT=/nowhere doesn't exist. `npm run new:shop -- FOLDER` makes a shop."],
  ["/usr", "CONTENT_ROOT=/usr has no content/store.yaml."],
  [shops.second, `Write the one above it: CONTENT_ROOT=${join(shops.second, "..")}`],
])("CONTENT_ROOT=%s is refused with what to write", (CONTENT_ROOT, sentence) => {
  expect(problemsOf(() => readShopSettings({ CONTENT_ROOT }))).toEqual([expect.stringContaining(sentence)]);
});

test("a shop beside the checkout has its own content and address, and a database of its own unless DATA_DIR says where", () => {
  const CONTENT_ROOT = mkdtempSync(join(tmpdir(), "twinfront-shop-"));
  onTestFinished(() => rmSync(CONTENT_ROOT, { recursive: true }));
  cpSync(join(shops.second, "store.yaml"), join(CONTENT_ROOT, "content", "store.yaml"));
  const dataDir = join(CONTENT_ROOT, ".data");
  const settings = { contentRoot: CONTENT_ROOT, baseUrl: "https://asagiri.test", dataDir };
  expect(readShopSettings({ CONTENT_ROOT })).toMatchObject(settings);
  expect(readShopSettings({ CONTENT_ROOT, DATA_DIR: "/srv/data" })).toMatchObject({
    ...settings,
    dataDir: "/srv/data",
  });
  const root = join(import.meta.dirname, "../..");
  expect(readShopSettings({})).toMatchObject({ contentRoot: root, dataDir: join(root, ".data") });
});

test("/admin is at ADMIN_ORIGIN or the shop's address, if passkeys work there, and writes where the content repository is set", () => {
  const on = { CONTENT_REPOSITORY: "/srv/content.git", DATA_DIR: "/srv/data" };
  expect(readAdmin({ ADMIN_ORIGIN: "https://admin.example" }, "https://shop.example")).toEqual({
    origin: "https://admin.example",
    socket: undefined,
  });
  expect(readAdmin({}, "https://shop.example")).toEqual({ origin: "https://shop.example", socket: undefined });
  expect(readAdmin({ ADMIN_SOCKET: "/run/a b;" }, "http://127.0.0.1:8080")).toBeUndefined();
  expect(readAdmin(on, "https://shop.example")).toEqual({
    origin: "https://shop.example",
    socket: "/srv/data/admin.sock",
  });
  const elsewhere = { ADMIN_ORIGIN: "https://Admin.example:443", ADMIN_SOCKET: "/run/twinfront/admin.sock" };
  expect(readAdmin({ ...on, ...elsewhere }, "http://192.0.2.1")).toEqual({
    origin: "https://admin.example",
    socket: "/run/twinfront/admin.sock",
  });
  const wrong = problemsOf(() => readAdmin({ ...on, ADMIN_SOCKET: "/run/a b;" }, "http://127.0.0.1:8080"));
  expect(wrong).toEqual([
    "/admin can't be at BASE_URL: passkeys need https and a name, or http://localhost. Write such as ADMIN_ORIGIN=https://shop.example.",
    "ADMIN_SOCKET isn't an absolute path of letters, digits and ./@+-_. Write such as ADMIN_SOCKET=/run/twinfront/admin.sock.",
  ]);
});
