import Type, { type Static } from "typebox";
import type { ShopFacts } from "../../contract/built-files/store.ts";
import { currencyDigits } from "../../contract/currencies.ts";
import { days } from "../../contract/duration.ts";
import { formatMoney, parseMoney } from "../../contract/money.ts";
import { nullable } from "../../platform/http/schema-types.ts";
import type { ShopOrder } from "../orders/to-order.ts";
import { drawQrCode } from "./qr-code.ts";

/** How to pay an order by bank transfer. */
export const Transfer = Type.Object({
  account_holder: Type.String(),
  bank: nullable(Type.String()),
  /** In groups of four, as people read it. */
  iban: nullable(Type.String()),
  bic: nullable(Type.String()),
  reference: Type.String(),
  amount: Type.String(),
  /** YYYY-MM-DD. */
  due_day: Type.String(),
  /** What a banking app reads; null where the currency isn't EUR or there is no IBAN. */
  qr: nullable(Type.Object({ size: Type.Integer(), path: Type.String() })),
});
export type Transfer = Static<typeof Transfer>;

/** How to pay what is still due; null where nothing is to be paid now, or the shop takes no transfers. */
export function describeTransfer(order: ShopOrder, { transfer }: ShopFacts): Transfer | null {
  const isOpen = order.status === "pending" || order.status === "processing";
  if (!transfer || !isOpen || parseMoney(order.totals.due) <= 0n) return null;
  const { account_holder, bank, iban, bic, due_days } = transfer;
  const code = paymentCode(order, transfer);
  const due = new Date(Date.parse(order.transfer_since ?? order.placed_at ?? order.created_at) + days(due_days));
  return {
    account_holder,
    bank,
    iban: iban && groupIban(iban),
    bic,
    reference: order.number,
    amount: order.totals.due,
    due_day: due.toISOString().slice(0, 10),
    qr: code === null ? null : drawQrCode(code),
  };
}

/** What a banking app reads to pay what is due of an order; null where the currency isn't EUR or there is no IBAN. */
export function paymentCode(
  { currency, totals, number }: Pick<ShopOrder, "currency" | "totals" | "number">,
  { iban, ...account }: NonNullable<ShopFacts["transfer"]>,
): string | null {
  return currency === "EUR" && iban !== null ? epcText({ ...account, iban }, totals.due, number) : null;
}

/** An IBAN in groups of four, as people read it. */
export const groupIban = (iban: string): string => (compact(iban).match(/.{1,4}/g) ?? []).join(" ");

/** EPC069-12, §2: an amount has at most nine digits before the point, a name at most 70 characters. */
const MOST = parseMoney("999999999.99");
const NAME_CHARACTERS = 70;

/** The text of an EPC QR code (EPC069-12, version 002, UTF-8); null for an amount that it can't hold. */
export function epcText(
  { account_holder, iban, bic }: { account_holder: string; iban: string; bic: string | null },
  amount: string,
  reference: string,
): string | null {
  if (parseMoney(amount) > MOST) return null;
  const name = [...account_holder].slice(0, NAME_CHARACTERS).join("");
  const sum = `EUR${formatMoney(parseMoney(amount), currencyDigits("EUR"))}`;
  const [purpose, structured] = ["", ""];
  return ["BCD", "002", "1", "SCT", bic ?? "", name, compact(iban), sum, purpose, structured, reference].join("\n");
}

const compact = (iban: string) => iban.replaceAll(/\s/g, "");
