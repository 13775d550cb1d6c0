import { expect, test } from "vitest";
import { MAX_LINES } from "../../../../api/people/basket/items.ts";
import type { Variant } from "../../../../api/selling/catalogue/variants.ts";
import { startTees } from "../product/tees.ts";
import { arrivalDay, readMain } from "./page-text.ts";
import { startShop } from "./shop.ts";

const HOSTILE = [
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "{{ total }}{% if true %}",
  "ماسح ضوئي",
  "Scanner 🛒",
  "&amp; \u2028 \u202E",
  "| [a](https://evil.example) `b`",
];

test("a version that is put into the basket is there with its price, delivery and total", async () => {
  const { visitor } = await startShop({ sku: "A", title: "Black", price: "189.00" });
  const added = await visitor.post("/cart/lines", { sku: "A", quantity: "2" });
  expect([added.statusCode, added.headers.location]).toEqual([303, "/cart?added=A:2&opened=1"]);
  const basket = await visitor.get("/cart?opened=1");
  expect(basket.statusCode).toBe(200);
  expect(basket.headers["cache-control"]).toBe("no-store");
  const text = readMain(basket.payload);
  for (const shown of [
    "Tavrel C30",
    "Black",
    "SKU A",
    "each €156.20 net (€189.00 with 21% VAT)",
    "together €312.40 net (€378.00 with 21% VAT)",
    "Delivery with tax €7.50",
    "Total €385.50 Net €318.60 21% VAT €66.90",
  ])
    expect(text).toContain(shown);
  expect(basket.payload).toContain('formaction="/checkout"');
});

test("the basket names what was just added, with the way on, and only what it really has", async () => {
  const { visitor } = await startShop({ sku: "A", title: "Black" }, { sku: "B", title: "White" });
  const read = async (path: string) => readMain((await visitor.get(path)).payload);
  expect(await read("/cart?added=A:1")).not.toContain("Added");
  const { headers } = await visitor.post("/cart/lines", { items: "A:2,B:1" });
  expect(await read(String(headers.location))).toContain(
    "Added to your basket: 2 × Tavrel C30, Black; 1 × Tavrel C30, White Go to checkout Continue shopping",
  );
  expect(await read("/cart?added=A:2,B:9,NONE:1")).toContain("Added to your basket: 2 × Tavrel C30, Black Go to");
  for (const added of ["", "A:3", "NONE:1", "many", "%3Cb%3E", "A:1&added=B:1"])
    expect([added, await read(`/cart?added=${added}`)]).toEqual([added, expect.not.stringContaining("Added")]);
});

test("a list that is too long for an address is added, and said so without names", async () => {
  const skus = Array.from({ length: 11 }, (_, index) => `S${index}`);
  const { visitor } = await startShop(...skus.map((sku) => ({ sku })));
  const { headers } = await visitor.post("/cart/lines", { items: skus.map((sku) => `${sku}:1`).join(",") });
  expect(headers.location).toBe("/cart?added=many&opened=1");
  expect(readMain((await visitor.get("/cart?added=many")).payload)).toContain("Added to your basket Go to checkout");
});

test("an empty basket says so and sets no cookie, and its forms' answers lead back to it", async () => {
  const { db, visitor } = await startShop({ sku: "A" });
  const basket = await visitor.get("/cart");
  expect([basket.statusCode, basket.headers["set-cookie"]]).toEqual([200, undefined]);
  expect(readMain(basket.payload)).toContain("Your basket is empty.");
  expect(basket.payload).not.toContain('formaction="/checkout"');
  const changed = await visitor.post("/cart/quantities", { "quantity:A:1": "2", country: "" });
  expect([changed.statusCode, changed.headers.location, changed.headers["set-cookie"]]).toEqual([
    303,
    "/cart",
    undefined,
  ]);
  expect(await db.selectFrom("sessions").selectAll().execute()).toEqual([]);
});

