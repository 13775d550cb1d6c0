// A process that places and changes orders at random, several at once, as its parent asks, which may kill it.
import { readDatabaseAddress } from "../../../../api/env.ts";
import { seededRandom } from "../../../../api/operation/demo/random.ts";
import { COMMAND, openDatabase } from "../../../../api/platform/database/pool.ts";
import { placeOrder } from "../../../../api/selling/orders/place-order.ts";
import { findOrder } from "../../../../api/selling/orders/queries.ts";
import { catchUp } from "../../../../api/selling/stock/catch-up.ts";
import { forgetSettled } from "../../../../api/selling/stock/forget-settled.ts";
import { TooFewLeft } from "../../../../api/selling/stock/ledger.ts";
import { actAsEarlierRelease, placeAsEarlierRelease, randomOrder, step } from "./acts.ts";

/** What a writer is to do. */
export interface Work {
  seed: number;
  acts: number;
  isEarlierRelease: boolean;
}

/** What became of it. */
export interface Outcome {
  placed: number;
  /** Orders for which too few were left. */
  refused: number;
  /** Codes of what the database refused. */
  errors: string[];
}

const AT_ONCE = 3;

let errors: string[] = [];
const db = openDatabase(readDatabaseAddress(process.env), {
  countError: (code) => errors.push(code),
  timeouts: { ...COMMAND, connections: AT_ONCE },
});

async function write({ seed, acts, isEarlierRelease }: Work): Promise<Outcome> {
  const random = seededRandom(seed);
  errors = [];
  const outcome = { placed: 0, refused: 0, errors };
  const place = async () => {
    const order = randomOrder(random);
    try {
      await (isEarlierRelease ? placeAsEarlierRelease(db, order) : placeOrder(db, order));
      outcome.placed += 1;
    } catch (error) {
      if (!(error instanceof TooFewLeft)) throw error;
      outcome.refused += 1;
    }
  };
  const act = async () => {
    const dice = random.between(1, 100);
    if (dice <= 5 && !isEarlierRelease) {
      await catchUp(db);
      return forgetSettled(db);
    }
    const ids = await db.selectFrom("orders").select("id").execute();
    const chosen = ids[random.between(0, ids.length - 1)];
    const order = chosen && (await findOrder(db, chosen.id));
    if (dice <= 45 || !order) return place();
    return isEarlierRelease ? actAsEarlierRelease(db, random, order) : step(db, random, order);
  };
  let left = acts;
  const actInTurn = async () => {
    while (left-- > 0) await act();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, actInTurn));
  return outcome;
}

process.on("message", async (work: Work) => process.send?.(await write(work)));
process.on("disconnect", () => process.exit());
