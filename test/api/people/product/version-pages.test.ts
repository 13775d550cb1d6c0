import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readMain } from "../basket/page-text.ts";
import { checkedIn, startTees, teePage } from "./tees.ts";

test("the address of a version is the built page with its pills checked, and nothing else changed", async () => {
  const { visitor } = await startTees();
  const white = await visitor.get("/products/tee?sku=WHITE-M&utm_source=feed");
  expect(white.statusCode).toBe(200);
  expect(white.payload).toBe(
    teePage
      .replace(' value="Red" required checked>', ' value="Red" required>')
      .replace(/(value="(?:White|M)" required)>/g, "$1 checked>"),
  );
  expect(white.headers).toMatchObject({ "content-type": "text/html; charset=utf-8", "cache-control": "no-cache" });
  for (const name of ["etag", "set-cookie", "last-modified", "vary"]) expect(white.headers[name]).toBeUndefined();
  const odd = await visitor.get("/products/tee?sku=B%26W%2F%22S%22");
  expect(checkedIn(odd.payload)).toEqual(["o1 Black &#38; &#34;white&#34; checked > red", "o2 S"]);
  expect(checkedIn((await visitor.get("/products/tee?sku=RED-M")).payload)).toEqual(["o1 Red", "o2 M"]);
});

test("a SKU that isn't the product's, or is sold no more, is the page with a sentence above the form", async () => {
  const { visitor } = await startTees();
  const hostile = ["NONE", "red-s", "RED-S ", "MUG", "RED-L", "", "<script>", "é", "%", "x".repeat(8_000), "\u0000"];
  for (const sku of hostile) {
    const { statusCode, payload } = await visitor.get(`/products/tee?sku=${encodeURIComponent(sku)}`);
    const notice = /<p class="notice"[^>]*>We don’t have the version in this link\. Please choose one\.<\/p>\n/;
    expect([sku, statusCode, payload.replace(notice, "")]).toEqual([sku, 200, teePage]);
    expect(payload).toMatch(/<\/p>\n<form class="order"/);
  }
});

test("the values of options lead to the version's address, or the page says which one is nearest", async () => {
  const { visitor } = await startTees();
  const ask = (query: Record<string, string>) => visitor.get(`/products/tee?${new URLSearchParams(query)}`);
  for (const [o1, o2, location] of [
    ["Red", "S", "/products/tee?sku=RED-S"],
    ["Red", "M", "/products/tee?sku=RED-M"],
    ['Black & "white" checked > red', "S", "/products/tee?sku=B%26W%2F%22S%22"],
  ] as const) {
    const { statusCode, headers } = await ask({ o1, o2, product: "tee", quantity: "3" });
    expect([statusCode, headers.location, headers["cache-control"]]).toEqual([303, location, "no-cache"]);
  }
  const table: [query: Record<string, string>, checked: string[], notice: string][] = [
    [
      { o1: "White", o2: "S" },
      ["o1 White", "o2 S"],
      "Tee, White / S isn’t made. The closest version that you can order: Red / S",
    ],
    [
      { o1: "Red", o2: "L" },
      ["o1 Red"],
      "Tee, Red / L is no longer sold. The closest version that you can order: Red / S",
    ],
    [{ o1: "White" }, ["o1 White"], "Please choose for Tee: Size."],
    [{ o1: "<b>" }, ["o1 Red"], "Please choose for Tee: Colour, Size."],
    [{ o1: "White", o2: "S", o3: "Wool" }, ["o1 White", "o2 S"], "Tee, White / S isn’t made."],
    [{ o1: "" }, ["o1 Red"], "Please choose for Tee: Colour, Size."],
  ];
  for (const [query, checked, notice] of table) {
    const { statusCode, payload } = await ask(query);
    expect([query, statusCode, checkedIn(payload)]).toEqual([query, 200, checked]);
    expect(readMain(payload)).toContain(notice);
  }
  expect((await ask({ o1: "White", o2: "S" })).payload).toContain('<a href="/products/tee?sku=RED-S">Red / S</a>');
});

test("a product with one version, a page of an earlier release and a query of no meaning are the page as it is", async () => {
  const { visitor, folder } = await startTees();
  expect((await visitor.get("/products/mug?sku=MUG")).payload).toBe("<html><h1>Mug</h1>");
  expect((await visitor.get("/products/mug?o1=")).headers.location).toBe("/products/mug");
  for (const query of ["SKU=RED-S", "O1=Red&O2=S", "utm_source=feed"])
    expect((await visitor.get(`/products/tee?${query}`)).payload).toBe(teePage);
  const earlier = '<html><h1>Tee</h1><input type="radio" id="choose-0" name="sku" value="RED-S" required checked>';
  writeFileSync(join(folder, "tee.html"), earlier);
  for (const query of ["sku=RED-S", "sku=NONE", "o1=Red"])
    expect((await visitor.get(`/products/tee?${query}`)).payload).toBe(earlier);
  // Its pills lack a value of the version.
  const behind = teePage.replace('value="White"', 'value="Ecru"');
  writeFileSync(join(folder, "tee.html"), behind);
  expect((await visitor.get("/products/tee?sku=WHITE-M")).payload).toBe(behind);
});

test("of a product with more versions than the style sheet can show, the chosen one's line is shown", async () => {
  const { visitor, folder } = await startTees();
  const lines =
    '<ul class="unseen"><li data-o1="1" data-o2="1">Red / S: €9</li><li data-o1="2" data-o2="2">White / M: €8</li></ul>';
  const page = teePage.replace("</form>", `${lines}</form>`);
  writeFileSync(join(folder, "tee.html"), page);
  const shown = '<ul class="shown"><li data-o1="2" data-o2="2">White / M: €8</li></ul><ul class="unseen">';
  const { payload } = await visitor.get("/products/tee?sku=WHITE-M");
  expect([payload.split(shown).length, checkedIn(payload)]).toEqual([2, ["o1 White", "o2 M"]]);
  for (const query of ["sku=NONE", "o1=White", "o1=White&o2=S"])
    expect((await visitor.get(`/products/tee?${query}`)).payload).not.toContain('<ul class="shown"');
});

test("a product that isn't sold here has its pills and sentences all the same", async () => {
  const { visitor, folder } = await startTees();
  const page = teePage.replace(/<form class="order"[^>]*>/, '<div class="order">').replace("</form>", "</div>");
  writeFileSync(join(folder, "tee.html"), page);
  expect((await visitor.get("/products/tee?sku=NONE")).payload).toMatch(/<\/p>\n<div class="order">/);
  expect(checkedIn((await visitor.get("/products/tee?sku=WHITE-M")).payload)).toEqual(["o1 White", "o2 M"]);
});

test("what is no product's page isn't read, and without a build the page is unavailable", async () => {
  const { visitor, sessionPages } = await startTees();
  writeFileSync(join(sessionPages, "..", "secret.html"), "secret");
  for (const slug of ["none", "..%2fsecret", "%2e%2e%2fsecret", "tee.html", "TEE", "tee%00", "-"]) {
    const { statusCode, payload } = await visitor.get(`/products/${slug}?sku=RED-S`);
    expect([slug, statusCode]).toEqual([slug, 404]);
    expect(payload).not.toContain("secret");
  }
  expect((await visitor.post("/products/tee?sku=RED-S", {})).statusCode).toBe(405);
  const broken = await startTees();
  rmSync(broken.sessionPages, { recursive: true });
  expect((await broken.visitor.get("/products/tee?sku=RED-S")).statusCode).toBe(503);
});
