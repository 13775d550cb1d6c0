import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "../../../../api/platform/database/pool.ts";
import { Shopper } from "./shopper.ts";

interface Rush {
  db: Db;
  /** Addresses of API processes that shoppers use in turn. */
  shops: readonly string[];
  /** Addresses of API processes that partners poll; two partners at each. */
  polled: readonly string[];
  /** Of the partners that poll. */
  token: string;
  /** What shoppers put into their baskets, in turn: `SKU:quantity,…`. */
  baskets: readonly string[];
  checkouts: number;
  /** Shoppers at the same time. */
  atOnce: number;
  /** What happens meanwhile, one after the other, each after an equal part of the checkouts: processes are killed. */
  faults: readonly (() => Promise<void>)[];
}

/**
 * Checkouts over HTTP, every third a double click that reaches two processes, while processes are killed and partners
 * poll. Every shopper goes on until the order is confirmed. Returns all that is wrong in the end, one sentence each, how
 * many requests were cut off, and when each order was confirmed, by performance.now().
 */
export async function rush(rush: Rush): Promise<{ wrong: string[]; cut: number; confirmedAt: number[] }> {
  const { db, shops, polled, token, baskets, checkouts, atOnce, faults } = rush;
  /** The numbers of the orders that each shopper was led to. */
  const confirmed: string[][] = [];
  const confirmedAt: number[] = [];
  let begun = 0;
  let sent = 0;
  let cut = 0;
  const choose = () => {
    sent += 1;
    return shops[sent % shops.length] ?? "";
  };

  async function shop(): Promise<void> {
    for (let number = begun++; number < checkouts; number = begun++) {
      const shopper = new Shopper(choose, `10.0.${number >> 8}.${number & 255}`);
      await shopper.fillBasket(baskets[number % baskets.length] ?? "");
      const form = await shopper.review({ buyer_reference: String(number) });
      const paths = await shopper.order(form, number % 3 === 0 ? 2 : 1);
      confirmed[number] = paths.map((path) => path.slice("/account/orders/".length));
      cut += shopper.cut;
      confirmedAt.push(performance.now());
    }
  }

  async function failInTurn(): Promise<void> {
    for (const [index, fail] of faults.entries()) {
      while (confirmedAt.length < (checkouts * (index + 1)) / (faults.length + 1)) await sleep(5);
      await fail();
    }
  }

  /** Follows each answer's cursor until all is placed and a page is empty. Returns the ids seen. */
  async function poll(url: string, parameter: "since_id" | "changed_after"): Promise<number[]> {
    const ids: number[] = [];
    for (let after = 0; ; await sleep(20)) {
      const last = confirmedAt.length === checkouts;
      const page = await readPage(`${url}/api/orders?${parameter}=${after}&limit=100`, token);
      if (!page) continue;
      ids.push(...page.orders.map(({ id }) => id));
      after = page[`next_${parameter}`];
      if (last && page.orders.length === 0) return ids;
    }
  }

  const shoppers = Array.from({ length: atOnce }, shop);
  const partners = polled.flatMap((url) =>
    (["since_id", "changed_after"] as const).map(async (parameter) => ({
      parameter,
      seen: await poll(url, parameter),
    })),
  );
  await Promise.all([failInTurn(), ...shoppers]);
  return { wrong: await findWrong(db, confirmed, await Promise.all(partners)), cut, confirmedAt };
}

interface Page {
  orders: { id: number }[];
  next_since_id: number;
  next_changed_after: number;
}

/** Undefined if the process was killed meanwhile, or its database is away. */
const readPage = (url: string, token: string): Promise<Page | undefined> =>
  fetch(url, { headers: { authorization: `Bearer ${token}` } })
    .then((answer) => (answer.ok ? (answer.json() as Promise<Page>) : undefined))
    .catch(() => undefined);

async function findWrong(
  db: Db,
  confirmed: readonly string[][],
  partners: readonly { parameter: string; seen: number[] }[],
): Promise<string[]> {
  const orders = await db.selectFrom("orders").select(["id", "number", "buyer_reference"]).orderBy("id").execute();
  const ordersOf = Map.groupBy(orders, ({ buyer_reference }) => Number(buyer_reference));
  const wrong = confirmed.flatMap((told, number) => {
    const numbers = (ordersOf.get(number) ?? []).map((order) => order.number);
    const isRight = numbers.length === 1 && told.every((each) => each === numbers[0]);
    return isRight ? [] : [`Checkout ${number} was led to ${told} and has the orders [${numbers}].`];
  });
  if (orders.length !== confirmed.length) wrong.push(`${confirmed.length} checkouts have ${orders.length} orders.`);
  const ids = orders.map(({ id }) => id);
  if (ids.some((id, index) => id !== index + 1)) wrong.push(`The ids have gaps: ${ids}.`);
  for (const { parameter, seen } of partners)
    if (String(seen) !== String(ids)) wrong.push(`By ${parameter} a partner saw other orders than there are: ${seen}.`);
  const left = await db
    .selectFrom("placements")
    .innerJoin("basket_lines", "basket_lines.session_id", "placements.session_id")
    .select("placements.order_id")
    .execute();
  return [...wrong, ...left.map(({ order_id }) => `The basket of order ${order_id} isn't empty.`)];
}
