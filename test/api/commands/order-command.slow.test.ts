import { expect, test } from "vitest";
import type { Act } from "../../../api/selling/orders/acts.ts";
import { ATTENTION_REASONS } from "../../../api/selling/orders/attention.ts";
import { placeOrder } from "../../../api/selling/orders/place-order.ts";
import { findOrder } from "../../../api/selling/orders/queries.ts";
import { openMigratedDatabase } from "../api.ts";
import { address } from "../selling/mail/mail-shop.ts";
import { actByCommand } from "../selling/orders/act-by-command.ts";
import { newLine, newOrder } from "../selling/orders/new-order.ts";
import { run } from "../server-process.ts";

/** A database with an order of 189.00 EUR, A-1001. `act` does something to it and returns how it then is. */
async function start() {
  const { db, url } = await openMigratedDatabase();
  await placeOrder(db, newOrder({ shipping_address: address }));
  const act = async (given: Act) => {
    const { before, after } = await actByCommand(db, "A-1001", given, async () => {});
    const { status, payment_status, totals } = after;
    return [status, payment_status, totals.due, ...(before.version === after.version ? ["unchanged"] : [])].join(" ");
  };
  return { db, url, act };
}

const paid = (reference: string, amount?: string): Act => ({
  ...{ name: "paid", method: "bank_transfer", reference, amount },
});
const refunded = (reference: string, amount?: string): Act => ({ name: "refunded", reference, amount, reason: null });
const cancel: Act = { name: "cancel", reason: "Ordered twice" };

test("a payment is what is due unless an amount is given, and the same reference counts once", async () => {
  const { act } = await start();
  await expect(act(paid("t-1", "0"))).rejects.toThrow("The amount must be larger than 0");
  expect(await act(paid("t-1", "100"))).toBe("pending partially_paid 89.00");
  expect(await act(paid("t-1"))).toBe("pending partially_paid 89.00 unchanged");
  await expect(act(paid("t-1", "89"))).rejects.toThrow(/recorded already, with another amount/);
  expect(await act(paid("t-2"))).toBe("processing paid 0.00");
  await expect(act(paid("t-3"))).rejects.toThrow(
    "Nothing is due on A-1001. If money came all the same, write --amount.",
  );
  expect(await act(paid("t-3", "189"))).toBe("processing paid 0.00");
});

test("credit makes a pending order processing though it's unpaid, and a later payment leaves it so", async () => {
  const { act } = await start();
  expect(await act({ name: "accept" })).toBe("processing unpaid 189.00");
  expect(await act({ name: "accept" })).toBe("processing unpaid 189.00 unchanged");
  expect(await act({ name: "hold" })).toBe("on_hold unpaid 189.00");
  await expect(act({ name: "accept" })).rejects.toThrow(
    "A-1001 is on_hold. Only an order that is pending can be accepted.",
  );
  expect(await act({ name: "release" })).toBe("processing unpaid 189.00");
  expect(await act(paid("t-1"))).toBe("processing paid 0.00");
});

test("a cancelled order keeps its first reason, and only a person reopens it", async () => {
  const { db, act } = await start();
  expect(await act(cancel)).toBe("cancelled unpaid 0.00");
  expect(await act({ ...cancel, reason: "another" })).toBe("cancelled unpaid 0.00 unchanged");
  expect((await findOrder(db, 1))?.cancel_reason).toBe("Ordered twice");
  await expect(act({ name: "release" })).rejects.toThrow("Only an order that is on_hold can be released.");
  expect(await act(paid("t-1", "189"))).toBe("cancelled paid 0.00");
  expect(await act({ name: "hold" })).toBe("on_hold paid 0.00");
});

test("a refund is all that was paid unless an amount is given; the order is refunded when nothing is left", async () => {
  const { act } = await start();
  await expect(act(refunded("r-1"))).rejects.toThrow("Nothing that was paid on A-1001 is left to refund.");
  await act(paid("t-1"));
  await act(paid("t-2", "189"));
  await expect(act(refunded("r-1"))).rejects.toThrow(/paid more than its total. Write how much goes back/);
  for (const nothing of ["0", "0.00", "-1"])
    await expect(act(refunded("r-1", nothing))).rejects.toThrow("A refund must be larger than 0");
  expect(await act(refunded("r-1", "189"))).toBe("processing paid 0.00");
  expect(await act(refunded("r-1"))).toBe("processing paid 0.00 unchanged");
  expect(await act(refunded("r-2", "9"))).toBe("processing partially_refunded 0.00");
  await expect(act(refunded("r-2", "10"))).rejects.toThrow(/recorded already, with another amount/);
  await expect(act(refunded("r-3", "500"))).rejects.toThrow("Only 180.00 of what was paid on A-1001 is left");
  expect(await act(refunded("r-3"))).toBe("refunded refunded 0.00");
  expect(await act(refunded("r-3"))).toBe("refunded refunded 0.00 unchanged");
});