test("fault 37: a browser that keeps no cookies is told so after its first POST", async () => {
  const { visitor, stranger } = await startShop({ sku: "A" });
  const added = await visitor.post("/cart/lines", { sku: "A", quantity: "1" });
  const without = await stranger.get(String(added.headers.location));
  expect(readMain(without.payload)).toContain("Your browser doesn’t keep cookies");
  const again = await visitor.post("/cart/lines", { sku: "A", quantity: "1" });
  expect(again.headers.location).toBe("/cart?added=A:1");
});

test("fault 1: the same version added twice at once counts twice", async () => {
  const { visitor } = await startShop({ sku: "A" }, { sku: "B" });
  await visitor.post("/cart/lines", { sku: "B", quantity: "1" });
  await Promise.all([1, 2].map(() => visitor.post("/cart/lines", { sku: "A", quantity: "3" })));
  expect(await visitor.quantities()).toEqual({ A: "6", B: "1" });
});

test("fault 34: a quantity that isn't a whole number from 1 to 999 is refused when a version is added, and kept", async () => {
  const { db, visitor } = await startShop({ sku: "A" });
  for (const quantity of ["", "0", "-1", "1e3", "0x1", "1.5", "²", "1000", "9007199254740992", "one"]) {
    const answer = await visitor.post("/cart/lines", { sku: "A", quantity });
    expect([quantity, answer.statusCode, answer.headers["set-cookie"]]).toEqual([quantity, 422, undefined]);
    expect(answer.payload).toContain(`name="quantity" value="${quantity}"`);
    expect(answer.payload).toContain('<input type="hidden" name="sku" value="A">');
    expect(answer.payload).toContain("<title>Error: Basket");
    expect(readMain(answer.payload)).toContain("Enter a whole number from 1 to 999");
  }
  expect(await db.selectFrom("sessions").selectAll().execute()).toEqual([]);
});

test("999 pieces and one more stay 999, and the page says why", async () => {
  const { visitor } = await startShop({ sku: "A" });
  for (const quantity of ["999", "1"]) {
    const answer = await visitor.post("/cart/lines", { sku: "A", quantity });
    expect(answer.statusCode).toBe(303);
  }
  expect(await visitor.quantities()).toEqual({ A: "999" });
  expect(readMain((await visitor.get("/cart")).payload)).toContain("The basket takes at most 999 of one version");
});

test("fault 34: the 101st version is refused, named by the page and kept for later", async () => {
  const skus = Array.from({ length: MAX_LINES + 1 }, (_, index) => `S${index}`);
  const { visitor } = await startShop(...skus.map((sku) => ({ sku })));
  const items = skus.slice(0, MAX_LINES).map((sku) => `${sku}:1`);
  expect((await visitor.post("/cart/lines", { items: items.join(",") })).statusCode).toBe(303);
  const answer = await visitor.post("/cart/lines", { sku: `S${MAX_LINES}`, quantity: "4" });
  expect(answer.statusCode).toBe(422);
  expect(readMain(answer.payload)).toContain("A basket holds at most 100 different versions");
  expect(answer.payload).toContain(`<input type="hidden" name="sku" value="S${MAX_LINES}">`);
  expect(answer.payload).toContain('name="quantity" value="4"');
  expect(Object.keys(await visitor.quantities())).toHaveLength(MAX_LINES);
});

test("a version that can't be had isn't added, the page says why, and no row is written", async () => {
  const { db, visitor } = await startShop(
    { sku: "OUT", availability: "out_of_stock" },
    { sku: "OLD", availability: "archived" },
    { sku: "KES" },
  );
  const table = [
    ["OUT", "Tavrel C30, OUT is out of stock."],
    ["OLD", "Tavrel C30, OLD is no longer sold."],
    ["NONE", "We have no version with the SKU NONE."],
    ["<b>", "We have no version with the SKU <b>."],
    ["kes", "We have no version with the SKU kes."],
    ["KES ", "We have no version with the SKU KES ."],
    ["KÉS", "We have no version with the SKU KÉS."],
  ] as const;
  for (const [sku, reason] of table) {
    const answer = await visitor.post("/cart/lines", { sku, quantity: "1" });
    expect([answer.statusCode, answer.headers["set-cookie"]]).toEqual([422, undefined]);
    expect(readMain(answer.payload)).toContain(reason);
  }
  expect(await db.selectFrom("sessions").selectAll().execute()).toEqual([]);
});

