import { expect, test } from "vitest";
import { makeFollowUp } from "../../../../api/follow-up.ts";
import { changeOrder } from "../../../../api/selling/orders/change-order.ts";
import { placeOrder } from "../../../../api/selling/orders/place-order.ts";
import { startApi, token } from "../../api.ts";
import { actByCommand } from "../../selling/orders/act-by-command.ts";
import { newOrder } from "../../selling/orders/new-order.ts";
import { pdfOf, xmlOf } from "./documents.ts";

const buyer = {
  ...{ email: "ada@example.com", first_name: "Ada", last_name: "Novák", company: null, phone: null, vat_id: null },
};
const base64 = (text: string) => Buffer.from(text, "latin1").toString("base64");

/** An invoice over the only line of an order, 189.00. */
const newInvoice = (changes: object = {}) => ({
  ...{ number: "2026-004711", kind: "invoice", issued_on: "2026-10-19", total: "189", currency: "EUR" },
  pdf: pdfOf("Ada Novák").toString("base64"),
  ...changes,
});

/** An API with orders of a scanner each. */
async function start({ orders = 1 } = {}) {
  const api = await startApi({ pullTokens: [token], pushWhen: "manual" });
  for (let at = 0; at < orders; at += 1) await placeOrder(api.db, newOrder({ buyer }));
  const add = async (payload: object, { id = 1, key = "" } = {}) => {
    const headers = { authorization: `Bearer ${token}`, ...(key && { "idempotency-key": key }) };
    const answer = await api.app.inject({ method: "POST", url: `/api/orders/${id}/invoices`, headers, payload });
    return { status: answer.statusCode, body: answer.json(), headers: answer.headers };
  };
  const stored = () => api.db.selectFrom("invoices").selectAll().orderBy("order_id").orderBy("position").execute();
  const mails = () => api.db.selectFrom("mails").select(["order_id", "kind", "about"]).orderBy("id").execute();
  return { ...api, add, stored, mails };
}

test("an invoice is stored with its files, shown without them and mailed of once; the same again changes nothing", async () => {
  const { db, add, get, stored, mails } = await start();
  const xml = xmlOf("Ada Novák");
  const first = await add(newInvoice({ xml: xml.toString("base64"), seen: { status: "pending" } }));
  const shown = { id: 1, number: "2026-004711", kind: "invoice", issued_on: "2026-10-19", total: "189.00" };
  expect(first).toMatchObject({
    status: 200,
    body: { status: "pending", version: 2, invoices: [{ ...shown, currency: "EUR", has_xml: true }] },
  });
  expect(await stored()).toEqual([{ order_id: 1, position: 1, number: shown.number, pdf: pdfOf("Ada Novák"), xml }]);
  const again = await add(newInvoice({ xml: xml.toString("base64"), total: "189.00", seen: { status: "failed" } }));
  expect(again).toMatchObject({ status: 200, body: first.body });
  expect((await get("/api/orders?changed_after=0")).json().orders).toEqual([first.body]);
  await actByCommand(db, "A-1001", { name: "cancel", reason: null }, makeFollowUp({ pushWhen: "manual" }));
  const note = newInvoice({ number: "2026/4712 C", kind: "credit_note", total: "10.5" });
  expect((await add(note)).body.invoices).toMatchObject([shown, { id: 2, kind: "credit_note", total: "10.50" }]);
  const about = (await mails()).filter(({ kind }) => kind === "invoice");
  expect(about).toEqual([1, 2].map((id) => ({ order_id: 1, kind: "invoice", about: id })));
  const history = await db.selectFrom("order_history").select(["act", "version", "amount", "units"]).execute();
  expect(history).toEqual([
    { act: "invoiced", version: 2, amount: null, units: null },
    { act: "cancel", version: 3, amount: null, units: null },
    { act: "invoiced", version: 4, amount: null, units: null },
  ]);
});

