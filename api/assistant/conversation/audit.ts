import { createHash } from "node:crypto";
import { ago, now } from "../../platform/database/columns.ts";
import type { Db } from "../../platform/database/pool.ts";
import { VERIFIED_FOR_MS } from "../../selling/mail/verification-codes.ts";

interface Call {
  /** Undefined where the request didn't say which conversation, or who was asking. */
  conversationKey: string | undefined;
  tool: string;
  /** A hash of the assistant's token. */
  token: string;
  arguments: unknown;
  /** The status of the answer. */
  status: number;
}

/** Records a call, with hashes of what was sent, and whether the conversation was verified for an order then. */
export async function recordCall(db: Db, { conversationKey, tool, token, status, ...call }: Call): Promise<void> {
  // Not within the insert, which would lock what it reads, and deadlock with calls that verify at the same time.
  const verified = await db
    .selectFrom("verifications")
    .select("id")
    .where("conversation_key", "=", conversationKey ?? "")
    .where("confirmed_at", ">", ago(VERIFIED_FOR_MS))
    .limit(1)
    .executeTakeFirst();
  await db
    .insertInto("assistant_calls")
    .values({
      called_at: now(),
      conversation_key: conversationKey ?? null,
      tool,
      // With the token's hash, which isn't in the database: codes and order numbers are few enough to try.
      arguments_hash: createHash("sha256")
        .update(JSON.stringify([token, call.arguments ?? null]))
        .digest("hex"),
      status,
      is_verified: verified ? 1 : 0,
    })
    .execute();
}
