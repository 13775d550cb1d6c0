import { afterAll, beforeAll, expect, test } from "vitest";
import { movedFiles } from "../../site/finish/moved-pages.ts";
import { headerLines } from "./raw-request.ts";
import { runNginx, type TestNginx } from "./run-nginx.ts";

const LONGEST = "x".repeat(252);
const LIST = `/products/old /products/404
/products/${LONGEST} /products/404
/products/404 /nowhere
/categories/old /categories/new
/categories/old/page/2 /categories/new/page/2
/products/gro%CC%88%C3%9Fe /products/gr%C3%B6%C3%9Fe
`;
// Old addresses of Shopify, WooCommerce, Magento and OpenCart.
const CSV = `from,to
/collections/scanners,/categories/new
/product/old-scanner/,/products/404#specifications
/Shop/Alt.html,/about
/catalog/product/view/id/7,
/wp-content/uploads/Manual.pdf,/documents/404/manual.pdf
/?p=12,/products/404
/?p=12&lang=de,/about
/?page_id=3,
/index.php?route=product/product&product_id=5,/products/404?sku=A-1
/index.php?route=product/category&path=20_27,https://old.example/20?x=1
/item.php?id=5,/products/404
/item.php,/about
/קטגוריה/נעליים,/categories/new
/größe,/products/größe
"/a,b",/
`;
let nginx: TestNginx;

beforeAll(async () => {
  nginx = await runNginx({
    "index.html": "<html>home",
    "index.md": "# Home",
    "404.html": "<html>nothing here",
    "404.md": "# Nothing here",
    "410.html": "<html>gone for good",
    "410.md": "# Gone for good",
    "products/404.html": "<html>a product called 404",
    "products/404.md": "# A product called 404",
    ...Object.fromEntries(movedFiles(LIST, CSV, (path) => path !== "/documents/404/manual.pdf")),
  });
});
afterAll(() => nginx.stop());

test.each([
  ["/about/", "/about"],
  ["/about/?a=1&b=%20", "/about?a=1&b=%20"],
  ["/about.html", "/about"],
  ["/index.html", "/"],
  ["/index.html/", "/"],
  ["/products/old?x=1", "/products/404?x=1"],
  ["/products/old.md?x=%0d%0a", "/products/404.md?x=%0d%0a"],
  ["/index.php/products/old?x=1", "/products/404?x=1"],
  ["/index.php/products/old.md", "/products/404.md"],
  [`/products/${LONGEST}`, "/products/404"],
  ["/categories/old", "/categories/new"],
  ["/categories/old/page/2.md", "/categories/new/page/2.md"],
  ["/index.php/about/", "/about"],
  ["/products/old", "/products/404"],
  ["/products/old.md", "/products/404.md"],
  ["//evil.example/", "/evil.example"],
  ["/collections/scanners", "/categories/new"],
  ["/collections/scanners/?utm=1", "/categories/new?utm=1"],
  ["/product/old-scanner/", "/products/404#specifications"],
  ["/product/old-scanner?a=1", "/products/404?a=1#specifications"],
  ["/product/old-scanner.md", "/products/404.md#specifications"],
  ["/Shop/Alt.html", "/about"],
  ["/index.php/Shop/Alt.html?x", "/about?x"],
  ["/wp-content/uploads/Manual.pdf", "/documents/404/manual.pdf"],
  ["/wp-content/uploads/Manual.pdf.md", "/documents/404/manual.pdf"],
  ["/?p=12", "/products/404"],
  ["/?utm=a&p=12&b=%20", "/products/404?utm=a&b=%20"],
  ["/?lang=de&p=12", "/about"],
  ["/?p=12&lang=fr", "/products/404?lang=fr"],
  ["/index.php?product_id=5&route=product%2Fproduct", "/products/404?sku=A-1"],
  ["/index.php?route=product/category&path=20_27&z=1", "https://old.example/20?x=1&z=1"],
  ["/item.php?id=5&y=2", "/products/404?y=2"],
  ["/item.php?id=6", "/about?id=6"],
  ["/%D7%A7%D7%98%D7%92%D7%95%D7%A8%D7%99%D7%94/%d7%a0%d7%a2%d7%9c%d7%99%d7%99%d7%9d/", "/categories/new"],
  ["/gr%C3%B6%C3%9Fe", "/products/gr%C3%B6%C3%9Fe"],
  ["/gro%CC%88%C3%9Fe.md?q=%C3%B6", "/products/gr%C3%B6%C3%9Fe.md?q=%C3%B6"],
  ["/products/gro%CC%88%C3%9Fe", "/products/gr%C3%B6%C3%9Fe"],
  ["/a,b", "/"],
  ["/a%2Cb.md", "/index.md"],
  ["/k%C3%B6r/?x=1", "/k%C3%B6r?x=1"],
  ["/k%C3%B6r.html", "/k%C3%B6r"],
  ["/about%3Fx/", "/about%3Fx"],
  ["/about%3fx.html?y=%3F", "/about%3Fx?y=%3F"],
  ["/a%20b%3F%23/", "/a%20b%3F%23"],
  ["/?%70=1%32&p=12&a=%70", "/products/404?a=%70"],
  ["/?p=1&p=2&p=3&p=12", "/products/404?p=1&p=2&p=3"],
  [`/?${"a&".repeat(49)}p=12&b`, `/products/404?${"a&".repeat(49)}b`],
])("%s redirects to %s", async (from, to) => {
  for (const method of ["GET", "HEAD"]) {
    const answer = await nginx.send(`${method} ${from}`);
    expect(answer.status).toBe(301);
    expect(headerLines(answer, "location")).toEqual([to]);
    expect(headerLines(answer, "cache-control")).toEqual(["public, max-age=3600"]);
  }
});

