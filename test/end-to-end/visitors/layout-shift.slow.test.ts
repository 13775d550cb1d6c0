import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { lastingShifts, layoutShifts } from "./layout-shifts.ts";
import { KINDS, withPage } from "./with-page.ts";

const shop = inject("shopUrl");

/** Number of pieces of a page: enough for the browser to stop within a list of three. */
const PIECES = 120;

/** Inline elements: between them a word may move to the next line in any layout. */
const INLINE = "a|abbr|b|bdi|br|cite|code|em|i|kbd|mark|small|span|strong|sub|sup|time|wbr";
const beforeBlock = new RegExp(`(?=<(?!/|(?:${INLINE})\\b))`);

/** HTML in pieces, each ending before a block element. */
function cut(html: string): string[] {
  const blocks = html.split(beforeBlock);
  const perPiece = Math.ceil(blocks.length / PIECES);
  return Array.from({ length: PIECES }, (_, index) => blocks.slice(index * perPiece, (index + 1) * perPiece).join(""));
}

/** The shop on a slow connection, so that the browser paints incomplete pages. */
const slowShop = createServer(async (request, response) => {
  const answer = await fetch(shop + request.url, { headers: { accept: request.headers.accept ?? "*/*" } });
  const type = answer.headers.get("content-type") ?? "";
  response.writeHead(answer.status, { "content-type": type });
  if (!type.startsWith("text/html")) return response.end(Buffer.from(await answer.arrayBuffer()));
  for (const piece of cut(await answer.text())) {
    response.write(piece);
    await wait(35); // a browser paints less often than it is told
  }
  return response.end();
});

beforeAll(async () => {
  await once(slowShop.listen(0, "127.0.0.1"), "listening");
});
afterAll(() => slowShop.close());

test.concurrent.each(KINDS)("nothing on %s moves once it is shown", async (path) => {
  const [phone, desk] = await Promise.all(
    [320, 1280].map((width) => lastingShifts({ width, height: 800 }, (page) => page.goto(shop + path))),
  );
  expect({ phone, desk }).toEqual({ phone: [], desk: [] });
});

test.concurrent.each(KINDS)("nothing on %s moves while the rest is loading", async (path) => {
  const { port } = slowShop.address() as AddressInfo;
  // The browser may also stop within a line and then move a word, a few thousandths.
  const slow = (width: number) =>
    withPage({ viewport: { width, height: 800 } }, async (page) => {
      await page.goto(`http://127.0.0.1:${port}${path}`);
      return layoutShifts(page, 0.005);
    });
  const [phone, tablet, desk] = await Promise.all([320, 768, 1280].map(slow));
  expect({ phone, tablet, desk }).toEqual({ phone: [], tablet: [], desk: [] });
});