test("a version that is chosen by its options is added as that version alone", async () => {
  const { visitor } = await startTees();
  const choose = (o1: string, o2: string, quantity: string) =>
    visitor.post("/cart/lines", { product: "tee", o1, o2, quantity, country: "DE" });
  const added = await choose("White", "M", "2");
  expect([added.statusCode, added.headers.location]).toEqual([303, "/cart?country=DE&added=WHITE-M:2&opened=1"]);
  await choose('Black & "white" checked > red', "S", "1");
  await visitor.post("/cart/lines", { product: "mug", quantity: "3" });
  const { payload } = await visitor.get("/cart");
  expect(Array.from(payload.matchAll(/name="quantity:(\S+)"/g), ([, item]) => item)).toEqual([
    "WHITE-M:2",
    "~QiZXLyJTIg:1",
    "MUG:3",
  ]);
  expect(payload).toContain('<a href="/products/tee?sku=WHITE-M">Tee</a>');
  expect(payload).toContain('<a href="/products/mug">Mug</a>');
});

test("a choice that can't be had isn't added: the page names the nearest that can, and keeps the quantity", async () => {
  const { db, visitor } = await startTees();
  const table: [fields: Record<string, string>, reason: string, nearest: string | undefined][] = [
    [{ product: "tee", o1: "White", o2: "S" }, "Tee, White / S isn’t made.", "RED-S"],
    [{ product: "tee", o1: "Red", o2: "M" }, "Tee, Red / M is out of stock.", "RED-S"],
    [{ product: "tee", o1: "Red", o2: "L" }, "Tee, Red / L is no longer sold.", "RED-S"],
    [{ product: "tee", o1: "White", o2: "M", o3: "Wool" }, "Tee, White / M isn’t made.", "WHITE-M"],
    [{ product: "mug", o1: "Red" }, "Mug isn’t made.", "MUG"],
    [{ product: "none", o1: "Red" }, "none is no longer sold.", undefined],
  ];
  for (const [fields, reason, nearest] of table) {
    const { statusCode, headers, payload } = await visitor.post("/cart/lines", { ...fields, quantity: "7" });
    expect([fields, statusCode, headers["set-cookie"]]).toEqual([fields, 422, undefined]);
    expect(readMain(payload)).toContain(reason);
    const [, offered] = /name="sku" value="([^"]*)">[\s\S]*name="quantity" value="7"/.exec(payload) ?? [];
    expect([fields, offered]).toEqual([fields, nearest]);
  }
  await db.updateTable("product_variants").set({ availability: "out_of_stock" }).execute();
  const none = await visitor.post("/cart/lines", { product: "tee", o1: "Red", o2: "S", quantity: "1" });
  expect(readMain(none.payload)).toContain("Tee, Red / S is out of stock.");
  expect(none.payload).not.toContain("closest");
  expect(await db.selectFrom("sessions").selectAll().execute()).toEqual([]);
});

test("what is still to be chosen is asked for, with all that was filled in", async () => {
  const { visitor } = await startTees();
  for (const o2 of [{}, { o2: "" }, { o2: "<b>" }]) {
    const answer = await visitor.post("/cart/lines", { product: "tee", o1: "White", ...o2, quantity: "x" });
    expect(answer.statusCode).toBe(422);
    expect(answer.payload).toContain('<a href="#o2">Please choose for Tee: Size.</a>');
    for (const field of [
      '<input type="hidden" name="product" value="tee">',
      '<option value="White" selected>White</option>',
      '<select id="o2" name="o2">\n<option value="">Please choose</option>',
      '<option value="S">S</option>',
      'name="quantity" value="x" inputmode="numeric" autocomplete="off" aria-invalid="true"',
    ])
      expect(answer.payload.replace(/\n+/g, "\n")).toContain(field);
    expect(answer.payload).not.toContain(">L</option>");
  }
  const fields = { product: "tee", o1: "Red", o2: "S" };
  for (const wrong of [fields, { ...fields, quantity: "1", sku: "RED-S" }, { ...fields, quantity: "1", o4: "x" }])
    expect((await visitor.post("/cart/lines", wrong)).statusCode).toBe(400);
});

