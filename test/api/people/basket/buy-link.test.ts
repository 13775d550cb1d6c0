import { expect, test } from "vitest";
import { shippingTo, shopFacts } from "../../selling/quote/shop.ts";
import { arrivalDay, readMain } from "./page-text.ts";
import { startShop } from "./shop.ts";

test("a link's page offers its versions with prices, delivery and total, and one button", async () => {
  const { visitor } = await startShop({ sku: "A", title: "Black", price: "121.00" }, { sku: "B", price: "10.00" });
  const { statusCode, headers, payload } = await visitor.get("/buy/A:2,B:1");
  expect([statusCode, headers["content-type"], headers["cache-control"]]).toEqual([
    200,
    "text/html; charset=utf-8",
    "no-store",
  ]);
  const text = readMain(payload);
  for (const shown of [
    "Tavrel C30",
    "Black",
    "each €100.00 net (€121.00 with 21% VAT) together €200.00 net (€242.00 with 21% VAT)",
    "€8.26 net (€10.00 with 21% VAT)",
    "Total €259.50",
  ])
    expect(text).toContain(shown);
  expect(payload).toContain('name="items" value="A:2,B:1">');
  const added = await visitor.post("/cart/lines", { items: "A:2,B:1" });
  expect(added.statusCode).toBe(303);
  expect(await visitor.quantities()).toEqual({ A: "2", B: "1" });
});

test("fault 29: opening a link, as mail scanners do, writes nothing and sets no cookie, whatever the browser sends", async () => {
  const { db, visitor, statements } = await startShop({ sku: "A" });
  await visitor.post("/cart/lines", { sku: "A", quantity: "1" });
  const rows = async () => [
    await db.selectFrom("sessions").selectAll().execute(),
    await db.selectFrom("basket_lines").selectAll().execute(),
  ];
  const before = await rows();
  statements.length = 0;
  for (const path of ["/buy/A:1", "/buy/NONE:1", "/buy/x", "/buy/A:1?country=DE&utm_source=mail"])
    expect((await visitor.get(path)).headers["set-cookie"]).toBeUndefined();
  expect(new Set(statements)).toEqual(new Set(["SelectQueryNode"]));
  expect(await rows()).toEqual(before);
});

test("a version that can't be had is named, and the rest is still offered", async () => {
  const { visitor } = await startShop({ sku: "A" }, { sku: "OUT", availability: "out_of_stock" });
  const { statusCode, payload } = await visitor.get("/buy/A:1,OUT:2,~PGI-:1");
  expect(statusCode).toBe(200);
  const text = readMain(payload);
  expect(text).toContain("Tavrel C30, OUT is out of stock.");
  expect(text).toContain("We have no version with the SKU <b>.");
  expect(payload).toContain('name="items" value="A:1">');
});

test("a link to nothing that the shop has is a 404 without a button", async () => {
  const { visitor } = await startShop({ sku: "A" });
  const { statusCode, payload } = await visitor.get("/buy/NONE:1");
  expect(statusCode).toBe(404);
  expect(readMain(payload)).toContain("Nothing on this list can be ordered.");
  expect(payload).not.toContain("<form");
});

test("a list of which nothing can be ordered isn't offered for the basket, in either face", async () => {
  const { visitor } = await startShop({ sku: "A" }, { sku: "OUT", availability: "out_of_stock" });
  for (const face of ["html", "md"]) {
    const show = async (path: string) => (await visitor.get(path, { "x-face": face })).payload;
    expect(await show("/buy/A:1,OUT:1")).toContain("Check these items, then add them to your basket.");
    const page = await show("/buy/OUT:1");
    expect(page).toContain("Nothing on this list can be ordered.");
    expect(page).toContain("Tavrel C30");
    expect(page).not.toContain("Check these items");
  }
});

test("an address that isn't such a link says how one looks and repeats nothing of it", async () => {
  const { visitor } = await startShop({ sku: "A" });
  for (const path of ["/buy/A", "/buy/A:0", "/buy/A:1000", "/buy/A:%C2%B2", "/buy/%3Cscript%3E:1", "/buy/A:1,,B:1"])
    for (const end of ["", ".md"]) {
      const { statusCode, payload } = await visitor.get(path + end);
      expect([path, statusCode]).toEqual([path, 404]);
      expect(payload).toContain("/buy/SKU:2,SKU:1");
      expect(payload).not.toMatch(/script/i);
    }
});

test("the punctuation of a link may come percent-encoded, as some mail programs send it", async () => {
  const { visitor } = await startShop({ sku: "A" }, { sku: "B" });
  const { payload } = await visitor.get("/buy/A%3A1%2CB%3A2");
  expect(payload).toContain('name="items" value="A:1,B:2">');
});

