import { expect, test } from "vitest";
import type { Right } from "../../../../api/contract/staff-rights.ts";
import { changeOrder } from "../../../../api/selling/orders/change-order.ts";
import { placeOrder } from "../../../../api/selling/orders/place-order.ts";
import { showShelf } from "../../../../api/selling/stock/shelf.ts";
import { addEditor } from "../../../../api/staff/sign-in/editors.ts";
import { openEditorSession } from "../../../../api/staff/sign-in/session.ts";
import { findHtmlFaults } from "../../../html-faults.ts";
import { startShopApi } from "../../platform/private-pages/pages.ts";
import { boughtOrder } from "../../selling/mail/mail-shop.ts";
import { actByCommand } from "../../selling/orders/act-by-command.ts";
import { newLine } from "../../selling/orders/new-order.ts";
import { shopFacts } from "../../selling/quote/shop.ts";

const { transfer } = shopFacts();
/** A shop that counts itself. */
const counting = shopFacts({ few_left: 3, transfer: transfer && { ...transfer, cancel_after_days: 21 } });

/** A shop with four versions of which one is ordered, twice, and a browser in which somebody works there. */
async function startStock(facts = counting) {
  const api = await startShopApi({ facts, editors: { origin: "https://shop.example", hasContent: false } });
  const { app, db } = api;
  const order = async (sku: string, quantity: number) => {
    const { id } = await placeOrder(db, boughtOrder({ lines: [newLine({ sku, quantity })] }));
    await changeOrder(db, id, { status: "processing" });
  };
  /** A browser in which they are signed in. */
  const open = async (name = "Ann", ...rights: Right[]) => {
    const email = `${name.toLowerCase()}@shop.example`;
    await addEditor(db, { name, email }, new Set(rights.length > 0 ? rights : ["orders"]));
    const { id } = await db.selectFrom("editors").select("id").where("email", "=", email).executeTakeFirstOrThrow();
    const browser = api.customer();
    browser.jar.set("__Host-admin", await openEditorSession(db, id));
    return {
      ...browser,
      /** Sends a list as the page's form does. */
      sendList: async (fields: Record<string, string>, file = "") => {
        const form = new FormData();
        for (const [field, text] of Object.entries(fields)) form.set(field, text);
        form.set("file", new File([file], file === "" ? "" : "stock.csv"));
        const { headers, body } = await encode(form);
        const cookie = [...browser.jar].map(([key, value]) => `${key}=${value}`).join("; ");
        const from = {
          "x-forwarded-host": "shop.example",
          "x-forwarded-proto": "https",
          "sec-fetch-site": "same-origin",
        };
        return app.inject({
          ...{ method: "POST", url: "/admin/stock/list", payload: body },
          headers: { ...from, cookie, "content-type": headers.get("content-type") ?? "" },
        });
      },
    };
  };
  const stocked = async () =>
    Object.fromEntries((await showShelf(db, [])).stored.map(({ sku, available }) => [sku, available]));
  return { ...api, order, open, stocked };
}

async function encode(form: FormData): Promise<{ headers: Headers; body: Buffer }> {
  const request = new Response(form);
  return { headers: request.headers, body: Buffer.from(await request.arrayBuffer()) };
}

/** When a page was opened, as its form says. */
const openedOf = (page: string): string => /name="opened" value="([^"]*)"/.exec(page)?.[1] ?? "";

/** The cells of a version's row, as people read them. */
const rowOf = (page: string, sku: string): string[] => {
  const row = [...page.matchAll(/<tr>[\s\S]*?<\/tr>/g)].map(([text]) => text).find((text) => text.includes(`>${sku}<`));
  return [...(row ?? "").matchAll(/<td[^>]*>([\s\S]*?)<\/td>/g)].map(([, cell = ""]) =>
    cell
      .replaceAll(/<[^>]+>/g, " ")
      .replaceAll(/\s+/g, " ")
      .trim(),
  );
};

