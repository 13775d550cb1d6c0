import { expect, onTestFinished, test } from "vitest";
import { readDatabaseAddress } from "../../../../api/env.ts";
import { openDatabase } from "../../../../api/platform/database/pool.ts";
import { findFreePort } from "../../../../nginx/local/ports.ts";
import { connectToServer } from "../../../database.ts";
import { openMigratedDatabase, PATIENT, token } from "../../api.ts";
import { startProxy } from "../../platform/database/proxy.ts";
import { run, until, untilServing } from "../../server-process.ts";
import { readMain } from "../basket/page-text.ts";
import { placeFields } from "./filled-form.ts";
import { place, review, startCheckout, startSecondProcess } from "./start-checkout.ts";

const FIRST = "/account/orders/A-1001";

async function startBehindProxy() {
  const { url } = await openMigratedDatabase();
  const proxy = await startProxy(url);
  const db = openDatabase(readDatabaseAddress({ DATABASE_URL: proxy.url }));
  onTestFinished(() => db.destroy());
  return { proxy, url, ...(await startCheckout({ db })) };
}

test("fault 1: a click that finds the basket emptied, because another click has placed it meanwhile, leads to the order", async () => {
  const { proxy, url, customer, sessionPages } = await startBehindProxy();
  const direct = openDatabase(readDatabaseAddress({ DATABASE_URL: url }), { timeouts: PATIENT });
  onTestFinished(() => direct.destroy());
  const other = startSecondProcess({ db: direct, sessionPages }, customer);
  const fields = await review(customer);
  let clicks = 0;
  proxy.delayAt("from `shop_facts`", async () => {
    clicks += 1;
    if (clicks === 1) await place(other, fields);
  });
  const answer = await place(customer, fields);
  expect([clicks > 0, answer.statusCode, answer.headers.location]).toEqual([true, 303, FIRST]);
});

test("fault 22: when the answer to the COMMIT is lost, the customer still gets to the order", async () => {
  const { proxy, customer } = await startBehindProxy();
  const fields = await review(customer);
  proxy.dropAnswerTo("commit");
  const answer = await place(customer, fields);
  expect([answer.statusCode, answer.headers.location]).toEqual([303, FIRST]);
});

test("fault 22: when nobody knows whether the COMMIT arrived, the page says so and its link shows what is true", async () => {
  const { proxy, customer } = await startBehindProxy();
  const fields = await review(customer);
  proxy.cutAt("commit");
  const answer = await place(customer, fields);
  expect(answer.statusCode).toBe(503);
  expect(readMain(answer.payload)).toContain("We don’t know yet whether your order arrived");
  const [, link = ""] = /<a class="button" href="([^"]+)"/.exec(answer.payload) ?? [];
  expect(link).toBe(`/checkout/review?checkout=${fields["checkout"]}`);
  // It didn't arrive: the review page offers the same order again.
  expect(placeFields((await customer.get(link)).payload)).toEqual(fields);
});

test("faults 1 and 5: an API that is killed while it places leaves nothing or the whole order, and the form sent again leads to one", async () => {
  const { db, url } = await openMigratedDatabase();
  const { customer, sessionPages } = await startCheckout({ db });
  const fields = await review(customer);
  const port = await findFreePort();
  const server = run("server.ts", {
    DATABASE_URL: url,
    BASE_URL: "https://shop.example",
    API_PORT: String(port),
    ERP_PULL_API_TOKEN: token,
    SESSION_PAGES: sessionPages,
  });
  await untilServing(port);
  const cookie = [...customer.jar].map(([name, value]) => `${name}=${value}`).join("; ");
  const send = () =>
    fetch(`http://127.0.0.1:${port}/checkout/place`, {
      method: "POST",
      body: new URLSearchParams(fields),
      redirect: "manual",
      headers: {
        cookie,
        "sec-fetch-site": "same-origin",
        "x-forwarded-proto": "https",
        "x-forwarded-host": "shop.example",
      },
    });
  // The process stands before its last statement when it is killed.
  const database = await connectToServer();
  onTestFinished(() => database.end());
  const name = new URL(url).pathname.slice(1);
  await database.query(`lock tables ${name}.placements write, ${name}.orders read`);
  const cut = send().catch(() => "cut");
  await until(
    async () => JSON.stringify((await database.query("show processlist"))[0]),
    (list) => list.includes("table metadata lock"),
  );
  server.child.kill("SIGKILL");
  expect(await cut).toBe("cut");
  await database.query("unlock tables");
  expect(await db.selectFrom("orders").select("id").execute()).toEqual([]);
  expect(await db.selectFrom("basket_lines").select("quantity").execute()).toEqual([{ quantity: 2 }]);
  // Another process, once the database has noticed that the first is gone.
  const answer = await until(
    () => place(customer, fields),
    ({ statusCode }) => statusCode === 303,
  );
  expect(answer.headers.location).toBe(FIRST);
  expect(await db.selectFrom("orders").select("id").execute()).toEqual([{ id: 1 }]);
});

test("faults 1 and 5: however an API is killed while ten customers place, each has one order in the end, and ids have no gap", async () => {
  const { db, url } = await openMigratedDatabase();
  const { otherCustomer, sessionPages } = await startCheckout({ db, placementsPerHour: 1_000 });
  const customers = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const customer = otherCustomer();
      await customer.post("/cart/lines", { sku: "KES-CABLE", quantity: "1" });
      return { customer, fields: await review(customer) };
    }),
  );
  const port = await findFreePort();
  const server = run("server.ts", {
    DATABASE_URL: url,
    BASE_URL: "https://shop.example",
    API_PORT: String(port),
    ERP_PULL_API_TOKEN: token,
    SESSION_PAGES: sessionPages,
    PLACEMENTS_PER_HOUR: "1000",
  });
  await untilServing(port);
  const answers = customers.map(({ customer: { jar }, fields }) =>
    fetch(`http://127.0.0.1:${port}/checkout/place`, {
      method: "POST",
      body: new URLSearchParams(fields),
      redirect: "manual",
      headers: {
        ...{ "sec-fetch-site": "same-origin", "x-forwarded-proto": "https", "x-forwarded-host": "shop.example" },
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; "),
      },
    }).catch(() => "cut"),
  );
  await Promise.race(answers);
  server.child.kill("SIGKILL");
  await Promise.all(answers);
  const locations = [];
  for (const { customer, fields } of customers) {
    const { headers } = await until(
      () => place(customer, fields),
      ({ statusCode }) => statusCode === 303,
    );
    locations.push(headers.location);
  }
  expect(new Set(locations).size).toBe(10);
  const ids = (await db.selectFrom("orders").select("id").orderBy("id").execute()).map(({ id }) => id);
  expect(ids).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  const placed = await db.selectFrom("placements").select("order_id").orderBy("order_id").execute();
  expect(placed.map(({ order_id }) => order_id)).toEqual(ids);
});