test("of a list with a version that can't be had nothing is added, but the rest is offered", async () => {
  const { visitor } = await startShop({ sku: "A" }, { sku: "OUT", availability: "out_of_stock" });
  const answer = await visitor.post("/cart/lines", { items: "A:2,OUT:1,NONE:1" });
  expect(answer.statusCode).toBe(422);
  expect(answer.payload).toContain('<input type="hidden" name="items" value="A:2">');
  expect(await visitor.quantities()).toEqual({});
});

test("fault 31: a form that isn't the shop's own is refused", async () => {
  const { db, visitor } = await startShop({ sku: "A" });
  const forms: Record<string, string>[] = [
    {},
    { sku: "A" },
    { sku: "A", quantity: "1", price: "0.01" },
    { sku: "A", quantity: "1", items: "A:1" },
    { items: "A:x" },
    { items: "a/b:1" },
  ];
  for (const fields of forms) expect((await visitor.post("/cart/lines", fields)).statusCode).toBe(400);
  const form = { "sec-fetch-site": "cross-site" };
  expect((await visitor.post("/cart/lines", { sku: "A", quantity: "1" }, form)).statusCode).toBe(403);
  expect(await db.selectFrom("sessions").selectAll().execute()).toEqual([]);
});

test("several quantities change at once, and 0 removes a line", async () => {
  const { visitor } = await startShop({ sku: "A" }, { sku: "B" }, { sku: "C" });
  await visitor.post("/cart/lines", { items: "A:1,B:2,C:3" });
  const fields = { country: "FI", "quantity:A:1": " 7 ", "quantity:B:2": "0", "quantity:C:3": "3" };
  const answer = await visitor.post("/cart/quantities", fields);
  expect([answer.statusCode, answer.headers.location]).toEqual([303, "/cart?country=FI"]);
  expect(await visitor.quantities()).toEqual({ A: "7", C: "3" });
});

test("a line's button removes it and keeps what was typed for the others", async () => {
  const { visitor } = await startShop({ sku: "A" }, { sku: "B" });
  await visitor.post("/cart/lines", { items: "A:1,B:2" });
  await visitor.post("/cart/quantities", { "quantity:A:1": "x", "quantity:B:2": "5", remove: "A:1" });
  expect(await visitor.quantities()).toEqual({ B: "5" });
});

test("Enter in a quantity's field presses the button that updates, not the first one that removes", async () => {
  const { visitor } = await startShop({ sku: "A" });
  await visitor.post("/cart/lines", { sku: "A", quantity: "1" });
  const { payload } = await visitor.get("/cart");
  const [form = ""] = /<form[^>]*action="\/cart\/quantities"[\s\S]*?<\/form>/.exec(payload) ?? [];
  const buttons = form.match(/<button[^>]*>/g) ?? [];
  expect(buttons).toHaveLength(3);
  expect(buttons[0]).not.toContain("name=");
  expect(buttons[1]).toContain('name="remove"');
});

test("fault 2: a tab that changes one line leaves what another tab changed meanwhile", async () => {
  const { visitor } = await startShop({ sku: "A" }, { sku: "B" });
  await visitor.post("/cart/lines", { items: "A:1,B:1" });
  await visitor.post("/cart/lines", { sku: "A", quantity: "4" });
  await visitor.post("/cart/quantities", { "quantity:A:1": "1", "quantity:B:1": "2" });
  expect(await visitor.quantities()).toEqual({ A: "5", B: "2" });
});

