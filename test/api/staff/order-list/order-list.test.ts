import { expect, test } from "vitest";
import type { Right } from "../../../../api/contract/staff-rights.ts";
import { placeOrder } from "../../../../api/selling/orders/place-order.ts";
import { addEditor } from "../../../../api/staff/sign-in/editors.ts";
import { makeCustomer, startShopApi } from "../../platform/private-pages/pages.ts";
import { address, boughtOrder, transferShop } from "../../selling/mail/mail-shop.ts";
import { newLine } from "../../selling/orders/new-order.ts";
import { ann, openBrowser } from "../sign-in/editors-shop.ts";

const buyer = {
  email: "ada@example.com",
  first_name: "Ada",
  last_name: "Novák",
  company: null,
  phone: null,
  vat_id: null,
};

/** A shop, and the browser of somebody who is signed in and has these rights. */
async function startWith(rights: readonly Right[], locale = "en-GB") {
  const editors = { origin: "https://shop.example", hasContent: false };
  const api = await startShopApi({ editors, facts: transferShop({ locale }) });
  const browser = openBrowser(api.app);
  await browser.enrol(await addEditor(api.db, ann, new Set(rights)));
  const staff = makeCustomer(api.app);
  for (const [name, value] of browser.jar) staff.jar.set(name, value);
  const readExports = () => api.db.selectFrom("order_exports").selectAll().execute();
  return { ...api, staff, readExports };
}

/** What a CSV file's lines have, without quotes. */
const linesOf = (csv: string) => csv.split("\r\n").slice(0, -1);

