import { expect, test } from "vitest";
import { startShopApi } from "./pages.ts";

test("an unknown private address is a page in words, with the right status and not to be kept", async () => {
  const { customer } = await startShopApi();
  for (const path of ["/cart/nothing", "/checkout/a/b", "/account/orders/", "/buy", "/buy/"]) {
    const answer = await customer().get(path);
    expect([answer.statusCode, answer.headers["content-type"]]).toEqual([404, "text/html; charset=utf-8"]);
    expect(answer.headers["cache-control"]).toBe("no-store");
    expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
    expect(answer.body).toContain("<title>Page not found | Shop</title>");
    expect(answer.body).toContain("<h1>Page not found</h1>");
  }
});
