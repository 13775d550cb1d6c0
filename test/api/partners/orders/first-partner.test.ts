import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv } from "ajv";
import { default as addFormats } from "ajv-formats";
import { expect, onTestFinished, test } from "vitest";
import { makeFollowUp } from "../../../../api/follow-up.ts";
import { changeOrder } from "../../../../api/selling/orders/change-order.ts";
import { placeOrder } from "../../../../api/selling/orders/place-order.ts";
import { recordPayment } from "../../../../api/selling/orders/record-payment.ts";
import { eventually } from "../../../eventually.ts";
import { startApi, token } from "../../api.ts";
import { newLine, newOrder, vat } from "../../selling/orders/new-order.ts";

// The loop of the developer pages and the order's schema, as of the first version (2026-11-20).
const fixture = (name: string) =>
  readFileSync(join(import.meta.dirname, "../../../fixtures/first-partner", name), "utf8");

/** Orders as the checkout places them, paid, on credit, on hold and cancelled. */
async function startShop() {
  const api = await startApi();
  const followUp = makeFollowUp({ pushWhen: "manual" });
  const address = {
    ...{ first_name: "Ada", last_name: "Novák", company: "Novák Retail s.r.o.", phone: null },
    ...{
      address1: "Dlouhá 12",
      address2: null,
      city: "Praha 1",
      postal_code: "110 00",
      region: null,
      country_code: "CZ",
    },
  };
  const bought = newOrder({
    buyer: {
      ...{ email: "ada@example.com", first_name: "Ada", last_name: "Novák", company: "Novák Retail s.r.o." },
      ...{ phone: null, vat_id: "CZ12345678" },
    },
    buyer_reference: "PO-7741",
    tax_treatment: "destination",
    vat_check: {
      vat_id: "CZ12345678",
      result: "unavailable",
      checked_at: "2026-11-22T09:00:00.000Z",
      consultation_number: null,
    },
    placed_at: new Date(),
    billing_address: address,
    shipping_address: address,
    lines: [newLine(), newLine({ quantity: 3 })],
    shipping_lines: [{ code: "standard", title: "Standard delivery", price: "7.50", taxes: [vat] }],
  });
  for (let index = 0; index < 4; index += 1) await placeOrder(api.db, bought, undefined, followUp);
  const transfer = { method: "bank_transfer", reference: "t-1" };
  await recordPayment(api.db, 1, { ...transfer, amount: "763.50" }, followUp);
  await recordPayment(api.db, 2, { ...transfer, amount: "10" }, followUp);
  await changeOrder(api.db, 3, { status: "processing", by: "person" }, undefined, followUp);
  await changeOrder(api.db, 4, { status: "cancelled", cancel_reason: "Ordered twice" }, undefined, followUp);
  return api;
}

test("a partner's program of the first version follows orders from the checkout", async () => {
  const { app, db } = await startShop();
  const base = await app.listen({ host: "127.0.0.1", port: 0 });
  const folder = mkdtempSync(join(tmpdir(), "twinfront-partner-"));
  writeFileSync(join(folder, "loop.mts"), fixture("loop.mts").replace("https://shop.example", base));
  const env = { PATH: process.env["PATH"], ERP_PULL_API_TOKEN: token };
  const child = spawn(process.execPath, ["--no-warnings", "loop.mts"], {
    ...{ cwd: folder, env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(async () => {
    child.kill();
    await once(child, "close");
    rmSync(folder, { recursive: true });
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text) => (output += text));
  await eventually(() =>
    expect(output.trim().split("\n")).toEqual(["1 2 processing", "2 2 pending", "3 2 processing", "4 2 cancelled"]),
  );
  const { last_sequence } = await db
    .selectFrom("counters")
    .select("last_sequence")
    .where("name", "=", "orders")
    .executeTakeFirstOrThrow();
  await eventually(() => expect(readFileSync(join(folder, "changed-after.txt"), "utf8")).toBe(String(last_sequence)));
});

test("every field of the first version's orders is there as it was, in its place, and the new ones come after", async () => {
  const { get } = await startShop();
  const schema = JSON.parse(fixture("order-schema.json"));
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const check = ajv.compile(schema);
  const { orders }: { orders: object[] } = (await get("/api/orders")).json();
  expect(orders).toHaveLength(4);
  for (const order of orders) {
    check(order);
    expect(check.errors).toBeNull();
    const names = Object.keys(order);
    const first = Object.keys(schema.properties);
    expect(names.slice(0, first.length)).toEqual(first);
    expect(names.slice(first.length)).toEqual([
      ...["buyer", "buyer_reference", "tax_treatment", "vat_check", "fulfillments"],
      ...["partner_note", "returns", "invoices"],
    ]);
  }
});
