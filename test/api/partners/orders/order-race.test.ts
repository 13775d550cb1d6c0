import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { changeOrder } from "../../../../api/selling/orders/change-order.ts";
import { placeOrder } from "../../../../api/selling/orders/place-order.ts";
import { startApi } from "../../api.ts";
import { newOrder } from "../../selling/orders/new-order.ts";

const WRITERS = 8;
const TURNS = 150;

interface Seen {
  id: number;
  version: number;
  sequence: number;
  status: string;
}

test("two pollers see every order, in order and in its last state, while 8 writers make 1,200 writes", async () => {
  const { db, get } = await startApi();
  let placed = 0;
  let writing = WRITERS;

  /** Places and changes orders in turn; sometimes rolls a transaction back or holds it open for a while. */
  async function write(writer: number): Promise<void> {
    for (let turn = writer; turn < writer + TURNS; turn += 1) {
      if (placed > 0 && turn % 3 !== 0) {
        const status = turn % 2 === 0 ? "processing" : "on_hold"; // each can change to the other
        await changeOrder(db, 1 + ((turn * 7919) % placed), { status });
        continue;
      }
      const transaction = await db.startTransaction().execute();
      const { id } = await placeOrder(transaction, newOrder());
      if (turn % 50 === 0) await sleep(100);
      await (turn % 10 === 0 ? transaction.rollback() : transaction.commit()).execute();
      if (turn % 10 !== 0) placed = Math.max(placed, id);
    }
    writing -= 1;
  }

  /** Polls from each answer's cursor, as an ERP does, until the writers are done and a page is empty. */
  async function poll(parameter: "since_id" | "changed_after", limit: number): Promise<Seen[]> {
    const seen: Seen[] = [];
    for (let after = 0, last = false; ; ) {
      last = writing === 0;
      const page = (await get(`/api/orders?${parameter}=${after}&limit=${limit}`)).json();
      seen.push(...page.orders);
      after = page[`next_${parameter}`];
      if (last && page.orders.length === 0) return seen;
      if (!page.has_more) await sleep(20);
    }
  }

  const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer));
  const [byId, byChange] = await Promise.all([poll("since_id", 7), poll("changed_after", 13), ...writers]);
  const stored = await db.selectFrom("orders").select(["id", "version", "sequence", "status"]).orderBy("id").execute();

  expect(stored.length).toBeGreaterThan(100);
  expect(byId.map(({ id }) => id)).toEqual(stored.map(({ id }) => id));
  const sequences = byChange.map(({ sequence }) => sequence);
  expect(sequences).toEqual([...new Set(sequences)].sort((a, b) => a - b));
  const lastStates = new Map(
    byChange.map(({ id, version, sequence, status }) => [id, { id, version, sequence, status }]),
  );
  expect([...lastStates.values()].sort((a, b) => a.id - b.id)).toEqual(stored);
});
