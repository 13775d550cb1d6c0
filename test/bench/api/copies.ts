import { AS_PARTNER } from "./processes.ts";

const LIMIT = 20;

/**
 * Throws unless pages say of copied orders, to the byte, what each says alone: a page has the most of an order from
 * `as_placed`, which was copied with other line ids in it, and an order alone comes from its columns.
 */
export async function checkCopies(api: string, orders: number): Promise<void> {
  const get = async (path: string) => {
    const answer = await fetch(api + path, { headers: AS_PARTNER });
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}.`);
    return answer.text();
  };
  for (const since of [0, Math.floor(orders / 2), orders - LIMIT]) {
    const ids = Array.from({ length: LIMIT }, (_, index) => since + index + 1);
    const alone = await Promise.all(ids.map((id) => get(`/api/orders/${id}`)));
    const page = await get(`/api/orders?since_id=${since}&limit=${LIMIT}`);
    if (!page.startsWith(`{"orders":[${alone}],`)) throw new Error(`The orders after ${since} differ on their page.`);
  }
}
