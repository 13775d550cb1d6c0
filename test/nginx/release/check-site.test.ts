import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { findOwnNginx } from "../../../nginx/local/own-nginx.ts";
import { findFreePort } from "../../../nginx/local/ports.ts";
import { checkSite } from "../../../nginx/release/check-site.ts";
import { runNginx } from "../run-nginx.ts";

const site = {
  "index.html": '<html><link rel="stylesheet" href="/_astro/new.css">',
  "index.md": "new",
  "404.html": "<html>",
  "sitemap.xml": "<urlset><loc>https://shop.example/products/new</loc></urlset>",
  "products/new.html": "<html>product",
  "products/new.md": "product",
  "_astro/new.css": "a{}",
  "products.json": "{}",
  "llms.txt": "new",
};

test("with TLS in nginx, a release is checked there, though a cache answers with the last one at the shop's address", async () => {
  const folder = mkdtempSync(join(tmpdir(), "twinfront-certificate-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [certificate, key] = [join(folder, "certificate.pem"), join(folder, "key.pem")];
  const type = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=shop.example"];
  execFileSync("openssl", ["req", "-x509", ...type, "-out", certificate, "-keyout", key], { stdio: "ignore" });
  const asked: unknown[] = [];
  const cache = createServer(({ url }, answer) => {
    asked.push(url);
    answer.end("last");
  }).listen(0, "127.0.0.1");
  await once(cache, "listening");
  onTestFinished(() => void cache.close());
  const baseUrl = `http://127.0.0.1:${(cache.address() as AddressInfo).port}`;
  const tls = { certificate, key, port: await findFreePort() };
  const nginx = await runNginx(site, undefined, [], { tls, baseUrl });
  onTestFinished(() => nginx.stop());
  await checkSite(findOwnNginx({ tls, baseUrl, host: "0.0.0.0", port: nginx.port }), join(nginx.site, "dist"));
  expect(asked).toEqual([]);
});

test("a page, style sheet or list of another build fails the check, though the answer is 200", async () => {
  const nginx = await runNginx(site);
  onTestFinished(() => nginx.stop());
  const folder = mkdtempSync(join(tmpdir(), "twinfront-site-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const copy = join(folder, "dist");
  cpSync(join(nginx.site, "dist"), copy, { recursive: true, dereference: true });
  await checkSite(nginx, copy);
  // Each look at the clock is 20 s later, so that it doesn't wait for nginx to notice new files.
  let time = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => (time += 20_000));
  onTestFinished(() => clock.mockRestore());
  const checked = Object.entries(site).filter(([file]) => file !== "404.html" && file !== "sitemap.xml");
  expect(checked).toHaveLength(7);
  for (const [file, content] of checked) {
    writeFileSync(join(copy, file), `${content}.`);
    await expect(checkSite(nginx, copy)).rejects.toThrow(new RegExp(`answers with another build's /?${file}\\.$`));
    writeFileSync(join(copy, file), content);
  }
});
