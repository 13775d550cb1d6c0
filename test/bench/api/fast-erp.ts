// An ERP that answers every message at once, and counts them.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const ids = new Set<string>();
let messages = 0;
let first = 0;
let last = 0;

const server = createServer((request, response) => {
  last = performance.now();
  if (messages === 0) first = last;
  messages += 1;
  ids.add(String(request.headers["webhook-id"]));
  request.resume().on("end", () => response.end());
});

/** Answers with the counts since the last question. */
process.on("message", () => {
  process.send?.({ messages, orders: ids.size, seconds: (last - first) / 1000 });
  messages = 0;
  ids.clear();
});
process.on("disconnect", () => process.exit());
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
