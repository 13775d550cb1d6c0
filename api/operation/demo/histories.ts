import { formatMoney } from "../../contract/money.ts";
import type { OrderChange } from "../../selling/orders/change-order.ts";
import type { NewPayment } from "../../selling/orders/payments.ts";
import type { Random } from "./random.ts";

/** A change `minutes` after the order was placed. */
export interface Step {
  minutes: number;
  change: OrderChange;
  /** What is sent with it. */
  sends?: "all" | "part";
  /** Whether all that was sent comes back with it. */
  comesBack?: true;
}

interface Course {
  total: bigint;
  digits: number;
  placedAt: Date;
}

const DAY = 24 * 60;

/** An invented history of an order, from never paid to returned. */
export function inventHistory(random: Random, { total, digits, placedAt }: Course): Step[] {
  const show = (amount: bigint) => formatMoney(amount, digits);
  const pay = (status: NewPayment["status"], amount = total, method = "card"): NewPayment[] => [
    { method, reference: `pi_${random.between(100_000, 999_999)}`, amount: show(amount), status },
  ];
  const refund = (amount: bigint, reason: string, days: number) => [
    {
      reference: `re_${random.between(100_000, 999_999)}`,
      created_at: new Date(placedAt.getTime() + days * DAY * 60_000),
      reason,
      amount: show(amount),
    },
  ];
  // A third, in whole units, which every currency has.
  const part = (total / 30_000n) * 10_000n;
  const paid: Step = { minutes: random.between(1, 9), change: { status: "processing", payments: pay("paid") } };
  const sentAfter = random.between(1, 4) * DAY;
  const sent: Step = { minutes: sentAfter, change: { status: "completed" }, sends: "all" };
  const authorized = pay("authorized");
  const courses: readonly [Step[], ...Step[][]] = [
    [paid, sent],
    [paid, sent],
    [paid, sent, { minutes: sentAfter + 30, change: { external_id: `SO-2026-${random.between(10_000, 99_999)}` } }],
    [paid],
    [paid, { minutes: DAY, change: {}, sends: "part" }],
    [],
    [{ minutes: 3, change: { status: "on_hold", payments: pay("authorized") } }],
    [{ minutes: 2 * DAY, change: { status: "on_hold", payments: pay("paid", part, "bank_transfer") } }],
    [{ minutes: 4, change: { status: "failed", payments: pay("failed") } }],
    [
      { minutes: 3, change: { payments: authorized } },
      {
        minutes: 700,
        change: {
          ...({ status: "cancelled", cancel_reason: "Ordered twice" } as const),
          payments: authorized.map((payment) => ({ ...payment, status: "voided" })),
        },
      },
    ],
    [paid, sent, { minutes: 9 * DAY, change: { refunds: refund(part, "Arrived damaged", 9) } }],
    [
      paid,
      sent,
      {
        minutes: 12 * DAY,
        change: { status: "refunded", refunds: refund(total, "Not what was expected", 12) },
        comesBack: true,
      },
    ],
  ];
  return random.pick(courses);
}
