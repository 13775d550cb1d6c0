import { expect, onTestFinished, test } from "vitest";
import { changeOrder } from "../../../../api/selling/orders/change-order.ts";
import { findFreePort } from "../../../../nginx/local/ports.ts";
import { connectToServer } from "../../../database.ts";
import { type Operation, secretKey, webhookSecret } from "../../../stripe-stand-in/stand-in.ts";
import { openMigratedDatabase, token } from "../../api.ts";
import { run, until, untilServing } from "../../server-process.ts";
import { expectAgreement, startCardShop } from "./card-shop.ts";

/** A shop with one order, and processes on the same database that can be killed. */
async function start() {
  const { db, url } = await openMigratedDatabase();
  const shop = await startCardShop({ db });
  await shop.place();
  const port = await findFreePort();
  const env = {
    ...{ DATABASE_URL: url, BASE_URL: "https://shop.example", API_PORT: String(port), ERP_PULL_API_TOKEN: token },
    ...{ STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_URL: shop.standIn.url },
  };
  const kill = async ({ child, ended }: ReturnType<typeof run>) => {
    child.kill("SIGKILL");
    await ended;
  };

  /** Kills a process when it asks the provider: before that has done anything, or after it and before the answer. */
  async function runAndKill(command: "open" | "sweep", operation: Operation, moment: "begun" | "done", nth = 1) {
    let asked = 0;
    let isKilled = false;
    const running = run("../test/api/selling/payments/payment-process.ts", env, command);
    shop.standIn.interrupt = (each, at) => {
      if (each !== operation || at !== moment) return undefined;
      asked += 1;
      if (asked !== nth) return undefined;
      isKilled = running.child.kill("SIGKILL");
      return "cut";
    };
    await running.ended;
    expect(isKilled).toBe(true);
    shop.standIn.interrupt = () => undefined;
  }

  /** A connection that locks tables, and waits until somebody else waits for them with a statement. */
  async function openBlocker() {
    const connection = await connectToServer();
    onTestFinished(() => connection.end());
    await connection.query(`use ${new URL(url).pathname.slice(1)}`);
    return {
      lock: (table: string) => connection.query(`lock tables ${table} write`),
      waitFor: (statement: string) =>
        until(
          async () => JSON.stringify((await connection.query("show full processlist"))[0]),
          (list) => list.includes(statement),
        ),
      release: () => connection.query("unlock tables"),
    };
  }

  async function startServer() {
    const server = run("server.ts", env);
    await untilServing(port);
    return server;
  }
  const throughServer = async (body: string, signature: string) => {
    const headers = { "content-type": "application/json", "stripe-signature": signature };
    const url = `http://127.0.0.1:${port}/api/payments/stripe`;
    return fetch(url, { method: "POST", body, headers }).then(
      ({ status }) => status,
      () => 0,
    );
  };
  /** Whether order and money agree, as the API tells it. */
  const expectPaidOnce = async () => {
    expect(await shop.read()).toMatchObject({
      status: "processing",
      payment_status: "paid",
      totals: { refunded: "0.00" },
    });
    expect(shop.standIn.account.ledger).toMatchObject([{ taken: 18_900, givenBack: 0 }]);
    await expectAgreement(shop);
  };
  return { ...shop, env, kill, runAndKill, openBlocker, startServer, throughServer, expectPaidOnce };
}

test.each(["begun", "done"] as const)(
  "fault 11: a process killed while it opens the page (%s at the provider) leaves one page, which the next click opens",
  async (moment) => {
    const { runAndKill, open, standIn, sweep, expectPaidOnce } = await start();
    await runAndKill("open", "create", moment);
    await sweep();
    const page = (await open(1)) ?? "";
    expect(standIn.account.sessionIds).toEqual([page]);
    standIn.account.pay(page);
    await standIn.deliver(standIn.events[0] ?? expect.fail());
    await expectPaidOnce();
  },
);

test("fault 11: a process killed before it has stored the page, or before it has told it, leaves the same page", async () => {
  const { env, openBlocker, kill, open, standIn, expectPaidOnce } = await start();
  const begin = () => run("../test/api/selling/payments/payment-process.ts", env, "open");
  const blocker = await openBlocker();
  standIn.interrupt = async (operation, moment) => {
    if (operation === "create" && moment === "done") await blocker.lock("payment_attempts");
    return undefined;
  };
  const storing = begin();
  await blocker.waitFor("update `payment_attempts`");
  await kill(storing);
  standIn.interrupt = () => undefined;
  await blocker.release();
  const telling = begin();
  await until(
    async () => telling.output.stdout,
    (text) => text.includes("/pay/"),
  );
  await kill(telling);
  const page = (await open(1)) ?? "";
  expect(standIn.account.sessionIds).toEqual([page]);
  standIn.account.pay(page);
  await standIn.deliver(standIn.events[0] ?? expect.fail());
  await expectPaidOnce();
});

