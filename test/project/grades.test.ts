import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { formatGrades, type Grade, hasMissed } from "../grade/grades.ts";
import { gradeLinks } from "../grade/links.ts";
import { checkMerchantRules } from "../grade/merchant-rules.ts";
import { readPages } from "../grade/pages.ts";

const grade = (row: Partial<Grade>): Grade => {
  return { grader: "HTML", subject: "product", figures: "2 pages", bar: "0 errors", problems: [], notes: [], ...row };
};

/** Serves the given bodies by path, as HTML, as Markdown where that is asked for, and as XML. Returns its address. */
async function serve(bodies: (address: string) => Record<string, string>): Promise<string> {
  let pages: Record<string, string> = {};
  const server = createServer(({ url = "", headers }, answer) => {
    const body = pages[url];
    const type = headers.accept?.startsWith("text/markdown") ? "text/markdown" : "text/html";
    answer.writeHead(body === undefined ? 404 : 200, { "content-type": url.endsWith(".xml") ? "text/xml" : type });
    answer.end(body);
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  pages = bodies(address);
  return address;
}

const sitemap = (...urls: string[]) => `<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join("")}</urlset>`;

test("a fault on several pages is one line that names the first pages", () => {
  const problems = ["a", "b", "c", "d", "e", "f"].map((page) => ({
    what: "no title",
    url: `https://a.example/${page}`,
  }));
  const lines = formatGrades([grade({ problems }), grade({ subject: "home" })]).split("\n");
  expect(lines).toContain("  ✗  HTML    product  2 pages  0 errors");
  expect(lines).toContain("  ✓  HTML    home     2 pages  0 errors");
  expect(lines).toContain("    no title (/a, /b, /c, /d, and 2 more)");
  expect(lines).toContain("1 reached, 1 missed");
});

test("a note doesn't miss a bar", () => {
  const noted = grade({ notes: [{ what: "no colour" }] });
  expect(hasMissed(noted)).toBe(false);
  expect(formatGrades([noted])).toContain("Worth knowing\n\n  HTML product\n    no colour\n");
});

test("every page of every part of the sitemap is read in both faces", async () => {
  const address = await serve((address) => ({
    "/sitemap.xml": `<sitemapindex><sitemap><loc>${address}/sitemaps/1.xml</loc></sitemap></sitemapindex>`,
    "/sitemaps/1.xml": sitemap(`${address}/products/a`, `${address}/`),
    "/products/a": "A",
    "/": "Home",
  }));
  const { value } = await readPages(address);
  expect(value.map(({ url, kind }) => [url, kind])).toEqual([
    [`${address}/`, "home"],
    [`${address}/products/a`, "product"],
  ]);
});

test("a shop with another base address isn't graded, and the message says how to start it", async () => {
  const address = await serve(() => ({ "/sitemap.xml": sitemap("https://shop.example/") }));
  await expect(readPages(address)).rejects.toThrow(`BASE_URL=${address} npm start`);
});

test("a page that is in the sitemap but missing is named", async () => {
  const address = await serve((address) => ({ "/sitemap.xml": sitemap(`${address}/gone`) }));
  await expect(readPages(address)).rejects.toThrow(`${address}/gone is in the sitemap, but answers 404`);
});

test("links to missing pages and anchors are broken; links to other sites aren't followed", async () => {
  const html = `<h1 id="top">A</h1><a href="/b#end">b</a><a href="#top">a</a><a href="/b#no">c</a><a href="/gone">d</a>
    <img src="/no.png" srcset="/b 1x, /no-2.png 2x"><a href="mailto:a@b.example">e</a><a href="https://b.example/">f</a>`;
  const address = await serve(() => ({ "/a": html, "/b": '<p id="end">B</p>' }));
  const { value } = await gradeLinks([{ url: `${address}/a`, kind: "text", html, markdown: "" }], address);
  expect(value[0]?.problems.map(({ what }) => what)).toEqual([
    "/b#no leads to a missing anchor",
    "/gone answers 404",
    "/no.png answers 404",
    "/no-2.png answers 404",
  ]);
});

test.each([
  [{ price: "0.00", priceCurrency: "EUR" }, "Offer's price is not above 0"],
  [{ price: "1,299.00", priceCurrency: "EUR" }, "Offer's price isn't a number: 1,299.00"],
  [{ price: "9.00", priceCurrency: "EURO" }, "Offer's currency isn't in ISO 4217: EURO"],
  [{ price: "9.00" }, "Offer has no priceCurrency"],
])("the offer %j breaks Google's rules", (offer, problem) => {
  expect(checkMerchantRules("Offer", offer, false).problems).toEqual([problem]);
});

test("an organisation needs a logo as the subject of a page, not as a seller", () => {
  const node = { "@type": "Organization", name: "Counterwell" };
  expect(checkMerchantRules("Organization", node, true).missing).toContain("Organization.logo");
  expect(checkMerchantRules("Organization", node, false).missing).toEqual([]);
});