test("a quantity that isn't a whole number up to 999 changes nothing in the basket, and is kept", async () => {
  const { visitor } = await startShop({ sku: "A" }, { sku: "B" });
  await visitor.post("/cart/lines", { items: "A:1,B:1" });
  for (const quantity of ["", "-1", "1e3", "0x1", "²", "1000", "9007199254740992"]) {
    const answer = await visitor.post("/cart/quantities", { "quantity:A:1": quantity, "quantity:B:1": "2" });
    expect([quantity, answer.statusCode]).toEqual([quantity, 422]);
    expect(answer.payload).toContain("<title>Error: Basket");
    expect(answer.payload).toContain('<a href="#quantity-1">Tavrel C30, A: enter the quantity');
    expect(answer.payload).toContain(`name="quantity:A:1" value="${quantity}"`);
    expect(answer.payload.match(/aria-invalid/g)).toHaveLength(1);
    expect(answer.payload).toContain('name="quantity:B:1" value="2"');
  }
  expect(await visitor.quantities()).toEqual({ A: "1", B: "1" });
});

test("a changed basket with a field that the page doesn't have is refused", async () => {
  const { visitor } = await startShop({ sku: "A" });
  await visitor.post("/cart/lines", { sku: "A", quantity: "1" });
  for (const fields of [{ "quantity:A": "1" }, { total: "1" }, { remove: "A" }, { remove: "A:1,B:1" }])
    expect((await visitor.post("/cart/quantities", fields as Record<string, string>)).statusCode).toBe(400);
  expect(await visitor.quantities()).toEqual({ A: "1" });
});

test("fault 34: a form with more quantities than a basket has lines is refused before it reaches the database", async () => {
  const { visitor, statements } = await startShop({ sku: "A" });
  await visitor.post("/cart/lines", { sku: "A", quantity: "1" });
  const fields = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`quantity:S${at}:1`, "2"]));
  statements.length = 0;
  expect((await visitor.post("/cart/quantities", fields(101))).statusCode).toBe(400);
  expect(statements).toEqual([]);
  expect((await visitor.post("/cart/quantities", fields(100))).headers.location).toBe("/cart");
});

test("fault 34: a country that isn't a code never reaches the redirect's address", async () => {
  const { visitor } = await startShop({ sku: "A" });
  await visitor.post("/cart/lines", { items: "A:1" });
  for (const country of ["A".repeat(60_000), "<script>", "NL\r\nSet-Cookie: x=1", "nl"])
    for (const [path, fields, basket] of [
      ["/cart/quantities", { country }, "/cart"],
      ["/cart/lines", { items: "A:1", country }, "/cart?added=A:1"],
    ] as const) {
      const { statusCode, headers } = await visitor.post(path, fields);
      expect([statusCode, headers.location]).toEqual([303, basket]);
    }
});

test("the country decides delivery, tax and prices, and the shop's own stands for one without delivery, which is said", async () => {
  const { visitor } = await startShop({ sku: "A", price: "121.00" });
  await visitor.post("/cart/lines", { sku: "A", quantity: "1" });
  const shown = async (country: string) => readMain((await visitor.get(`/cart?country=${country}`)).payload);
  expect(await shown("FI")).toContain(
    `Delivery with tax €17.11 Pay today and it arrives by ${arrivalDay(6)} Total €142.61 Net €113.63 25.5% VAT €28.98`,
  );
  expect(await shown("CH")).toMatch(
    /Goods €100.00 Delivery €19.83 Pay today .* Net €119.83 Export outside the EU, VAT-exempt €0.00 Total €119.83/,
  );
  expect(await shown("fi")).toBe(await shown("FI"));
  const refused = await shown("US");
  expect(refused).toContain("We don’t deliver to the country that was asked for.");
  expect(refused).toContain("Total €128.50 Net €106.20 21% VAT €22.30");
  expect((await visitor.get("/cart?country=FI")).payload).toContain('<option value="FI" selected>Finland</option>');
});