test("the Markdown face has the same facts and no form, by nginx's word", async () => {
  const { visitor } = await startShop(
    { sku: "A", title: "Black", price: "121.00" },
    { sku: "OUT", availability: "out_of_stock" },
  );
  const { statusCode, headers, payload } = await visitor.get("/buy/A:2,OUT:1", { "x-face": "md" });
  expect([statusCode, headers["content-type"]]).toEqual([200, "text/markdown; charset=utf-8"]);
  for (const line of [
    "# Your selection",
    "- Tavrel C30, OUT is out of stock.",
    "| [Tavrel C30](https://shop.example/products/tavrel-c30.md), Black | A | In stock | €100.00 net (€121.00 with 21% VAT) | 2 | €200.00 net (€242.00 with 21% VAT) |",
    "Deliver to: Netherlands",
    `- Delivery with tax: €7.50. Pay today and it arrives by ${arrivalDay(3)}`,
    "- Net: €206.20",
    "- 21% VAT: €43.30",
    "- Total: €249.50",
    "Link to this selection: https://shop.example/buy/A:2,OUT:1",
  ])
    expect(payload.split("\n")).toContain(line);
  expect(payload).not.toMatch(/<|cart/);
  expect((await visitor.get("/buy/A:2,OUT:1", { "x-face": "html" })).headers["content-type"]).toContain("text/html");
});