test.each(["/products/old", "/products/old.md", "/index.php/products/old", "/index.html", "/about/"])(
  "POST to %s is not redirected",
  async (path) => {
    const answer = await nginx.send(`POST ${path}`, { "Content-Length": "0" });
    expect([answer.status, headerLines(answer, "allow")]).toEqual([405, ["GET, HEAD"]]);
    expect(headerLines(answer, "location")).toEqual([]);
  },
);

test("a page wins over a former address that is the same", async () => {
  expect((await nginx.get("/products/404")).status).toBe(200);
  expect((await nginx.get("/products/404.md")).status).toBe(200);
});

test.each(["/products/old/more", "/old", "/products/old.md.md", "/products/old.json"])(
  "%s gets 404, not a redirect",
  async (path) => {
    expect((await nginx.get(path)).status).toBe(404);
  },
);

test("bytes beyond ASCII in a path or query are percent-encoded in Location, as they came or not", async () => {
  const bytes = Buffer.from("ö").toString("latin1");
  for (const [from, to] of [
    [`/k${bytes}r/?x=${bytes}`, "/k%C3%B6r?x=%C3%B6"],
    [`/about/?x=${bytes}`, "/about?x=%C3%B6"],
    [`/products/old?x=${bytes}`, "/products/404?x=%C3%B6"],
    ["/%ff%c0%af/", "/%FF%C0%AF"],
    ["/%c3%b6%3fa%23%22%25%20/", "/%C3%B6%3Fa%23%22%25%20"],
  ] as const)
    expect(headerLines(await nginx.get(from), "location")).toEqual([to]);
});

test.each([
  ["/catalog/product/view/id/7", "text/html"],
  ["/catalog/product/view/id/7?x=1", "text/markdown"],
  ["/catalog/product/view/id/7.md", "text/markdown"],
  ["/?page_id=3", "text/html"],
])("%s is gone, which a page says", async (path, face) => {
  const answer = await nginx.get(path, { Accept: face });
  expect(answer.status).toBe(410);
  expect(headerLines(answer, "content-type")).toEqual([`${face}; charset=utf-8`]);
  expect(headerLines(answer, "location")).toEqual([]);
  expect(answer.body.toString()).toMatch(/gone for good/i);
});

test.each([
  `/?${"a&".repeat(50)}p=12`,
  "/?p=1&p=2&p=3&p=4&p=12",
  "/?__proto__=12&toString",
  "/?p%3D12",
  "/",
  "/?p=13",
  "/?utm_source=x",
  "/?P=12",
  "/index.php?route=product/product",
  "/?p=12%00",
  "/?p=%ff",
])("%s is the home page", async (path) => {
  const answer = await nginx.get(path, { Accept: "text/markdown" });
  expect([answer.status, answer.body.toString()]).toEqual([200, "# Home"]);
  expect(headerLines(answer, "content-location")).toEqual(["/index.md"]);
});

test.each([
  "/shop/alt.html.x",
  "/collections",
  "/catalog/product/view/id",
  "/a%00b",
  "/x%0d%0aLocation:%20/",
  "/%ff",
  "/_home?p=12",
  "/item.php%3Fid=5",
])("%s leads nowhere", async (path) => {
  const answer = await nginx.get(path);
  expect([400, 404]).toContain(answer.status);
  expect(headerLines(answer, "location")).toEqual([]);
});
