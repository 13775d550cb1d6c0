import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "../../../api/database/pool.ts";
import { Shopper } from "./shopper.ts";

/** An API process that can be killed and started again. */
interface RushProcess {
  /** Its address; the same after a restart. */
  url: string;
  /** Kills it by SIGKILL, starts it again and returns once it answers. */
  restart(): Promise<void>;
}

interface Rush {
  db: Db;
  processes: readonly RushProcess[];
  /** Of the partner that polls. */
  token: string;
  /** What shoppers put into their baskets, in turn: `SKU:quantity,…`. */
  baskets: readonly string[];
  checkouts: number;
  /** Shoppers at the same time. */
  atOnce: number;
  /** How often a process is killed. */
  kills: number;
}

/**
 * Checkouts over HTTP, every third a double click that reaches two processes, while processes are killed and two
 * partners poll. Every shopper goes on until the order is confirmed. Returns all that is wrong in the end, one sentence
 * each, and how many requests were cut off.
 */
export async function rush(rush: Rush): Promise<{ faults: string[]; cut: number }> {
  const { db, processes, token, baskets, checkouts, atOnce, kills } = rush;
  /** The numbers of the orders that each shopper was led to. */
  const confirmed: string[][] = [];
  let begun = 0;
  let done = 0;
  let sent = 0;
  let cut = 0;
  const choose = () => {
    sent += 1;
    return processes[sent % processes.length]?.url ?? "";
  };

  async function shop(): Promise<void> {
    for (let number = begun++; number < checkouts; number = begun++) {
      const shopper = new Shopper(choose, `10.0.${number >> 8}.${number & 255}`);
      await shopper.fillBasket(baskets[number % baskets.length] ?? "");
      const form = await shopper.review({ buyer_reference: String(number) });
      const paths = await shopper.order(form, number % 3 === 0 ? 2 : 1);
      confirmed[number] = paths.map((path) => path.slice("/account/orders/".length));
      cut += shopper.cut;
      done += 1;
    }
  }

  async function killInTurn(): Promise<void> {
    for (let kill = 1; kill <= kills; kill += 1) {
      while (done < (checkouts * kill) / (kills + 1)) await sleep(5);
      await processes[kill % processes.length]?.restart();
    }
  }

  /** Follows each answer's cursor until all is placed and a page is empty. Returns the ids seen. */
  async function poll(parameter: "since_id" | "changed_after"): Promise<number[]> {
    const ids: number[] = [];
    for (let after = 0; ; await sleep(20)) {
      const last = done === checkouts;
      const page = await readPage(`${choose()}/api/orders?${parameter}=${after}&limit=100`, token);
      if (!page) continue;
      ids.push(...page.orders.map(({ id }) => id));
      after = page[`next_${parameter}`];
      if (last && page.orders.length === 0) return ids;
    }
  }

  const shoppers = Array.from({ length: atOnce }, shop);
  const [byId, byChange] = await Promise.all([poll("since_id"), poll("changed_after"), killInTurn(), ...shoppers]);
  return { faults: await findFaults(db, confirmed, { since_id: byId, changed_after: byChange }), cut };
}

interface Page {
  orders: { id: number }[];
  next_since_id: number;
  next_changed_after: number;
}

/** Undefined if the process was killed meanwhile. */
const readPage = (url: string, token: string): Promise<Page | undefined> =>
  fetch(url, { headers: { authorization: `Bearer ${token}` } })
    .then((answer) => answer.json() as Promise<Page>)
    .catch(() => undefined);

async function findFaults(
  db: Db,
  confirmed: readonly string[][],
  polled: Readonly<Record<string, number[]>>,
): Promise<string[]> {
  const orders = await db.selectFrom("orders").select(["id", "number", "buyer_reference"]).orderBy("id").execute();
  const ordersOf = Map.groupBy(orders, ({ buyer_reference }) => Number(buyer_reference));
  const faults = confirmed.flatMap((told, number) => {
    const numbers = (ordersOf.get(number) ?? []).map((order) => order.number);
    const isRight = numbers.length === 1 && told.every((each) => each === numbers[0]);
    return isRight ? [] : [`Checkout ${number} was led to ${told} and has the orders [${numbers}].`];
  });
  if (orders.length !== confirmed.length) faults.push(`${confirmed.length} checkouts have ${orders.length} orders.`);
  const ids = orders.map(({ id }) => id);
  if (ids.some((id, index) => id !== index + 1)) faults.push(`The ids have gaps: ${ids}.`);
  for (const [parameter, seen] of Object.entries(polled))
    if (String(seen) !== String(ids))
      faults.push(`By ${parameter} a partner saw other orders than there are: ${seen}.`);
  const left = await db
    .selectFrom("placements")
    .innerJoin("basket_lines", "basket_lines.session_id", "placements.session_id")
    .select("placements.order_id")
    .execute();
  return [...faults, ...left.map(({ order_id }) => `The basket of order ${order_id} isn't empty.`)];
}