test("fault 11: a server killed before it has stored the event gives no 200, and settles it when it comes again after the restart", async () => {
  const { startServer, throughServer, openBlocker, kill, standIn, open, expectPaidOnce, read } = await start();
  standIn.account.pay((await open(1)) ?? "");
  standIn.target = throughServer;
  const [paid = expect.fail()] = standIn.events;
  const server = await startServer();
  const blocker = await openBlocker();
  await blocker.lock("payment_events");
  const answer = standIn.deliver(paid);
  await blocker.waitFor("insert ignore");
  await kill(server);
  await blocker.release();
  expect(await answer).toBe(0);
  expect(await read()).toMatchObject({ status: "pending" });
  await startServer();
  expect(await standIn.deliver(paid)).toBe(200);
  await until(read, ({ status }) => status === "processing");
  await expectPaidOnce();
});

test.each(["begun", "done"] as const)(
  "fault 11: a server killed after its 200, while it asks the provider (%s), settles the order after the restart",
  async (moment) => {
    const { startServer, throughServer, standIn, open, expectPaidOnce, read } = await start();
    standIn.account.pay((await open(1)) ?? "");
    standIn.target = throughServer;
    const server = await startServer();
    standIn.interrupt = (operation, at) => {
      if (operation !== "retrieve" || at !== moment) return undefined;
      server.child.kill("SIGKILL");
      return "cut";
    };
    await standIn.deliver(standIn.events[0] ?? expect.fail());
    await server.ended;
    standIn.interrupt = () => undefined;
    expect(await read()).toMatchObject({ status: "pending" });
    await startServer();
    await until(read, ({ status }) => status === "processing");
    await expectPaidOnce();
  },
);

test("fault 11: a server killed before it has recorded what the provider said settles the order after the restart", async () => {
  const { startServer, throughServer, openBlocker, kill, standIn, open, expectPaidOnce, read } = await start();
  standIn.account.pay((await open(1)) ?? "");
  standIn.target = throughServer;
  const server = await startServer();
  const blocker = await openBlocker();
  await blocker.lock("counters");
  expect(await standIn.deliver(standIn.events[0] ?? expect.fail())).toBe(200);
  await blocker.waitFor("update `counters`");
  await kill(server);
  await blocker.release();
  expect(await read()).toMatchObject({ status: "pending" });
  await startServer();
  await until(read, ({ status }) => status === "processing");
  await expectPaidOnce();
});

test.each([
  ["retrieve", "done", 1],
  ["refund", "begun", 1],
  ["refund", "done", 1],
  ["retrieve", "done", 2],
] as const)(
  "faults 11 and 23: a process killed while it gives a surplus back (at %s, %s) leaves it given back once",
  async (operation, moment, nth) => {
    const { runAndKill, standIn, open, age, sweep, read, db } = await start();
    const page = (await open(1)) ?? "";
    const transfer = { method: "bank_transfer", reference: "44", amount: "189.00", status: "paid" } as const;
    await changeOrder(db, 1, { status: "processing", payments: [transfer] });
    standIn.account.pay(page);
    await age(2);
    await db.updateTable("payment_attempts").set({ open_order_id: null }).execute(); // found as unasked alone
    await runAndKill("sweep", operation, moment, nth);
    await age(4);
    await sweep();
    expect((await read()).refunds).toMatchObject([{ amount: "189.00" }]);
    expect(standIn.account.ledger).toMatchObject([{ taken: 18_900, givenBack: 18_900 }]);
    await expectAgreement({ db, standIn });
  },
);

test.each([
  ["expire", "begun"],
  ["expire", "done"],
  ["retrieve", "done"],
] as const)(
  "faults 11 and 26: a process killed while it cancels an unpaid order (at %s, %s) leaves it to the next one",
  async (operation, moment) => {
    const { runAndKill, standIn, open, age, sweep, read } = await start();
    const page = (await open(1)) ?? "";
    await age(25);
    // The first question is about the open page, which is to be asked about again.
    await runAndKill("sweep", operation, moment);
    expect((await read()).status).toBe("pending");
    await sweep();
    expect((await read()).status).toBe("cancelled");
    expect(standIn.account.session(page).status).toBe("expired");
  },
);