test("the page shows what is counted, ordered and free, and what the shop says; what is counted on the shelf changes it", async () => {
  const { order, open, stocked } = await startStock();
  await order("KES-CABLE", 2);
  const ann = await open();
  const { body, headers } = await ann.get("/admin/stock");
  expect(headers["cache-control"]).toBe("no-store");
  expect(rowOf(body, "KES-CABLE").slice(0, 4)).toEqual(["not counted", "2", "–", "In stock"]);
  const stored = await ann.post("/admin/stock", {
    opened: openedOf(body),
    "shelf:KES-CABLE": "5",
    "shelf:KES-GONE": " ",
    "shelf:a/b,c:%": "0",
  });
  expect([stored.statusCode, await stocked()]).toEqual([200, { "KES-CABLE": 3, "a/b,c:%": 0 }]);
  expect(stored.body).toContain("2 counts are stored.");
  expect(rowOf(stored.body, "KES-CABLE").slice(0, 4)).toEqual(["5", "2", "3", "In stock, last pieces"]);
  expect(rowOf(stored.body, "a/b,c:%").slice(0, 4)).toEqual(["0", "0", "0", "Out of stock"]);
  for (const [query, skus] of [
    ["?show=counted", ["KES-CABLE", "a/b,c:%"]],
    ["?show=none_left", ["a/b,c:%"]],
    ["?q=CORDLESS+kes", ["KES-PRE"]],
    ["?q=%25%25", []],
  ] as const) {
    const page = (await ann.get(`/admin/stock${query}`)).body;
    expect([query, Array.from(page.matchAll(/<code>([^<]*)<\/code>/g), ([, sku]) => sku)]).toEqual([query, skus]);
  }
});

test("after a parcel the page says so and asks again, with what was typed; sent again, it's stored", async () => {
  const { db, order, open, stocked } = await startStock();
  await order("KES-CABLE", 2);
  const ann = await open();
  const opened = openedOf((await ann.get("/admin/stock")).body);
  const parcel = { name: "sent", reference: "P-1", carrier: null, tracking_number: null, tracking_url: null } as const;
  await actByCommand(db, "A-1001", { ...parcel, lines: undefined }, async () => {});
  const asked = await ann.post("/admin/stock", { opened, "shelf:KES-CABLE": "5", "shelf:KES-PRE": "4" });
  expect([asked.statusCode, await stocked()]).toEqual([409, { "KES-PRE": 4 }]);
  expect(asked.body).toContain("1 count is stored.");
  expect(asked.body).toContain('href="/admin/orders/A-1001">2 pieces left in a parcel of A-1001, recorded on ');
  expect(asked.body).toMatch(/name="shelf:KES-CABLE" value="5"/);
  expect(await findHtmlFaults(asked.body, "asked again")).toEqual([]);
  const again = await ann.post("/admin/stock", { opened: openedOf(asked.body), "shelf:KES-CABLE": "5" });
  expect([again.statusCode, await stocked()]).toEqual([200, { "KES-CABLE": 5, "KES-PRE": 4 }]);
});

test("a form sent twice is stored once, and who counts after a colleague reads what they found, wherever they are", async () => {
  const { db, open, stocked } = await startStock();
  const [ann, ben] = [await open("Ann"), await open("Ben")];
  const pages = [await ann.get("/admin/stock"), await ben.get("/admin/stock")];
  const [annOpened = "", benOpened = ""] = pages.map(({ body }) => openedOf(body));
  for (let times = 0; times < 2; times += 1)
    expect((await ann.post("/admin/stock", { opened: annOpened, "shelf:KES-PRE": "4" })).statusCode).toBe(200);
  const late = await ben.post("/admin/stock?show=none_left", { opened: benOpened, "shelf:KES-PRE": "6" });
  expect(late.statusCode).toBe(409);
  expect(late.body).toMatch(/Ann counted 4 pieces on .+ 20\d\d, \d\d:\d\d UTC/);
  expect(await stocked()).toEqual({ "KES-PRE": 4 });
  const history = await db.selectFrom("stock_history").select(["done_by", "was", "became"]).execute();
  expect(history).toEqual([{ done_by: "Ann", was: null, became: 4 }]);
});

