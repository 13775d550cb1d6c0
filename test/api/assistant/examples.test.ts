import { expect, test } from "vitest";
import { tools } from "../../../api/assistant/tools.ts";
import { hashCode } from "../../../api/selling/mail/verification-codes.ts";
import { changeOrder } from "../../../api/selling/orders/change-order.ts";
import { placeOrder } from "../../../api/selling/orders/place-order.ts";
import { boughtOrder } from "../selling/mail/mail-shop.ts";
import { startAssistant } from "./assistant-shop.ts";
import { verifyFor } from "./verified.ts";

test("every tool's example fits its own arguments", async () => {
  const { call } = await startAssistant();
  for (const { name, example } of tools)
    expect([name, (await call(name, example)).statusCode]).not.toEqual([name, 400]);
});

const ABOUT_ORDERS = ["start_verification", "confirm_verification", "order_status", "request_return", "hand_over"];

test("fault 15: every tool about an order can be called by its own example", async () => {
  const { db, call } = await startAssistant();
  const { id } = await placeOrder(db, boughtOrder());
  await changeOrder(db, id, { status: "processing", fulfillment_status: "fulfilled" });
  await db.updateTable("orders").set({ number: "A-1042" }).execute();
  await verifyFor(db, "chat-1", id);
  for (const name of ABOUT_ORDERS) {
    const tool = tools.find((each) => each.name === name);
    const answer = await call(name, tool?.example ?? {});
    expect([name, answer.statusCode, Object.keys(answer.json())]).toEqual([name, 200, ["result", "say"]]);
    // Now the mail is on its way, with the example's code.
    if (name !== "start_verification") continue;
    const waiting = await db.selectFrom("verifications").select("id").where("confirmed_at", "is", null).execute();
    expect(waiting).toHaveLength(1);
    for (const verification of waiting)
      await db
        .updateTable("verifications")
        .set({ code_hash: hashCode(verification.id, "482913") })
        .where("id", "=", verification.id)
        .execute();
  }
});
