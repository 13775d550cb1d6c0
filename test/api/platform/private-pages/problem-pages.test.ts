import { expect, test } from "vitest";
import { answerWithPage } from "../../../../api/platform/private-pages/problem-page.ts";
import { startApi } from "../../api.ts";
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

test("a problem's page that fails is logged, and people still get a sentence", async () => {
  const log: string[] = [];
  const { app } = await startApi({ logger: { stream: { write: (line: string) => void log.push(line) } } });
  app.register(async (people) => {
    people.decorateReply("page", async () => {
      throw new Error("The words are gone.");
    });
    people.setErrorHandler(answerWithPage);
    people.get("/cart/broken", async () => {
      throw new Error("The password is sesame.");
    });
  });
  const answer = await app.inject("/cart/broken");
  expect([answer.statusCode, answer.body]).toEqual([503, expect.stringContaining("Please try again")]);
  expect(log.join("")).toContain("The words are gone.");
});
