import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { KINDS, withPage } from "./with-page.ts";

const shop = inject("shopUrl");

/** How many pieces a page comes in: so many that the browser also stops within a list of three. */
const PIECES = 120;

/** Elements of which a line of text consists: between them a word may move to the next line, in any layout. */
const INLINE = "a|abbr|b|bdi|br|cite|code|em|i|kbd|mark|small|span|strong|sub|sup|time|wbr";
const beforeBlock = new RegExp(`(?=<(?!/|(?:${INLINE})\\b))`);

/** HTML in pieces, each of which ends where a block begins. */
function cut(html: string): string[] {
  const blocks = html.split(beforeBlock);
  const perPiece = Math.ceil(blocks.length / PIECES);
  return Array.from({ length: PIECES }, (_, index) => blocks.slice(index * perPiece, (index + 1) * perPiece).join(""));
}

/** The shop as on a bad line, so that the browser paints pages of which it has a part. */
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

/** What moved on a page after it was first shown: the elements, after the score that the browser gives (CLS). */
const shifts = (url: string, width: number, from = 0) =>
  withPage({ viewport: { width, height: 800 } }, async (page) => {
    await page.goto(url, { waitUntil: "load" });
    return page.evaluate<string[]>(
      `new Promise((done) => {
        const moved = [];
        new PerformanceObserver((list) => {
          for (const { value, sources } of list.getEntries())
            for (const { node } of sources)
              if (value >= ${from}) moved.push(value + " " + (node?.outerHTML ?? node?.textContent)?.slice(0, 80));
        }).observe({ type: "layout-shift", buffered: true });
        setTimeout(() => done(moved), 300);
      })`,
    );
  });

test.each(KINDS)("nothing on %s moves once it is shown", async (path) => {
  const [phone, desk] = await Promise.all([320, 1280].map((width) => shifts(shop + path, width)));
  expect({ phone, desk }).toEqual({ phone: [], desk: [] });
});

test.each(KINDS)("nothing on %s moves while the rest of it still comes in", async (path) => {
  const { port } = slowShop.address() as AddressInfo;
  // The browser also stops within a line, and then moves a word: a few thousandths.
  const slow = (width: number) => shifts(`http://127.0.0.1:${port}${path}`, width, 0.005);
  const [phone, tablet, desk] = await Promise.all([320, 768, 1280].map(slow));
  expect({ phone, tablet, desk }).toEqual({ phone: [], tablet: [], desk: [] });
});
