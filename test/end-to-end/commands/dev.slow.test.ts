import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../../eventually.ts";
import { kestrel } from "../../site/content-check/content-problems.ts";
import { copyWithContent, validContent } from "../../site/content-check/content-tree.ts";
import { expectGone, processTree } from "../processes.ts";
import { spawnShop } from "../shop-process.ts";

const workspace = copyWithContent();
const product = join(workspace, "content", kestrel);
const text = validContent[kestrel] ?? "";
let shop: Awaited<ReturnType<typeof spawnShop>>;

beforeAll(async () => {
  shop = await spawnShop(workspace, {}, "dev.ts");
  await Promise.race([
    shop.ended.then((code) => {
      throw new Error(`The shop ended with code ${code}:\n${shop.output()}`);
    }),
    shop.ready,
  ]);
});
afterAll(async () => {
  await shop.stop();
  rmSync(workspace, { recursive: true, force: true });
});

const getFace = async (path: string, accept: string) => {
  const answer = await fetch(shop.url + path, { headers: { accept } });
  return { type: answer.headers.get("content-type"), vary: answer.headers.get("vary"), text: await answer.text() };
};

test("the dev server serves each page in the face that was asked for", async () => {
  const html = await getFace("/products/kestrel-c2", "text/html");
  const markdown = await getFace("/products/kestrel-c2", "text/markdown, text/html, */*");
  expect([html.type, html.vary]).toEqual(["text/html; charset=utf-8", "Accept, Accept-Encoding"]);
  expect([markdown.type, markdown.vary]).toEqual(["text/markdown; charset=utf-8", "Accept, Accept-Encoding"]);
  expect((await getFace("/", "text/markdown")).text).toContain("\n# Things to test with\n");
  expect((await getFace("/products/kestrel-c2.md", "*/*")).text).toBe(markdown.text);
});

test("the dev server serves llms.txt, the sitemap and llms-full.txt", async () => {
  const { text, type } = await getFace("/llms-full.txt", "*/*");
  expect(type).toBe("text/plain; charset=utf-8");
  expect(text).toContain(`\n${(await getFace("/products/kestrel-c2.md", "*/*")).text}\n`);
  expect((await getFace("/llms.txt", "*/*")).text).toContain("/products/kestrel-c2.md): ");
  expect((await getFace("/sitemap.xml", "*/*")).text).toContain("/products/kestrel-c2</loc>");
});

test("a renamed page's old address redirects to the new one", async () => {
  const answer = await fetch(`${shop.url}/products/kestrel-c1`, { redirect: "manual" });
  expect([answer.status, answer.headers.get("location")]).toEqual([301, "/products/kestrel-c2"]);
});

test("a change appears in both faces without a restart", async () => {
  writeFileSync(product, text.replace(/^brand: .*$/m, "brand: Newbrand"));
  for (const accept of ["text/html", "text/markdown"]) {
    const seen = async () => expect((await getFace("/products/kestrel-c2", accept)).text).toContain("Newbrand");
    await eventually(seen);
  }
});

test("a mistake is reported with file, line and advice as soon as it is saved", async () => {
  writeFileSync(product, text.replace(/^brand: /m, "brnad: "));
  const reported = () =>
    expect(shop.output()).toMatch(
      /content\/products\/barcode-scanners\/kestrel-c2\.md:\d+: .*brnad.*Did you mean `brand`/,
    );
  await eventually(reported);
});

test("a change of the API's code is seen once it is saved, also where it needs more than its types taken out", async () => {
  const file = join(workspace, "api/partners/erp/status.ts");
  const code = readFileSync(file, "utf8").replace("packageJson.version", "Saved.version");
  writeFileSync(file, `${code}\nenum Saved {\n  version = "saved",\n}\n`);
  await eventually(async () => expect((await getFace("/api/erp/status", "*/*")).text).toContain('"version":"saved"'));
});

test("Ctrl-C stops every child", async () => {
  const pids = processTree(String(shop.process.pid));
  expect(pids.length).toBeGreaterThanOrEqual(6);
  expect(await shop.stop()).toBe(0);
  await expectGone(pids);
});
