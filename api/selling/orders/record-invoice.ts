import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import { currencyDigits } from "../../contract/currencies.ts";
import { formatMoney, parseMoney } from "../../contract/money.ts";
import type { Db } from "../../platform/database/pool.ts";
import { ActRefused } from "./act-refused.ts";
import { changeOrder } from "./change-order.ts";
import type { FollowUp } from "./place-order.ts";
import type { Order } from "./schema.ts";

/** An invoice or a credit note as a partner sends it. */
export interface NewInvoice extends Omit<Order["invoices"][number], "id" | "has_xml"> {
  pdf: Buffer;
  /** The same in a structured form, such as XRechnung. */
  xml: Buffer | null;
}

/** A document's number, as a regular expression. */
export const INVOICE_NUMBER = "^[!-~]([ -~]{0,62}[!-~])?$";
/** Of both forms together, 3 MiB. */
export const MOST_DOCUMENT_BYTES = 3_145_728;
const MOST_INVOICES = 50;

/**
 * Stores an invoice or a credit note of a locked order, whatever its status. It never changes: the same again changes
 * nothing. `who` sends it. Throws ActRefused.
 */
export async function recordInvoice(
  transaction: Db,
  order: Order,
  { pdf, xml, ...written }: NewInvoice,
  followUp: FollowUp,
  who: string,
): Promise<void> {
  refuseOtherFiles(pdf, xml);
  const invoice = { ...written, total: readTotal(order, written), has_xml: xml !== null };
  const { number } = written;
  const [owner] = await transaction
    .selectFrom("invoices")
    .select(["order_id", "position", sql<string>`sha2(pdf, 256)`.as("pdf"), sql<string>`sha2(xml, 256)`.as("xml")])
    .where("number", "=", number)
    .execute();
  if (owner && owner.order_id !== order.id) throw new ActRefused("content", "Another order has this number already.");
  if (owner) {
    const { id, ...known } = order.invoices.find((each) => each.number === number) ?? { id: 0 };
    const isSame = id === owner.position && isDeepStrictEqual(known, invoice);
    if (isSame && owner.pdf === sha256(pdf) && owner.xml === (xml && sha256(xml))) return;
    throw new ActRefused("content", "A different document has this number already. Documents never change.");
  }
  if (order.buyer === null && order.customer === null && order.billing_address === null)
    throw new ActRefused(
      "state",
      "The person who ordered was erased, so that no document about them is kept.",
      "erased",
    );
  if (order.invoices.length >= MOST_INVOICES)
    throw new ActRefused("content", `An order has at most ${MOST_INVOICES} invoices and credit notes.`);
  const id = order.invoices.length + 1;
  await transaction.insertInto("invoices").values({ order_id: order.id, position: id, number, pdf, xml }).execute();
  const invoices = [...order.invoices, { id, ...invoice }];
  await changeOrder(transaction, order.id, { invoices, who }, new Date(), followUp);
}

const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

/** After a byte order mark and blanks, a declaration, a comment or an element. */
const XML_BEGIN = /^(\u00ef\u00bb\u00bf)?[ \t\r\n]*<[?!A-Za-z_:]/;

/** Throws ActRefused unless they look like PDF and XML and aren't too large. */
function refuseOtherFiles(pdf: Buffer, xml: Buffer | null): void {
  if (!pdf.subarray(0, 5).equals(Buffer.from("%PDF-")))
    throw new ActRefused("content", "`pdf` isn't a PDF: it doesn't begin with %PDF-.");
  if (xml && !XML_BEGIN.test(xml.toString("latin1", 0, 1_024)))
    throw new ActRefused("content", "`xml` isn't XML in UTF-8: it doesn't begin as such.");
  if (pdf.length + (xml?.length ?? 0) > MOST_DOCUMENT_BYTES)
    throw new ActRefused("content", "The documents have more than 3 MiB together.");
}

/** The sum in the currency's digits. Throws ActRefused for another currency than the order's, or too many digits. */
function readTotal(order: Order, { total, currency }: Pick<NewInvoice, "total" | "currency">): string {
  if (currency !== order.currency) throw new ActRefused("content", `The order is in ${order.currency}.`);
  const digits = currencyDigits(currency);
  try {
    return formatMoney(parseMoney(total, digits), digits);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ActRefused("content", `A sum in ${currency} has at most ${digits} digits after the point.`);
  }
}

/** The file of an order's document; undefined if there is none. */
export async function findDocument(
  db: Db,
  orderId: number,
  position: number,
  form: "pdf" | "xml",
): Promise<{ number: string; file: Buffer } | undefined> {
  const row = await db
    .selectFrom("invoices")
    .select(["number", `${form} as file`])
    .where("order_id", "=", orderId)
    .where("position", "=", position)
    .executeTakeFirst();
  return row?.file ? { number: row.number, file: row.file } : undefined;
}
