import fastJsonStringify from "fast-json-stringify";
import type { ListedOrder } from "./queries.ts";
import { OrderHead, OrderTail } from "./schema.ts";
import { toHead, toTail } from "./to-order.ts";

// By a copy, as in erp/message.ts.
const writeHead = fastJsonStringify(structuredClone({ ...OrderHead }));
const writeTail = fastJsonStringify(structuredClone({ ...OrderTail }));

/**
 * A page of orders as JSON, in bytes: each order is its three parts, joined. Order by order, for one name beyond Latin-1
 * would double the size of the whole page's text while it is made, and a text so long is copied twice on its way.
 */
export function writePage({ orders, ...end }: { orders: readonly ListedOrder[] }): Buffer {
  const parts = orders.flatMap(({ row, placed }, index) => [
    Buffer.from(`${index > 0 ? "," : ""}${writeHead(toHead(row)).slice(0, -1)},`),
    placed.subarray(1, -1),
    Buffer.from(`,${writeTail(toTail(row)).slice(1)}`),
  ]);
  return Buffer.concat([Buffer.from('{"orders":['), ...parts, Buffer.from(`],${JSON.stringify(end).slice(1)}`)]);
}