test("what isn't a whole number stores nothing of the form, and stays in its field with what to write", async () => {
  const { open, stocked } = await startStock();
  const ann = await open();
  const opened = openedOf((await ann.get("/admin/stock")).body);
  for (const typed of ["1.5", "-1", "1000001", 'x"><script>']) {
    const page = await ann.post("/admin/stock", { opened, "shelf:KES-PRE": "4", "shelf:KES-CABLE": typed });
    expect([typed, page.statusCode, await stocked()]).toEqual([typed, 422, {}]);
    expect(page.body).toContain("<title>Error: Stock");
    expect(page.body).toContain("Cable (KES-CABLE): enter a whole number from 0 to 1,000,000");
    expect(page.body).not.toContain("<script>");
    expect(openedOf(page.body)).toBe(opened);
    expect(await findHtmlFaults(page.body, "/admin/stock")).toEqual([]);
  }
  for (const fields of [
    { opened: "now", "shelf:KES-PRE": "4" },
    { opened, "pieces:KES-PRE": "4" },
  ])
    expect((await ann.post("/admin/stock", fields as Record<string, string>)).statusCode).toBe(400);
});

test("a version's page names the orders that hold it and who has counted it, and stops counting", async () => {
  const { order, open, stocked } = await startStock();
  await order("a/b,c:%", 2);
  await order("a/b,c:%", 1);
  const ann = await open();
  const path = "/admin/stock/version?sku=a%2Fb%2Cc%3A%25";
  expect((await ann.get("/admin/stock")).body).toContain(`href="${path}"`);
  const page = (await ann.get(path)).body;
  for (const shown of [
    "Stock of a/b,c:%",
    '<a href="/admin/orders/A-1001">A-1001</a>: 2 pieces',
    "A-1002</a>: 1 piece",
  ])
    expect(page).toContain(shown);
  const fields = { sku: "a/b,c:%", opened: openedOf(page) };
  const counted = await ann.post("/admin/stock/version", { ...fields, shelf: "7" });
  expect([counted.statusCode, await stocked()]).toEqual([200, { "a/b,c:%": 4 }]);
  expect(counted.body).toContain("1 count is stored.");
  expect(counted.body).toContain("Ann began to count it, with 7 pieces on the shelf");
  expect((await ann.post("/admin/stock/version", { ...fields, shelf: "" })).statusCode).toBe(422);
  const now = openedOf(counted.body);
  const stopped = await ann.post("/admin/stock/version", { ...fields, opened: now, shelf: "", act: "stop" });
  expect([stopped.statusCode, await stocked()]).toEqual([200, {}]);
  expect(stopped.body).toContain("It isn’t counted any more");
  expect(stopped.body).toContain("Ann stopped counting it");
  for (const body of [page, counted.body, stopped.body])
    expect(await findHtmlFaults(body, "/admin/stock/version")).toEqual([]);
  expect((await ann.get("/admin/stock/version?sku=NONE")).statusCode).toBe(404);
});

test("a list is downloaded, filled in and sent back, as a file or as lines, and knows when it was downloaded", async () => {
  const { db, order, open, stocked } = await startStock();
  await order("KES-CABLE", 2);
  const ann = await open();
  const { body, headers } = await ann.get("/admin/stock/list.csv");
  expect([headers["content-type"], headers["content-disposition"]]).toEqual([
    "text/csv; charset=utf-8",
    'attachment; filename="stock.csv"',
  ]);
  expect(body).toContain("KES-CABLE,,2,,in_stock,");
  const filled = body.replace("KES-CABLE,,", "KES-CABLE,5,").replace("KES-PRE,,", "KES-PRE,4,");
  const parcel = { name: "sent", reference: "P-1", carrier: null, tracking_number: null, tracking_url: null } as const;
  await actByCommand(db, "A-1001", { ...parcel, lines: undefined }, async () => {});
  const opened = openedOf((await ann.get("/admin/stock/list")).body);
  const sent = await ann.sendList({ opened, text: "" }, filled);
  expect([sent.statusCode, await stocked()]).toEqual([409, { "KES-PRE": 4 }]);
  expect(sent.body).toContain("2 pieces left in a parcel of A-1001");
  expect(sent.body).toContain("3 lines have no pieces and were passed over.");
  const [, left = ""] = /<textarea[^>]*>\n([^<]*)<\/textarea>/.exec(sent.body) ?? [];
  expect(left).toBe("sku,pieces\nKES-CABLE,5");
  const again = await ann.sendList({ opened: openedOf(sent.body), text: `${left}\nNONE,1` });
  expect([again.statusCode, await stocked()]).toEqual([409, { "KES-CABLE": 5, "KES-PRE": 4 }]);
  expect(again.body).toMatch(/no version has their SKU:[\s\S]*<code>NONE<\/code>/);
  for (const page of [sent, again]) expect(await findHtmlFaults(page.body, "/admin/stock")).toEqual([]);
});