test("the page shows lists with their numbers and each order with who, where, how it stands and what is due", async () => {
  const { db, staff } = await startWith(["orders"]);
  expect((await staff.get("/admin/orders")).body).toContain("There are no orders in this list.");
  const name = '<img src=x onerror="alert(1)">';
  await placeOrder(db, boughtOrder({ buyer: { ...buyer, last_name: name, company: null } }));
  await placeOrder(db, boughtOrder({ status: "on_hold" }));
  const { statusCode, headers, body } = await staff.get("/admin/orders");
  expect([statusCode, headers["cache-control"]]).toEqual([200, "no-store"]);
  expect(body).not.toContain("<img");
  for (const shown of [
    ...["<title>Orders", 'href="/admin/orders/A-1001"', 'href="/admin/orders/A-1002"', "Ada &lt;img src=x"],
    ...["20 November 2026", "Novák Retail s.r.o.", "Praha 1", "Czechia", "€395.50 due", "Not paid yet", "On hold"],
    ...['href="/admin/orders?list=send"', 'href="/admin/orders?list=person"'],
  ])
    expect(body).toContain(shown);
  const lists = [...body.matchAll(/<a href="[^"]*"(?: aria-current="page")?>([^<]+) <span class="count">\(([^)]+)\)/g)];
  expect(lists.map(([, list, count]) => [list, count])).toEqual([
    ...[
      ["To accept", "0"],
      ["To send", "0"],
      ["Waiting for payment", "2"],
      ["Needs a person", "1"],
      ["All", "2"],
    ],
  ]);
  const held = await staff.get("/admin/orders?list=person&q=retail");
  expect(held.body.match(/\/admin\/orders\/A-/g)).toHaveLength(1);
  expect(held.body).toContain('value="retail"');
  expect((await staff.get("/admin/orders?q=nobody%22%3E<b>")).body).toContain("No order in this list is like that.");
  expect((await staff.get("/admin/orders?from=2026-02-30")).body).toContain("isn’t a day");
});

test("51 orders are two pages, which lead to one another", async () => {
  const { db, staff } = await startWith(["orders"]);
  await db.transaction().execute(async (transaction) => {
    for (let orders = 0; orders < 51; orders += 1) await placeOrder(transaction, boughtOrder());
  });
  const first = await staff.get("/admin/orders?q=ada&list=pay");
  expect(first.body.match(/\/admin\/orders\/A-/g)).toHaveLength(50);
  const [, older = ""] = /href="([^"]*before=[^"]*)" rel="next"/.exec(first.body) ?? [];
  const second = await staff.get(older.replaceAll("&amp;", "&"));
  expect(second.body.match(/\/admin\/orders\/A-\d+/g)).toEqual(["/admin/orders/A-1001"]);
  expect(second.body).not.toContain('rel="next"');
  expect(second.body).toContain('href="/admin/orders?list=pay&amp;q=ada">Newest orders');
});

test("where commas are decimal, the export is one that a spreadsheet there opens", async () => {
  const { db, staff } = await startWith(["orders"], "de-DE");
  await placeOrder(db, boughtOrder({ shipping_address: { ...address, city: "Halle; Saale" } }));
  const [head, line] = linesOf((await staff.post("/admin/orders/export", {})).body);
  expect(head).toMatch(/^\uFEFFnumber;placed_at;/);
  expect(line).toMatch(/;"Halle; Saale";CZ;EUR;"65,60";"395,50";"0,00";"395,50";2 × KES-C2-BK$/);
});

test("the export has every order of what is shown, no formula, and leaves a note of who took it", async () => {
  const { db, staff, readExports } = await startWith(["orders"]);
  const hostile = { ...buyer, first_name: '=HYPERLINK("https://evil.example")', last_name: "x", company: "@Ada, Ltd" };
  await placeOrder(
    db,
    boughtOrder({ buyer: hostile, lines: [newLine({ quantity: 2 }), newLine({ sku: "+1", name: "x" })] }),
  );
  await placeOrder(db, boughtOrder({ shipping_address: { ...address, company: "Zoë; & Co" } }));
  await placeOrder(db, boughtOrder({ status: "cancelled" }));
  const answer = await staff.post("/admin/orders/export", { list: "pay", q: "", from: "", to: "2026-11-20" });
  const { statusCode, headers, body } = answer;
  expect([statusCode, headers["cache-control"], headers["content-type"]]).toEqual([
    ...[200, "no-store", "text/csv; charset=utf-8"],
  ]);
  expect(headers["content-disposition"]).toMatch(/^attachment; filename="orders-\d{4}-\d\d-\d\d\.csv"$/);
  const [head, ...lines] = linesOf(body);
  expect(head).toBe(
    "\uFEFFnumber,placed_at,status,payment_status,fulfillment_status,email,name,company,postal_code,city,country_code,currency,tax,total,refunded,due,items",
  );
  expect(lines).toEqual([
    "A-1002,2026-11-20T09:30:00.000Z,pending,unpaid,unfulfilled,ada@example.com,Ada Novák,Novák Retail s.r.o.,110 00,Praha 1,CZ,EUR,65.60,395.50,0.00,395.50,2 × KES-C2-BK",
    'A-1001,2026-11-20T09:30:00.000Z,pending,unpaid,unfulfilled,ada@example.com,"\'=HYPERLINK(""https://evil.example"") x","\'@Ada, Ltd",110 00,Praha 1,CZ,EUR,98.40,584.50,0.00,584.50,"2 × KES-C2-BK, 1 × +1"',
  ]);
  expect(await readExports()).toMatchObject([
    { done_by: "Ann Archer", list: "pay", from_day: null, to_day: "2026-11-20", is_search: 0, orders: 2 },
  ]);
  expect((await staff.get("/admin/orders")).body).toMatch(/Ann Archer, [^<]*: 2 orders/);
  await staff.post("/admin/orders/export", { list: "all", q: "ada@example.com" });
  const notes = await readExports();
  expect(notes.at(-1)).toMatchObject({ list: "all", is_search: 1, orders: 3 });
  expect(JSON.stringify(notes)).not.toContain("ada");
});

test("a download that breaks off leaves its note, without a number", async () => {
  const { db, staff, readExports } = await startWith(["orders"]);
  await placeOrder(db, boughtOrder());
  await db.schema.alterTable("order_lines").renameTo("gone").execute();
  await staff.post("/admin/orders/export", {}).catch(() => {});
  expect(await readExports()).toMatchObject([{ done_by: "Ann Archer", orders: null }]);
  expect((await staff.get("/admin/orders")).body).toContain("not finished");
});

test("without the right to orders nobody sees or takes one, nor does another site's form", async () => {
  const { db, app, staff, readExports } = await startWith(["content", "shop"]);
  await placeOrder(db, boughtOrder());
  const stranger = makeCustomer(app);
  for (const path of ["/admin/orders", "/admin/orders?q=ada", "/admin/orders?list=pay"]) {
    expect((await staff.get(path)).statusCode).toBe(403);
    expect((await stranger.get(path)).statusCode).toBe(302);
  }
  expect((await staff.post("/admin/orders/export", {})).statusCode).toBe(403);
  expect((await stranger.post("/admin/orders/export", {})).statusCode).toBe(401);
  await db.updateTable("editors").set({ rights: "orders" }).execute();
  expect((await staff.get("/admin/orders")).statusCode).toBe(200);
  const foreign = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };
  expect((await staff.post("/admin/orders/export", {}, foreign)).statusCode).toBe(403);
  expect((await staff.post("/admin/orders/export", { other: "x" })).statusCode).toBe(400);
  expect(await readExports()).toEqual([]);
});

test("a German shop's people read it in German", async () => {
  const { db, staff } = await startWith(["orders"], "de-DE");
  await placeOrder(db, boughtOrder());
  const { body } = await staff.get("/admin/orders");
  for (const shown of [
    "<title>Bestellungen",
    "Wartet auf Zahlung",
    "Noch nicht bezahlt",
    "395,50\u00a0€ offen",
    "Tschechien",
  ])
    expect(body).toContain(shown);
});
