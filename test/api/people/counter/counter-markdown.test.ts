import { expect, test } from "vitest";
import { between, kitchen, offered, startKitchen } from "./counter-shop.ts";

const md = { "x-face": "md" };

test("the Markdown face says what is chosen, what goes with it and why, the total and both links", async () => {
  const { visitor } = await startKitchen({ TRAY: { price: "0.10" } });
  const { statusCode, headers, payload } = await visitor.get("/counter?chosen=OVEN-S+TRAY", md);
  expect([statusCode, headers["content-type"]]).toEqual([200, "text/markdown; charset=utf-8"]);
  for (const line of [
    "url: https://shop.example/counter?chosen=OVEN-S+TRAY",
    "# Build your counter",
    "Choose by adding SKUs to the address, in any order: https://shop.example/counter?chosen=SKU+SKU",
    "Chosen: [The oven](https://shop.example/products/oven.md), Version OVEN-S, OVEN-S, €8.26 net (€10.00 with VAT), In stock",
    "- With The oven: same width",
    "| [The salt](https://shop.example/products/salt.md) | SALT | In stock | €8.26 net (€10.00 with VAT) | With The oven: for cleaning |",
    "| [The hood](https://shop.example/products/hood.md) | HOOD | In stock | €8.26 net (€10.00 with VAT) | With The tray: closes over it |",
    "- Total: €8.34 net (€10.10 with VAT). Without delivery. All of it is in stock.",
    "- Link to this page, to keep or to send: https://shop.example/counter?chosen=OVEN-S+TRAY",
    "- Link to order exactly this: https://shop.example/buy/OVEN-S:1,TRAY:1",
  ])
    expect(payload.split("\n")).toContain(line);
  expect(payload).not.toMatch(/<|\n\n\n/);
});

test("the column is headed as what it holds: what a product is, or why it goes with what is chosen", async () => {
  const { visitor } = await startKitchen();
  const read = async (query: string) => {
    const { payload } = await visitor.get(`/counter${query}`, md);
    return payload.split("\n").filter((line) => /^\| (?:Item|\[The (?:oven|hood)\])/.test(line));
  };
  const [head, oven] = await read("");
  expect(head).toMatch(/\| What it is \|$/);
  expect(oven).toMatch(/\| About oven\. \|$/);
  const [reasons] = await read("?chosen=OVEN-S+TRAY");
  expect(reasons).toMatch(/\| Why it fits \|$/);
});

test("both faces offer the same versions and say the same is wrong", async () => {
  const { visitor } = await startKitchen({ "FOIL-2": { availability: "out_of_stock" } });
  for (const query of ["", "?chosen=OVEN-S", "?chosen=STOVE+TRAY", "?chosen=OVEN-S+TRAY+HOOD+FOIL-1", "?chosen=NONE"]) {
    const html = await visitor.get(`/counter${query}`);
    const { statusCode, payload } = await visitor.get(`/counter${query}`, md);
    expect([query, statusCode]).toEqual([query, html.statusCode]);
    const rows = [...payload.matchAll(/^\| \[.*?\)[^|]*\| (\S+) \| ([^|]+) \|/gm)];
    const open = rows.flatMap(([, sku = "", availability]) => (availability === "Out of stock" ? [] : sku));
    const chosen = new URLSearchParams(query).get("chosen")?.split(" ") ?? [];
    expect([query, open.filter((sku) => !chosen.includes(sku))]).toEqual([query, offered(html.payload)]);
    for (const said of payload.match(/^- .*(?:isn’t known to go|can be chosen here).*$/gm) ?? [])
      expect(html.payload).toContain(said.slice(2));
  }
});

test("both faces say the same cautions", async () => {
  const relations = [...kitchen.relations, between("fan", "tray", "keeps it cool")];
  const { visitor } = await startKitchen(
    {},
    { counter: { ...kitchen, relations, cautions: [between("fan", "oven", "it melts")] } },
  );
  const offer = await visitor.get("/counter?chosen=OVEN-S+TRAY", md);
  expect(offer.payload).toContain("| With The tray: keeps it cool; Not with The oven: it melts |");
  const both = await visitor.get("/counter?chosen=OVEN-S+TRAY+FAN", md);
  expect(both.payload.split("\n")).toContain("- The fan doesn’t go with The oven: it melts.");
  expect(both.payload).not.toMatch(/\n\n\n/);
});

test("hostile names and SKUs are text in both faces, and the address stays one", async () => {
  const { visitor } = await startKitchen({
    TRAY: { product_title: "[x](https://evil.example)\n# <b>", title: "[x](https://evil.example)\n# <b>" },
  });
  const { payload } = await visitor.get("/counter?chosen=OVEN-S+TRAY+%3Cb%3E|*`", md);
  expect(payload).toContain("Nothing with the SKU \\<b\\>\\|\\*\\` can be chosen here.");
  expect(payload).toContain("\\[x\\](https://evil.example) \\# \\<b\\>");
  expect(payload).toContain("\nurl: https://shop.example/counter?chosen=OVEN-S+TRAY\n");
  const html = await visitor.get("/counter?chosen=OVEN-S+TRAY+%3Cb%3E");
  expect(html.payload).not.toMatch(/<b>/);
});