test("a list with a mistake stores nothing and names its lines; one without lines, twice or too long says so", async () => {
  const { open, stocked } = await startStock();
  const ann = await open();
  const opened = openedOf((await ann.get("/admin/stock/list")).body);
  const long = `sku,pieces\n${Array.from({ length: 5_001 }, (_, row) => `S-${row},1`).join("\n")}`;
  for (const [text, file, shown] of [
    [
      "sku,pieces\nKES-PRE,4\nKES-CABLE,<b>",
      "",
      "Line 3: The pieces must be a whole number from 0 to 1,000,000, or “none”, and are “&lt;b&gt;”.",
    ],
    ["", "", "Choose a file, or paste lines."],
    ["sku,pieces\nKES-PRE,4", "sku,pieces\nKES-PRE,5", "Send either a file or lines"],
    [long, "", "The list may have 5,000 lines."],
  ] as const) {
    const page = await ann.sendList({ opened, text }, file);
    expect([page.statusCode, await stocked()]).toEqual([422, {}]);
    expect(page.body).toContain(shown);
  }
  expect((await ann.sendList({ opened, text: "x".repeat(1_048_576) })).statusCode).toBe(413);
  const broken = { "content-type": "multipart/form-data; boundary=x" };
  expect((await ann.post("/admin/stock/list", { opened }, broken)).statusCode).toBe(400);
});

test("where a partner's system counts, or unpaid orders would hold pieces for ever, stock is read and never written", async () => {
  for (const [facts, shown] of [
    [shopFacts({ erp: { owns: ["stock"], books_placed: false } }), "Your partner’s system counts the stock"],
    [shopFacts(), "cancel_after_days"],
  ] as const) {
    const { open, stocked } = await startStock(facts);
    const ann = await open();
    for (const path of ["/admin/stock", "/admin/stock/version?sku=KES-PRE", "/admin/stock/list"]) {
      const { statusCode, body } = await ann.get(path);
      const hasForm = /action="\/admin\/stock[^"]*" method="post"/.test(body);
      expect([path, statusCode, body.includes(shown), hasForm]).toEqual([path, 200, true, false]);
    }
    const opened = "p0c0";
    const answers = [
      await ann.post("/admin/stock", { opened, "shelf:KES-PRE": "4" }),
      await ann.post("/admin/stock/version", { opened, sku: "KES-PRE", shelf: "4" }),
      await ann.sendList({ opened, text: "sku,pieces\nKES-PRE,4" }),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([409, 409, 409]);
    expect(await stocked()).toEqual({});
  }
});

test("who lacks the right to orders, isn't signed in, or comes from another site's form reads and writes no stock", async () => {
  const { db, open, customer, stocked } = await startStock();
  const [ann, writer] = [await open(), await open("Cleo", "content", "shop")];
  const paths = ["/admin/stock", "/admin/stock/version?sku=KES-PRE", "/admin/stock/list", "/admin/stock/list.csv"];
  for (const path of paths) {
    expect([path, (await ann.get(path)).statusCode]).toEqual([path, 200]);
    expect([path, (await writer.get(path)).statusCode]).toEqual([path, 403]);
    expect([path, (await customer().get(path)).statusCode]).toEqual([path, 302]);
  }
  const fields = { opened: "p0c0", "shelf:KES-PRE": "4" };
  const elsewhere = { "sec-fetch-site": "cross-site" };
  expect((await writer.post("/admin/stock", fields)).statusCode).toBe(403);
  expect((await writer.sendList({ opened: "p0c0", text: "sku,pieces\nKES-PRE,4" })).statusCode).toBe(403);
  expect((await ann.post("/admin/stock", fields, elsewhere)).statusCode).toBe(403);
  expect((await customer().post("/admin/stock", fields)).statusCode).toBe(401);
  await db.updateTable("editors").set({ rights: "content" }).execute();
  expect((await ann.post("/admin/stock", fields)).statusCode).toBe(403);
  expect(await stocked()).toEqual({});
});
