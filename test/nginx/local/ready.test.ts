import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { probeShop } from "../../../nginx/local/ready.ts";

/** A shop that passes the probe, unless `instead` answers first. Returns its URL and the requested paths. */
async function startShop(instead: (count: number) => RequestListener | undefined) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { url = "", headers } = request;
    asked.push(url);
    const other = instead(asked.length);
    if (other) return other(request, response);
    const isSitemap = url === "/sitemap.xml";
    const type = isSitemap ? "application/xml" : url.startsWith("/api/") ? "application/json" : headers.accept;
    response.writeHead(200, { "content-type": type });
    return response.end(isSitemap ? "<loc>https://shop.example/products/kestrel</loc>" : "");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const answer =
  (status: number): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, { "content-type": "text/html" }).end();
/** The same answer each time. The probe's time is over at the third request: seconds may end before the first on a busy machine. */
function untilTimeIsOver(same: RequestListener) {
  const time = new AbortController();
  const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(time.signal);
  onTestFinished(() => timeout.mockRestore());
  return (count: number) => {
    if (count === 3) time.abort();
    return same;
  };
}
const hangUp: RequestListener = (_request, response) => void response.destroy();

test("the probe retries while the shop answers 5xx or hangs up", async () => {
  const troubles = [answer(503), undefined, hangUp, undefined, answer(500), answer(503)];
  const { url, asked } = await startShop((count) => troubles[count - 1]);
  expect((await probeShop({ url }, "token")).value).toBe("/products/kestrel");
  const page = "/products/kestrel";
  expect(asked).toEqual(["/sitemap.xml", "/sitemap.xml", page, page, page, page, page, "/api/orders?limit=1"]);
});

test("a shop without partners has no orders to ask for, and the probe asks whether its API answers", async () => {
  const { url, asked } = await startShop(() => undefined);
  expect((await probeShop({ url }, undefined)).value).toBe("/products/kestrel");
  expect(asked.at(-1)).toBe("/api/erp/status");
  const withoutApi = await startShop((count) => (count === 4 ? answer(404) : undefined));
  await expect(probeShop(withoutApi, undefined)).rejects.toThrow("/api/erp/status should have answered 200");
});

test("a lasting 503 is reported once the time is over", async () => {
  const { url, asked } = await startShop(untilTimeIsOver(answer(503)));
  await expect(probeShop({ url }, "token", 3_000)).rejects.toThrow(
    `${url}/sitemap.xml should have answered 200, but answered 503 and text/html.`,
  );
  expect(asked).toHaveLength(3);
  expect(AbortSignal.timeout).toHaveBeenCalledExactlyOnceWith(3_000);
});

test("a wrong token or a missing page is reported at once", async () => {
  for (const status of [401, 404]) {
    const { url, asked } = await startShop(() => answer(status));
    await expect(probeShop({ url }, "token")).rejects.toThrow(`answered ${status} and text/html.`);
    expect(asked).toHaveLength(1);
  }
});

test("a connection that fails is reported with the reason", async () => {
  const { url } = await startShop(untilTimeIsOver(hangUp));
  await expect(probeShop({ url }, "token", 3_000)).rejects.toThrow(
    /answered nothing \(.*(?:closed|ECONNRESET|hang up)/,
  );
});