test("where prices exclude tax, goods and delivery are shown without it and the tax is added", async () => {
  const { visitor } = await startShop({ facts: { prices_include_tax: false } }, { sku: "A", price: "100.00" });
  await visitor.post("/cart/lines", { sku: "A", quantity: "2" });
  const text = readMain((await visitor.get("/cart")).payload);
  expect(text).toContain(
    `Goods €200.00 Delivery €7.50 Pay today and it arrives by ${arrivalDay(3)} Net €207.50 21% VAT €43.58 Total €251.08`,
  );
});

test.each([
  ["899.00", "1", "NL", false], // 899 / 1.21 = 742.98
  ["899.00", "1", "DE", true], // 899 / 1.21 = 742.98, with 19% VAT 884.14; 884.14 / 1.19 = 742.97
  ["899.00", "3", "NL", true], // 3 × 742.98 = 2228.94; 2697 / 1.21 = 2228.93
  ["121.00", "3", "DE", false],
  ["899.00", "3", "CH", false], // without tax nothing is taken out
])(
  "where net prices are rounded (%s × %s to %s: %s), basket and link say from what",
  async (price, quantity, country, said) => {
    const { visitor } = await startShop({ sku: "A", price });
    await visitor.post("/cart/lines", { sku: "A", quantity });
    const faces = [
      await visitor.get(`/cart?country=${country}`),
      await visitor.get(`/buy/A:${quantity}?country=${country}`),
    ];
    faces.push(await visitor.get(`/buy/A:${quantity}?country=${country}`, { "x-face": "md" }));
    for (const { payload } of faces)
      expect(payload.includes("We charge the price with tax for each piece.")).toBe(said);
  },
);

test("a price that has changed since is named, until the line is changed", async () => {
  const { db, visitor } = await startShop({ sku: "A", price: "121.00" });
  await visitor.post("/cart/lines", { sku: "A", quantity: "1" });
  await db.updateTable("product_variants").set({ price: "242.00" }).execute();
  const text = readMain((await visitor.get("/cart")).payload);
  expect(text).toContain("In stock €200.00 net (€242.00 with 21% VAT) Quantity");
  expect(text).toContain("The price has changed since you added it. It was: €100.00 net (€121.00 with 21% VAT)");
  // As the page shows all its prices: with the tax of the country of delivery.
  expect(readMain((await visitor.get("/cart?country=FI")).payload)).toContain(
    "It was: €100.00 net (€125.50 with 25.5% VAT)",
  );
  await visitor.post("/cart/quantities", { "quantity:A:1": "2" });
  expect(readMain((await visitor.get("/cart")).payload)).not.toContain("The price has changed");
});

test.each<[Variant["availability"], string]>([
  ["out_of_stock", "Out of stock"],
  ["archived", "No longer sold"],
])("a line that became %s stays, says so, isn't in the total and can be removed", async (availability, words) => {
  const { db, visitor } = await startShop({ sku: "A", price: "100.00" }, { sku: "B", price: "200.00" });
  await visitor.post("/cart/lines", { items: "A:1,B:1" });
  await db.updateTable("product_variants").set({ availability }).where("sku", "=", "A").execute();
  const { payload } = await visitor.get("/cart");
  const text = readMain(payload);
  expect(text).toContain(words);
  expect(text).toContain("You can’t order this at the moment");
  expect(text).toContain("Goods with tax €200.00");
  expect(payload).toContain('formaction="/checkout"');
  await visitor.post("/cart/quantities", { remove: "A:1", "quantity:B:1": "1" });
  expect(await visitor.quantities()).toEqual({ B: "1" });
});

test("without anything that can be ordered there is no way to the checkout", async () => {
  const { db, visitor } = await startShop({ sku: "A" });
  await visitor.post("/cart/lines", { sku: "A", quantity: "1" });
  await db.updateTable("product_variants").set({ availability: "out_of_stock" }).execute();
  const { payload } = await visitor.get("/cart");
  expect(payload).not.toContain('formaction="/checkout"');
  expect(readMain(payload)).toContain("Nothing here can be ordered at the moment.");
});

