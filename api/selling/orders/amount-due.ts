import { parseMoney } from "../../contract/money.ts";
import { sum } from "./money.ts";
import { sumPaid } from "./payments.ts";
import type { Order } from "./schema.ts";

interface Settled {
  status: Order["status"];
  total: bigint;
  payments: readonly Pick<Order["payments"][number], "amount" | "status">[];
  refunds: readonly Pick<Order["refunds"][number], "amount">[];
  /** Whether it has ever been paid in full; left out, whether the payments come to the total. */
  wasPaid?: boolean;
}

/**
 * Computes due, refunded and payment status from payments and refunds, so that the three never contradict each other.
 * Amounts are in ten-thousandths. What goes back before the order is paid in full is due again, and what goes back
 * afterwards isn't. An order of 0 has no payments, so its status decides:
 * it's paid once the shop has accepted it, and unpaid with nothing due while it is pending, failed or cancelled. Throws
 * RangeError when more is refunded than was paid. `received` is the sum of all payments, refunded or not.
 */
export function computeDue({ status, total, payments, refunds, ...given }: Settled) {
  const paid = sumPaid(payments);
  const refunded = sum(refunds.map(({ amount }) => parseMoney(amount)));
  if (refunded > paid) throw new RangeError("The refunds are larger than the payments.");
  const closed = status === "cancelled" || status === "refunded" || status === "failed";
  const isFull = (given.wasPaid ?? paid >= total) || paid - refunded >= total;
  const due = closed || isFull ? 0n : total - (paid - refunded);
  const taken = status !== "pending" && status !== "cancelled" && status !== "failed";
  const paidInFull = isFull && (paid > 0n || taken);
  // Refunding a surplus leaves the order paid.
  const shortened = refunded > 0n && paid - refunded < total;
  const payment_status = shortened
    ? refunded === paid
      ? "refunded"
      : "partially_refunded"
    : paymentStatus(payments, { paid, paidInFull });
  return { received: paid, due, refunded, paidInFull, payment_status } as const;
}

function paymentStatus(
  payments: Settled["payments"],
  { paid, paidInFull }: { paid: bigint; paidInFull: boolean },
): Order["payment_status"] {
  if (paidInFull) return "paid";
  if (paid > 0n) return "partially_paid";
  if (payments.some((payment) => payment.status === "authorized")) return "authorized";
  return payments.length > 0 && payments.every((payment) => payment.status === "voided") ? "voided" : "unpaid";
}