test("fault 30: hostile names and SKUs are text in Markdown too", async () => {
  const { visitor } = await startShop({ sku: "a|b`<c>", title: "[x](https://evil.example)\n# <b>", price: "1.00" });
  const { payload } = await visitor.get(`/buy/~${Buffer.from("a|b`<c>").toString("base64url")}:1`, { "x-face": "md" });
  expect(payload).toContain(
    "Tavrel C30](https://shop.example/products/tavrel-c30.md), \\[x\\](https://evil.example) \\# \\<b\\> | a\\|b\\`\\<c\\> | In stock",
  );
});

test("the country in the address decides prices and delivery", async () => {
  const { visitor } = await startShop({ sku: "A", price: "121.00" });
  const { payload } = await visitor.get("/buy/A:1?country=FI");
  expect(readMain(payload)).toContain("Total €142.61");
  expect(payload).toContain('<form class="country" id="cost" action="/buy/A:1">');
  const markdown = async (country: string) =>
    (await visitor.get(`/buy/A:1?country=${country}`, { "x-face": "md" })).payload;
  expect(await markdown("FI")).toContain("- Total: €142.61");
  expect(await markdown("fi")).toBe(await markdown("FI"));
});

test("a territory that a zone names can be chosen by its code; the others of a country are named as not delivered to", async () => {
  const shipping = shippingTo(
    { price: "7.50", countries: ["NL", "ES"] },
    { price: "30.25", countries: ["ES-CN", "FI-01"] },
  );
  const tax = { ...shopFacts().tax, registration: null, rates: { NL: "0.21", ES: "0.21" }, export: [] };
  const facts = { tax, shipping };
  const { visitor } = await startShop({ sku: "A", price: "121.00" }, { facts });
  for (const face of ["html", "md"]) {
    const show = async (country: string) => {
      const { payload } = await visitor.get(`/buy/A:1?country=${country}`, { "x-face": face });
      return face === "html" ? readMain(payload) : payload;
    };
    expect(await show("ES")).toContain("Not delivered to: Ceuta and Melilla");
    expect(await show("NL")).not.toContain("Not delivered to");
    const inTenerife = await show("es-cn");
    expect(inTenerife).toContain("Spain (Canary Islands)");
    expect(inTenerife).toContain("€125.00"); // 100.00 and 25.00 without tax
    expect(inTenerife).toContain("Delivery outside the EU’s VAT area, VAT-exempt");
    expect(inTenerife).not.toContain("Not delivered to");
    expect(await show("FI-01")).toContain("Åland");
  }
  const added = await visitor.post("/cart/lines", { items: "A:1", country: "ES-CN" });
  expect(added.headers.location).toBe("/cart?country=ES-CN&added=A:1&opened=1");
  const { payload } = await visitor.get("/cart?country=ES-CN");
  expect(payload).toContain('<option value="ES-CN" selected>Spain (Canary Islands)</option>');
  const form = (await visitor.get("/checkout?country=ES-CN")).payload;
  expect(form).toContain('<option value="ES" selected>Spain</option>');
  expect(form).not.toContain("ES-CN");
});

test("the country in the address goes into the basket with the items, also when one of them is refused", async () => {
  const { visitor } = await startShop({ sku: "A" }, { sku: "OUT", availability: "out_of_stock" });
  const field = '<input type="hidden" name="country" value="FI">';
  const button = (unchosen: string) => `form="cost" formaction="/cart/lines?default=${unchosen}" formmethod="post"`;
  expect((await visitor.get("/buy/A:1?country=FI")).payload).toContain(button(",standard"));
  for (const path of ["/buy/A:1", "/buy/A:1?country=US"])
    expect((await visitor.get(path)).payload).toContain(button("NL,standard"));
  const refused = await visitor.post("/cart/lines", { items: "A:1,OUT:1", country: "FI" });
  expect(refused.statusCode).toBe(422);
  expect(/<form class="adding"[\s\S]*?<\/form>/.exec(refused.payload)?.[0]).toContain(field);
  const added = await visitor.post("/cart/lines", { items: "A:1", country: "FI" });
  expect(added.headers.location).toBe("/cart?country=FI&added=A:1&opened=1");
  const again = await visitor.post("/cart/lines", { items: "A:1", country: "FI" });
  expect(again.headers.location).toBe("/cart?country=FI&added=A:1");
});

test("a territory with another tax than its country is offered below it, and any that is delivered to can be asked for", async () => {
  const shipping = shippingTo({ price: "7.50", countries: ["NL", "AT", "FR", "PT", "GB", "CH"] });
  const rates = { NL: "0.21", AT: "0.20", FR: "0.20", PT: "0.23", XI: "0.20" };
  const tax = { ...shopFacts().tax, registration: null, rates, export: ["GB", "CH"] };
  const facts = { tax, shipping };
  const { visitor } = await startShop({ sku: "A", price: "121.00" }, { facts });
  const show = async (country: string) => (await visitor.get(`/buy/A:1?country=${country}`)).payload;
  const optionsOf = (page: string) =>
    [...page.matchAll(/<option value="(.*?)"( selected)?>(.*?)</g)].map(
      ([, code, isChosen, name]) => `${code} ${name}${isChosen ? " *" : ""}`,
    );
  const totalOf = (page: string) => /Total (€[\d.]+)/.exec(readMain(page))?.[1];
  const belfast = await show("XI");
  expect(optionsOf(belfast)).toEqual([
    "AT Austria",
    "AT-JUNGHOLZ Austria (Jungholz)",
    "AT-MITTELBERG Austria (Mittelberg)",
    "FR France",
    "NL Netherlands",
    "PT Portugal",
    "PT-20 Portugal (Azores)",
    "PT-30 Portugal (Madeira)",
    "CH Switzerland",
    "GB United Kingdom",
    "XI United Kingdom (Northern Ireland) *",
  ]);
  expect(belfast).not.toContain("We don’t deliver");
  const prices = { XI: "€127.44", "GB-NIR": "€127.44", GB: "€106.20", "PT-20": "€123.19", PT: "€130.62" };
  for (const [code, total] of Object.entries(prices)) expect([code, totalOf(await show(code))]).toEqual([code, total]);
  const cart = await visitor.post("/cart/lines", { items: "A:1", country: "XI" });
  expect(cart.headers.location).toBe("/cart?country=XI&added=A:1&opened=1");
  for (const [code, name, country] of [
    ["IM", "Isle of Man", "GB"],
    ["LI", "Liechtenstein", "CH"],
    ["MC", "Monaco", "FR"],
  ] as const) {
    const page = (await visitor.get(`/cart?country=${code}`)).payload;
    expect(optionsOf(page)).toContain(`${code} ${name} *`);
    expect(page).not.toContain("We don’t deliver");
    expect(totalOf(page)).toBe(totalOf(await show(country)));
    const form = (await visitor.get(`/checkout?country=${code}`)).payload;
    expect(/<option value="(\w+)" selected>/.exec(form)?.[1]).toBe(country);
  }
  expect(readMain((await visitor.get("/buy/A:1?country=JE")).payload)).toContain("We don’t deliver");
});

test.each(["US", "JE", "XX", "Finland"])(
  "a link for %s, where the shop doesn't deliver, says so in both faces",
  async (country) => {
    const { visitor } = await startShop({ sku: "A", price: "121.00" });
    const notice =
      "We don’t deliver to the country that was asked for. Prices and delivery are for another one: Netherlands.";
    for (const face of ["html", "md"]) {
      const show = async (path: string) => (await visitor.get(path, { "x-face": face })).payload;
      expect((await show(`/buy/A:1?country=${country}`)).split("\n")).toContainEqual(expect.stringContaining(notice));
      for (const path of ["/buy/A:1", "/buy/A:1?country=", "/buy/A:1?country=FI", `/buy/NONE:1?country=${country}`])
        expect(await show(path)).not.toContain("We don’t deliver");
    }
  },
);
