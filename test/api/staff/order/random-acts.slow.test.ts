import fc from "fast-check";
import { expect, test } from "vitest";
import { makeFollowUp } from "../../../../api/follow-up.ts";
import type { Db } from "../../../../api/platform/database/pool.ts";
import { ActRefused } from "../../../../api/selling/orders/act-refused.ts";
import { type Act, type Actor, actOnOrder, COMMAND, memberOf, partnerOf } from "../../../../api/selling/orders/acts.ts";
import { placeOrder } from "../../../../api/selling/orders/place-order.ts";
import { refuseTransition } from "../../../../api/selling/orders/status-transitions.ts";
import { byDepth, seedFor } from "../../../depth.ts";
import { openTestDatabase } from "../../api.ts";
import { twoLines } from "./staff-orders.ts";

const followUp = makeFollowUp({ pushWhen: "paid", pushLater: true });
const ORDERS = 10;
const ACTORS: readonly Actor[] = [
  ...["Ann", "Bob", "Cleo"].map((name) => memberOf({ name })),
  COMMAND,
  partnerOf("ab12cd34"),
];

/** Acts by people alone; a partner's requests are others. */
const acts = (run: number, order: number): fc.Arbitrary<Act> =>
  fc.oneof(
    fc.constantFrom<Act>({ name: "accept" }, { name: "hold" }, { name: "release" }, { name: "done" }),
    fc.constantFrom<Act>(
      { name: "cancel", reason: "No more" },
      { name: "close", reason: null },
      { name: "note", note: "Called" },
    ),
    fc
      .constantFrom("408.00", "100.00", "8.00", "500.00")
      .map((amount): Act => ({ name: "paid", method: "bank_transfer", reference: `T-${run}-${amount}`, amount })),
    fc
      .constantFrom("50.00", undefined)
      .map((amount): Act => ({ name: "refunded", reference: `R-${run}`, amount, reason: null })),
    fc.constantFrom(1, 2).map(
      (line): Act => ({
        ...{ name: "sent", reference: `P-${run}`, carrier: null, tracking_number: null, tracking_url: null },
        lines: [{ line_id: order * 1_000 + line, quantity: 1 }],
      }),
    ),
    fc.constant<Act>({ name: "returned", reference: `B-${run}`, lines: undefined }),
  );

test("whatever three people, the command and a partner do at once, an order has only states that it may have, and its history tells how it came there", async () => {
  const db = await openTestDatabase();
  for (let placed = 0; placed < ORDERS; placed += 1) await placeOrder(db, twoLines(), undefined, followUp);
  const runs = byDepth({ usual: 1_000, deep: 5_000 });
  const samples = fc.sample(
    fc
      .nat({ max: ORDERS - 1 })
      .chain((at) => fc.tuple(fc.constant(at + 1), fc.nat({ max: ACTORS.length - 1 }), fc.nat())),
    { numRuns: runs, seed: seedFor("api/selling/orders") },
  );
  const work = samples.map(([id, actor, seed], run) => async () => {
    const [act] = fc.sample(acts(run % 40, id), { numRuns: 1, seed });
    const by = ACTORS[actor];
    if (!act || !by || (by.isPartner && (act.name === "note" || act.name === "accept" || act.name === "done"))) return;
    await actOnOrder(db, { id }, act, { by, followUp }).catch((error: unknown) => {
      if (!(error instanceof ActRefused) && !(error instanceof RangeError)) throw error;
    });
  });
  for (let at = 0; at < work.length; at += 5) await Promise.all(work.slice(at, at + 5).map((each) => each()));
  for (let id = 1; id <= ORDERS; id += 1) await expectWholeHistory(db, id);
});

async function expectWholeHistory(db: Db, id: number): Promise<void> {
  const order = await db
    .selectFrom("orders")
    .select(["status", "version"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const rows = await db.selectFrom("order_history").selectAll().where("order_id", "=", id).orderBy("id").execute();
  let status: string = "pending";
  for (const { was, became } of rows) {
    expect(was).toBe(status);
    // One act may take an order two steps on: what is released and was sent already is complete.
    const next = was === "on_hold" && became === "completed" ? "processing" : became;
    expect(() => refuseTransition(was, next, "person")).not.toThrow();
    status = became;
  }
  expect(status).toBe(order.status);
  expect([...new Set(rows.map(({ version }) => version))].filter((version) => version > 1)).toEqual(
    Array.from({ length: order.version - 1 }, (_, index) => index + 2),
  );
}