test.each([{ shipping: null }, { transfer: null }])(
  "a shop with %j doesn't sell online: basket, link and checkout say where to write to",
  async (facts) => {
    const { visitor } = await startShop({ facts }, { sku: "A" });
    await visitor.post("/cart/lines", { sku: "A", quantity: "1" });
    for (const [path, face] of [
      ["/cart", "html"],
      ["/buy/A:1", "html"],
      ["/buy/A:1", "md"],
    ] as const) {
      const { payload } = await visitor.get(path, { "x-face": face });
      expect(payload).toContain("Write to sales@shop.example.");
      for (const offered of ['formaction="/checkout"', 'action="/cart/lines', "€189.00"])
        expect(payload).not.toContain(offered);
    }
    expect((await visitor.get("/checkout")).payload).toContain("mailto:sales@shop.example");
  },
);

test("before the shop's facts are imported, the pages answer 503 in words", async () => {
  const { db, visitor } = await startShop({ sku: "A" });
  await db.deleteFrom("shop_facts").execute();
  for (const path of ["/cart", "/buy/A:1"]) {
    const { statusCode, headers, payload } = await visitor.get(path);
    expect([statusCode, headers["retry-after"]]).toEqual([503, "5"]);
    expect(readMain(payload)).toContain("The shop can’t answer right now");
  }
});

test("an expected day is shown as a date", async () => {
  const { visitor } = await startShop({ sku: "A", availability: "preorder", available_from: "2099-03-02" });
  await visitor.post("/cart/lines", { sku: "A", quantity: "1" });
  expect(readMain((await visitor.get("/cart")).payload)).toContain("(expected 2 March 2099)");
});

test("fault 30: hostile names are text in the basket and on a link's pages, never markup", async () => {
  const names = HOSTILE.map((name, index) => ({ sku: `S${index}`, product_title: name, title: `${name}!` }));
  const { visitor } = await startShop(...names);
  const items = names.map(({ sku }) => `${sku}:1`).join(",");
  await visitor.post("/cart/lines", { items });
  for (const path of ["/cart", `/buy/${items}`]) {
    const { payload } = await visitor.get(path);
    expect(payload).not.toMatch(/<script|<img/);
    for (const name of HOSTILE) expect(readMain(payload)).toContain(name.replace(/\s+/g, " ").trim());
  }
  const { payload } = await visitor.get(`/buy/${items}`, { "x-face": "md" });
  expect(payload).not.toMatch(/(?<!\\)[<|]script|(?<!\\)\[a\]/);
});

test("fault 30: the SKU a/b,c:% goes through the form, the basket and a link", async () => {
  const { visitor } = await startShop({ sku: "a/b,c:%" });
  await visitor.post("/cart/lines", { sku: "a/b,c:%", quantity: "1" });
  await visitor.post("/cart/lines", { items: "~YS9iLGM6JQ:2" });
  expect(await visitor.quantities()).toEqual({ "~YS9iLGM6JQ": "3" });
  await visitor.post("/cart/quantities", { "quantity:~YS9iLGM6JQ:3": "4" });
  expect(await visitor.quantities()).toEqual({ "~YS9iLGM6JQ": "4" });
  const link = await visitor.get("/buy/~YS9iLGM6JQ:2");
  expect(readMain(link.payload)).toContain("SKU a/b,c:%");
});

test("the articles of a link keep their order in the basket, also where one was in it before", async () => {
  const { visitor } = await startShop({ sku: "A" }, { sku: "B" }, { sku: "C" });
  await visitor.post("/cart/lines", { sku: "B", quantity: "2" });
  await visitor.post("/cart/lines", { items: "C:998,A:1,B:999" });
  expect(Object.entries(await visitor.quantities())).toEqual([
    ["B", "999"],
    ["C", "998"],
    ["A", "1"],
  ]);
});