test("a known number with anything else is refused, in this order and in another, and so is what doesn't fit", async () => {
  const { add, stored } = await start({ orders: 2 });
  const first = await add(newInvoice());
  const before = await stored();
  const detailOf = async (changes: object, id = 1) => {
    const { status, body } = await add(newInvoice(changes), { id });
    return [status, body.detail ?? body];
  };
  const different = [422, "A different document has this number already. Documents never change."];
  const xml = xmlOf("x").toString("base64");
  const changes = [{ kind: "credit_note" }, { issued_on: "2026-10-20" }, { total: "188" }, { pdf: base64("%PDF-") }];
  for (const each of [...changes, { xml }]) expect(await detailOf(each)).toEqual(different);
  expect(await detailOf({}, 2)).toEqual([422, "Another order has this number already."]);
  const number = "X-1";
  expect(await detailOf({ number, currency: "USD" })).toEqual([422, "The order is in EUR."]);
  expect(await detailOf({ number, total: "1.234" })).toEqual([
    422,
    "A sum in EUR has at most 2 digits after the point.",
  ]);
  const noPdf = [422, "`pdf` isn't a PDF: it doesn't begin with %PDF-."];
  for (const text of ["%PDF", " %PDF-1.7", "<html>"])
    expect(await detailOf({ number, pdf: base64(text) })).toEqual(noPdf);
  const noXml = [422, "`xml` isn't XML in UTF-8: it doesn't begin as such."];
  for (const text of ["{}", "\xff\xfe<\x00", "< a>"])
    expect(await detailOf({ number, xml: base64(text) })).toEqual(noXml);
  expect((await detailOf({ number, seen: { status: "processing" } }))[0]).toBe(409);
  expect((await add(newInvoice(), { id: 3 })).status).toBe(404);
  for (const wrong of [
    ...[{ number: "" }, { number: " X" }, { number: "Ä" }, { number: "x".repeat(65) }, { kind: "bill" }],
    ...[{ issued_on: "2026-02-30" }, { issued_on: "19.10.2026" }, { total: "-1" }, { total: 1 }, { currency: "eur" }],
    ...[{ pdf: "" }, { pdf: "JVBERi0" }, { pdf: "JVBERi0\n" }, { pdf: "JVBERi1=" }, { pdf: "JVBERi1_" }, { xml: null }],
  ]) {
    const { status, body } = await add(newInvoice({ number, ...wrong }));
    expect([status, body.errors?.[0]?.field]).toEqual([400, Object.keys(wrong)[0]]);
  }
  expect(await stored()).toEqual(before);
  for (const text of ["\xef\xbb\xbf \n<?xml?>", "<a/>", "<!-- -->"]) {
    const { status } = await add(newInvoice({ number: `X-${text.length}`, xml: base64(text) }));
    expect(status).toBe(200);
  }
  expect((await add(newInvoice())).body.invoices[0]).toEqual(first.body.invoices[0]);
});

test("both files have 3 MiB together, an order has 50 documents, and an erased person none", async () => {
  const { db, add, stored } = await start({ orders: 2 });
  const [most, xml] = [3_145_728, xmlOf("x")];
  const pdf = (bytes: number) => Buffer.concat([Buffer.from("%PDF-"), Buffer.alloc(bytes - 5, 7)]).toString("base64");
  const whole = newInvoice({ pdf: pdf(most - xml.length), xml: xml.toString("base64") });
  expect(await add(whole)).toMatchObject({ status: 200, body: { invoices: [{ has_xml: true }] } });
  const number = "X-1";
  const tooLarge = await add({ ...whole, number, pdf: pdf(most - xml.length + 1) });
  expect([tooLarge.status, tooLarge.body.detail]).toEqual([422, "The documents have more than 3 MiB together."]);
  const beyond = await add(newInvoice({ number, pdf: "A".repeat(4_104 * 1_024) }));
  expect([beyond.status, beyond.body.type]).toEqual([413, expect.stringContaining("#payload-too-large")]);
  const [first] = await stored();
  expect(first?.pdf.length).toBe(most - xml.length);

  for (let at = 2; at <= 50; at += 1) await add(newInvoice({ number: `N-${at}` }));
  const last = await add(newInvoice({ number: "N-51" }));
  expect([last.status, last.body.detail]).toEqual([422, "An order has at most 50 invoices and credit notes."]);
  expect((await add(newInvoice({ number: "N-50" }))).body.invoices).toHaveLength(50);

  await db
    .updateTable("orders")
    .set({ buyer: null, customer: null, billing_address: null })
    .where("id", "=", 2)
    .execute();
  expect((await add(newInvoice({ number }), { id: 2 })).status).toBe(409);
});

test("with an Idempotency-Key a request is done once, and neither its files nor another's are kept with the answer", async () => {
  const { db, add, stored } = await start();
  const key = '"invoice-1"';
  const first = await add(newInvoice(), { key });
  await changeOrder(db, 1, { note: "changed since" });
  const again = await add(newInvoice(), { key });
  expect([again.body, again.headers["idempotent-replayed"]]).toEqual([first.body, "true"]);
  expect((await add(newInvoice({ number: "X" }), { key })).status).toBe(422);
  expect(await stored()).toHaveLength(1);
  const { answer } = await db.selectFrom("idempotency_keys").select("answer").executeTakeFirstOrThrow();
  expect(answer).not.toContain(newInvoice().pdf.slice(0, 20));
});

test("lists of orders read no documents", async () => {
  const { db, add, get } = await start();
  await add(newInvoice());
  // Whoever read the table now would fail.
  await db.schema.dropTable("invoices").execute();
  expect((await get("/api/orders")).json().orders[0].invoices).toHaveLength(1);
  expect((await get("/api/orders/1")).json().invoices).toHaveLength(1);
});
