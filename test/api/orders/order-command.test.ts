import { expect, test } from "vitest";
import { type Act, actByPerson } from "../../../api/orders/by-person.ts";
import { placeOrder } from "../../../api/orders/place-order.ts";
import { findOrder } from "../../../api/orders/queries.ts";
import { openMigratedDatabase } from "../api.ts";
import { run } from "../server-process.ts";
import { newOrder } from "./new-order.ts";

/** A database with an order of 189.00 EUR, A-1001. `act` does something to it and returns how it then is. */
async function start() {
  const { db, url } = await openMigratedDatabase();
  await placeOrder(db, newOrder());
  const act = async (given: Act) => {
    const { before, after } = await actByPerson(db, "A-1001", given, async () => {});
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
  expect(await act(paid("t-1", "100"))).toBe("on_hold partially_paid 89.00");
  expect(await act(paid("t-1"))).toBe("on_hold partially_paid 89.00 unchanged");
  await expect(act(paid("t-1", "89"))).rejects.toThrow(/recorded already, with another amount/);
  expect(await act(paid("t-2"))).toBe("on_hold paid 0.00");
  expect(await act({ name: "release" })).toBe("processing paid 0.00");
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
    await expect(act(refunded("r-1", nothing))).rejects.toThrow("A refund must be larger than 0.");
  expect(await act(refunded("r-1", "189"))).toBe("processing paid 0.00");
  expect(await act(refunded("r-1"))).toBe("processing paid 0.00 unchanged");
  expect(await act(refunded("r-2", "9"))).toBe("processing partially_refunded 0.00");
  await expect(act(refunded("r-2", "10"))).rejects.toThrow(/r-2 is recorded already with a different amount/);
  await expect(act(refunded("r-3", "500"))).rejects.toThrow("The refunds are larger than the payments.");
  expect(await act(refunded("r-3"))).toBe("refunded refunded 0.00");
  expect(await act(refunded("r-3"))).toBe("refunded refunded 0.00 unchanged");
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
  expect(await command("paid", "A-1001", "--reference", "t-1")).toEqual([
    ...[0, "A-1001 is processing and paid, 0.00 of 189.00 EUR due. It was so already: nothing changed.\n", ""],
  ]);
  expect(await command("cancel", "A-9")).toEqual([1, "", "No order has the number A-9.\n"]);
  for (const wrong of [
    ["pay", "A-1001"],
    ["paid", "A-1001"],
    ["accept", "A-1001", "--reason", "x"],
  ])
    expect(await command(...wrong)).toEqual([1, "", expect.stringContaining("Usage: npm run order -- ACTION NUMBER")]);
  expect(await command("paid", "A-1001", "--reference", "two\nlines")).toEqual([
    ...[1, "", "Write --reference as 1 to 255 visible ASCII characters.\n"],
  ]);
  expect((await command("cancel", "A-1001", "--why", "x"))[2]).toMatch(/^Unknown option '--why'/);
});
