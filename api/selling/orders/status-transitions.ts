import type { Order } from "./schema.ts";

type Status = Order["status"];

/** The allowed transitions. `refunded` is final. */
const NEXT: Readonly<Record<Status, readonly Status[]>> = {
  pending: ["processing", "on_hold", "cancelled", "failed"],
  processing: ["on_hold", "completed", "cancelled", "refunded"],
  on_hold: ["processing", "cancelled", "refunded"],
  completed: ["on_hold", "refunded"],
  failed: ["pending", "cancelled"],
  cancelled: [],
  refunded: [],
};

/** Transitions that need a person: no event may reopen a cancelled order. */
const NEXT_BY_PERSON: Partial<Readonly<Record<Status, readonly Status[]>>> = { cancelled: ["on_hold"] };

/** Throws RangeError, naming both statuses, unless `to` may follow `from` or equals it. */
export function refuseTransition(from: Status, to: Status, byPerson: boolean): void {
  if (from === to) return;
  const next = [...NEXT[from], ...((byPerson && NEXT_BY_PERSON[from]) || [])];
  if (next.includes(to)) return;
  const instead = next.length > 0 ? `it can become ${next.join(", ")}` : "it stays so";
  throw new RangeError(`An order that is ${from} can't become ${to}: ${instead}.`);
}
