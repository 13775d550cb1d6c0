import { openConversation } from "../../../api/assistant/conversation/conversation.ts";
import { now } from "../../../api/platform/database/columns.ts";
import type { Db } from "../../../api/platform/database/pool.ts";
import { hashToken } from "../../../api/platform/http/authentication.ts";
import { assistantToken } from "./assistant-shop.ts";

/** Makes an unidentified visitor's conversation verified for an order, as a code from a mail does. */
export async function verifyFor(db: Db, conversation: string, orderId: number): Promise<void> {
  const opened = { id: conversation, token: hashToken(`Bearer ${assistantToken}`), identity: undefined };
  await db
    .insertInto("verifications")
    .values({
      conversation_key: openConversation(opened, []).key,
      ...{ asked: "", order_id: orderId, created_at: now(), confirmed_at: now() },
    })
    .execute();
}
