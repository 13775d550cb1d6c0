import type { Order } from "./schema.ts";

type Status = Order["status"];

/** Who decides, besides events. */
export type Decider = "person" | "settling";

/** The allowed transitions. */
const NEXT: Readonly<Record<Status, readonly Status[]>> = {
  pending: ["processing", "on_hold", "cancelled", "failed"],
  processing: ["on_hold", "completed", "cancelled", "refunded"],
  on_hold: ["processing", "cancelled", "refunded"],
  completed: ["on_hold", "refunded"],
  failed: ["pending", "cancelled"],
  cancelled: [],
  refunded: [],
};

/** Transitions that only a person decides, or settling: no event may reopen an order that has ended. */
const NEXT_BY: Readonly<Record<Decider, Partial<Record<Status, Status>>>> = {
  person: { cancelled: "on_hold" },
  settling: { refunded: "on_hold" }, // the refund failed later
};

/** Throws RangeError, naming both statuses, unless `to` may follow `from` or equals it. */
export function refuseTransition(from: Status, to: Status, by: Decider | undefined): void {
  if (from === to) return;
  const decided = by && NEXT_BY[by][from];
  const next = [...NEXT[from], ...(decided ? [decided] : [])];
  if (next.includes(to)) return;
  const instead = next.length > 0 ? `it can become ${next.join(", ")}` : "it stays so";
  throw new RangeError(`An order that is ${from} can't become ${to}: ${instead}.`);
}

/**
 * The status after money came, with what the order then has beyond its total, below 0 while some of it is due. Undefined:
 * as before, since a part payment leaves an order to be paid, and money never reopens or releases an order, unless it was
 * held for the rest of the total alone.
 */
export function statusAfterPayment(from: Status, surplus: bigint, waitsForRest: boolean): Status | undefined {
  if (from === "pending" && surplus > 0n) return "on_hold";
  return surplus === 0n && (from === "pending" || (from === "on_hold" && waitsForRest)) ? "processing" : undefined;
}