test("what was sent is everything left unless lines are given, and the same reference counts once", async () => {
  const { db, act } = await start();
  const lines = [newLine({ quantity: 2 }), newLine({ sku: "RIL 80" })];
  await placeOrder(db, newOrder({ lines, status: "processing" }));
  const sent = (reference: string, ...items: { sku: string; quantity: number }[]): Act => ({
    name: "sent",
    ...{ reference, carrier: "DHL", tracking_number: null, tracking_url: null },
    lines: items.length > 0 ? items : undefined,
  });
  const scanner = { sku: "KES-C2-BK", quantity: 1 };
  await expect(act(sent("p-1"))).rejects.toThrow("The order is pending: record its payment, or accept it");
  const actOnSecond = (given: Act) => actByCommand(db, "A-1002", given, async () => {});
  const { after } = await actOnSecond(sent("p-1", scanner));
  expect(after).toMatchObject({ status: "processing", fulfillment_status: "partial" });
  expect((await actOnSecond(sent("p-1", scanner))).after).toEqual(after);
  await expect(actOnSecond(sent("p-1", { ...scanner, quantity: 2 }))).rejects.toThrow("A different fulfilment is");
  await expect(actOnSecond(sent("p-2", { sku: "KES", quantity: 1 }))).rejects.toThrow(
    "A-1002 has no line with the SKU KES.",
  );
  await actOnSecond(sent("p-2", { sku: "RIL 80", quantity: 1 }));
  const rest = await actOnSecond(sent("p-3"));
  expect(rest.after.fulfillments.map(({ lines }) => lines)).toEqual([
    [{ line_id: 2001, quantity: 1 }],
    [{ line_id: 2002, quantity: 1 }],
    [{ line_id: 2001, quantity: 1 }],
  ]);
  expect((await actOnSecond(sent("p-3"))).before).toEqual(rest.after);
  expect((await actOnSecond(paid("t-1"))).after.status).toBe("completed");
});

test("the command shows the order before and after, says when nothing changed, and explains wrong input", async () => {
  const { url } = await start();
  const command = async (...args: string[]) => {
    const { output, ended } = run("commands/order.ts", { DATABASE_URL: url }, ...args);
    return [await ended, output.stdout, output.stderr];
  };
  expect(await command("paid", "A-1001", "--reference", "t-1")).toEqual([
    ...[
      0,
      "Before: A-1001 is pending and unpaid, 189.00 of 189.00 EUR due.\nNow:    A-1001 is processing and paid, 0.00 of 189.00 EUR due.\n",
    ],
    "",
  ]);
  expect(await command("paid", " a-1001", "--reference", "t-1")).toEqual([
    ...[
      0,
      "A-1001 is processing and paid, 0.00 of 189.00 EUR due. This was already recorded, so nothing changed.\n",
      "",
    ],
  ]);
  const tracking = ["--carrier", "DHL", "--number", "0034", "--link", "https://dhl.example/0034"];
  const sent = ["sent", "A-1001", "--reference", "p-1", "--lines", "KES-C2-BK:1", ...tracking];
  const completed = "A-1001 is completed and paid, 0.00 of 189.00 EUR due, all sent";
  const overpaid = completed.replace(" due,", " due, 209.00 EUR paid,");
  const matter = `A person must look: 20.00 EUR: ${ATTENTION_REASONS.overpaid}.`;
  expect(await command(...sent)).toEqual([
    ...[0, `Before: A-1001 is processing and paid, 0.00 of 189.00 EUR due.\nNow:    ${completed}.\n`, ""],
  ]);
  expect(await command(...sent)).toEqual([0, `${completed}. This was already recorded, so nothing changed.\n`, ""]);
  expect(await command("paid", "A-1001", "--reference", "t-2", "--amount", "20.00")).toEqual([
    ...[0, `Before: ${completed}.\nNow:    ${overpaid}.\n${matter}\n`, ""],
  ]);
  expect(await command("show", "A-1001")).toEqual([0, `${overpaid}.\n${matter}\n`, ""]);
  expect(await command("done", "A-1001")).toEqual([0, `${overpaid}. What needed a person is dealt with.\n`, ""]);
  expect(await command("show", "A-1001")).toEqual([0, `${overpaid}.\n`, ""]);
  expect(await command("note", "A-1001", "--text", "Called")).toEqual([0, `${overpaid}. The note is added.\n`, ""]);
  expect(await command("mail", "A-1001", "--kind", "sent")).toEqual([
    ...[1, "", "This mail doesn't fit the order any more.\n"],
  ]);
  const link =
    "Write --link as an https address of at most 2,000 visible ASCII characters, without a user name or password.";
  const wrongSent = [
    ["--carrier", "two\nlines", "Write --carrier as 1 to 100 visible characters."],
    ["--link", "https://dhl@evil.example/", link],
    ["--link", "http://dhl.example/", link],
    ["--lines", "KES-C2-BK", "Write --lines as SKUs and pieces: KES-C2-BK:1,RIL-80:2."],
  ] as const;
  const refused = wrongSent.map(([option, value]) => command("sent", "A-1001", "--reference", "p-2", option, value));
  expect(await Promise.all(refused)).toEqual(wrongSent.map(([, , message]) => [1, "", `${message}\n`]));
  expect(await command("cancel", "a- 9")).toEqual([1, "", "No order has the number A-9.\n"]);
  for (const wrong of [
    ["pay", "A-1001"],
    ["paid", "A-1001"],
    ["sent", "A-1001"],
    ["note", "A-1001"],
    ["mail", "A-1001", "--kind", "letter"],
    ["accept", "A-1001", "--reason", "x"],
    ["cancel", "A-1001", "--why", "x"],
  ])
    expect(await command(...wrong)).toEqual([1, "", expect.stringContaining("Usage: npm run order -- ACTION NUMBER")]);
  expect(await command("paid", "A-1001", "--reference", "two\nlines")).toEqual([
    ...[1, "", "Write --reference as one line of at most 255 characters, without blanks around it.\n"],
  ]);
  for (const reason of ["two\nlines", "", " ", "x".repeat(501)])
    expect(await command("cancel", "A-1001", "--reason", reason)).toEqual([
      ...[1, "", "Write --reason as one line of at most 500 characters.\n"],
    ]);
});
