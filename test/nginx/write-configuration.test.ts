import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyWorkspace } from "../workspace.ts";

let workspace: string;

beforeAll(() => {
  workspace = copyWorkspace();
  mkdirSync(join(workspace, "site/dist"), { recursive: true });
});
afterAll(() => rmSync(workspace, { recursive: true }));

const tls = { TLS_CERTIFICATE: "/etc/tls/certificate.pem", TLS_KEY: "/etc/tls/key.pem" };

/** Runs `npm run nginx` for `folder`; returns what it printed as its error. */
function problemOf(folder: string, settings: Record<string, string>): string {
  const args = [join(workspace, "nginx/write-configuration.ts"), folder];
  const env = { PATH: process.env["PATH"], API_PORT: "3000", BASE_URL: "https://shop.example", ...settings };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: workspace, env, encoding: "utf8" });
  expect([status, stdout]).toEqual([1, ""]);
  return stderr.trim();
}

test("TLS needs a shop whose address is https", () => {
  expect(problemOf(join(workspace, "new"), { ...tls, BASE_URL: "http://shop.example" })).toBe(
    "TLS_CERTIFICATE is set, but the shop's address is http://shop.example. Write it with https in BASE_URL or content/store.yaml.",
  );
});

test("an operator's own tls.conf beside TLS_CERTIFICATE is refused", () => {
  const folder = join(workspace, "old");
  mkdirSync(folder);
  writeFileSync(join(folder, "tls.conf"), "listen 443 ssl;");
  expect(problemOf(folder, tls)).toBe(
    `TLS_CERTIFICATE is set, and ${join(folder, "tls.conf")} is there too. Remove the file: its lines now come from the settings.`,
  );
});
