import Type, { type Static } from "typebox";
import type { ShopFacts } from "../../contract/built-files/store.ts";
import { spellEmail } from "../../contract/email-address.ts";
import { CASE_KINDS, CASE_REASONS } from "../../platform/database/case-reasons.ts";
import { readJson } from "../../platform/database/columns.ts";
import type { Db } from "../../platform/database/pool.ts";
import { nullable } from "../../platform/http/schema-types.ts";
import { wordOf } from "../../platform/private-pages/page.ts";

const text = Type.String();

/** What the Liquid of the mail about a case can use (site/content-schema/mail.ts has the editors' names for it). */
export const CaseMailView = Type.Object({
  case: Type.Object({
    number: text,
    /** The keys of a sentence and of a reason among the words of private pages. */
    kind: wordOf("assistant.case", CASE_KINDS),
    reason: wordOf("assistant.reason", Object.values(CASE_REASONS).flat()),
    order_number: nullable(text),
    lines: Type.Array(Type.Object({ sku: nullable(text), name: text, quantity: Type.Integer() })),
    /** None without a message. */
    message_lines: Type.Array(text),
    contact: nullable(text),
    conversation: text,
    channel: nullable(text),
    subject: nullable(text),
  }),
  /** Of the order; null without one. */
  buyer_email: nullable(text),
  seller: Type.Object({ name: text, email: text, phone: text }),
});

/** The number that customer and shop use for a case. */
export const caseNumber = (id: number): string => `C-${1_000 + id}`;

/** A case as its mail shows it; undefined once it was erased. */
export async function viewCaseMail(
  db: Db,
  shop: ShopFacts,
  caseId: number,
): Promise<Static<typeof CaseMailView> | undefined> {
  const row = await db
    .selectFrom("cases")
    .leftJoin("orders", "orders.id", "cases.order_id")
    .selectAll("cases")
    .select(["orders.number as order_number", "orders.buyer"])
    .where("cases.id", "=", caseId)
    .executeTakeFirst();
  if (!row) return undefined;
  const { kind, reason, lines, order_number, message, contact, conversation, channel, subject } = row;
  return {
    case: {
      number: caseNumber(caseId),
      kind: `assistant.case.${kind}`,
      reason: `assistant.reason.${reason}`,
      lines: lines ? readJson(lines) : [],
      message_lines: message?.split(/\r?\n/) ?? [],
      ...{ order_number, contact, conversation, channel, subject },
    },
    buyer_email: (row.buyer && spellEmail(readJson(row.buyer).email)) ?? null,
    seller: { name: shop.name, email: shop.sales_email, phone: shop.phone },
  };
}
