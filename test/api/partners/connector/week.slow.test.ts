import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeFollowUp } from "../../../../api/follow-up.ts";
import { type Random, seededRandom } from "../../../../api/operation/demo/random.ts";
import type { Db } from "../../../../api/platform/database/pool.ts";
import { ActRefused } from "../../../../api/selling/orders/act-refused.ts";
import type { Act } from "../../../../api/selling/orders/acts.ts";
import { placeOrder } from "../../../../api/selling/orders/place-order.ts";
import type { Order } from "../../../../api/selling/orders/schema.ts";
import { storeShopFacts } from "../../../../api/selling/shop/queries.ts";
import { TooFewLeft } from "../../../../api/selling/stock/ledger.ts";
import { findFreePort } from "../../../../nginx/local/ports.ts";
import { byDepth, seedFor } from "../../../depth.ts";
import { isInstalled } from "../../../end-to-end/partner/developers-page.ts";
import { eventually } from "../../../eventually.ts";
import { openMigratedDatabase, token } from "../../api.ts";
import { makeBackup, openEmptyDatabase } from "../../operation/backup/backup-shop.ts";
import { secret } from "../../platform/webhook/erp-server.ts";
import { actByCommand } from "../../selling/orders/act-by-command.ts";
import { newLine, newOrder } from "../../selling/orders/new-order.ts";
import { shopFacts } from "../../selling/quote/shop.ts";
import { allOrders } from "../../selling/stock/model.ts";
import { run, untilServing } from "../../server-process.ts";
import { BAD, BAD_FOR_MESSAGES, FAIR, startConnection } from "./bad-network.ts";
import { Erp, PDF } from "./erp.ts";

const folder = join(import.meta.dirname, "../../../fixtures/erp-connector");

/** The connector in its two languages, which keep the same state: so the one can go on where the other was. */
const PROGRAMS = [
  [process.execPath, join(folder, "connector.ts")],
  ["python3", join(folder, "connector.py")],
].filter(([program = ""]) => isInstalled(program));

const SKUS = ["A-1", "B-2", "C-3"] as const;

const buyer = {
  email: "ada@example.com",
  first_name: "Ada",
  last_name: null,
  company: null,
  phone: null,
  vat_id: null,
};

const invoice = { kind: "invoice", issued_on: "2026-10-19", currency: "EUR", pdf: PDF };

const followUp = makeFollowUp({ pushWhen: "paid", pushLater: true });

/** A connector that is started again whenever it was killed, in the next language. */
function makeConnector(
  programs: readonly string[][],
  shopUrl: () => string,
  port: number,
  file: string,
  pollSeconds: number,
) {
  let starts = 0;
  let child: ChildProcess | undefined;
  let ended: Promise<unknown> = Promise.resolve();
  const said: string[] = [];
  const start = () => {
    const [program = "", ...args] = programs[starts % programs.length] ?? [];
    starts += 1;
    const env = {
      ...{ PATH: process.env["PATH"], SHOP_URL: shopUrl(), ERP_PULL_API_TOKEN: token, ERP_WEBHOOK_SECRET: secret },
      ...{ STATE_FILE: file, WEBHOOK_PORT: String(port), POLL_SECONDS: String(pollSeconds) },
    };
    const started = spawn(program, args, { env, stdio: ["ignore", "ignore", "pipe"] });
    started.stderr.setEncoding("utf8").on("data", (text) => said.push(text));
    child = started;
    ended = once(started, "close");
    void ended.then(() => {
      if (started.signalCode === null) said.push(`It ended by itself with ${started.exitCode}.`);
    });
  };
  const kill = async () => {
    child?.kill("SIGKILL");
    await ended;
  };
  onTestFinished(kill);
  return { start, kill, said };
}

/** An API on a database, which may be killed, and started on another database. */
function makeApi(port: number, webhookUrl: () => string) {
  let running: ReturnType<typeof run> | undefined;
  const start = async (databaseUrl: string) => {
    running = run("server.ts", {
      ...{ DATABASE_URL: databaseUrl, BASE_URL: "https://shop.example", API_PORT: String(port) },
      ...{ ERP_PULL_API_TOKEN: token, RATE_LIMIT_PER_MINUTE: "0" },
      ...{ ERP_WEBHOOK_URL: webhookUrl(), ERP_WEBHOOK_SECRET: secret, ERP_WEBHOOK_ALLOW: "127.0.0.0/8" },
      ...{ ERP_WEBHOOK_ALLOW_HTTP: "true", ERP_PUSH_WHEN: "paid", ERP_PUSH_LATER: "true" },
    });
    await untilServing(port);
  };
  const kill = async () => {
    running?.child.kill("SIGKILL");
    await running?.ended;
  };
  return { start, kill };
}

/** Customers and the people of the shop, who read and write its database. */
class Shop {
  readonly #random: Random;
  /** What came to the bank, which knows it after a restore, too. */
  readonly #received = new Map<string, string>();
  placed = 0;
  db: Db;

  constructor(db: Db, random: Random) {
    this.db = db;
    this.#random = random;
  }

  readonly place = async (): Promise<void> => {
    const skus = SKUS.filter(() => this.#random.chance(0.5));
    const lines = (skus.length > 0 ? skus : [SKUS[0]]).map((sku) =>
      newLine({ sku, quantity: this.#random.between(1, 3) }),
    );
    try {
      await placeOrder(this.db, newOrder({ buyer, lines }), new Date(), followUp);
      this.placed += 1;
    } catch (error) {
      if (!(error instanceof TooFewLeft)) throw error;
    }
  };

  readonly act = async (): Promise<void> => {
    const orders = await allOrders(this.db);
    const order = orders[this.#random.between(0, orders.length - 1)];
    if (!order) return;
    const unpaid = orders.find(({ status }) => status === "pending");
    if (unpaid && this.#random.chance(0.7)) return this.#pay(unpaid);
    const name = this.#random.pick(["hold", "release", "cancel", "accept"] as const);
    await this.#do(order.number, name === "cancel" ? { name, reason: "Ordered twice" } : { name });
  };

  readonly payNewest = async (): Promise<void> => {
    const newest = (await allOrders(this.db)).at(-1);
    if (newest) await this.#pay(newest);
  };

  readonly #pay = async ({ number, totals }: Order): Promise<void> => {
    this.#received.set(number, totals.due);
    await this.payAgain(number);
  };

  /** Does what isn't possible any more to no order. */
  async #do(number: string, act: Act): Promise<void> {
    try {
      await actByCommand(this.db, number, act, followUp);
    } catch (error) {
      if (!(error instanceof ActRefused) && !(error instanceof RangeError)) throw error;
    }
  }

  readonly payAgain = (number: string): Promise<void> =>
    this.#do(number, {
      ...{ name: "paid", method: "bank_transfer", reference: `T-${number}`, currency: "EUR" },
      ...{ amount: this.#received.get(number), paidAt: undefined },
    });

  /** Records again what the bank knows. */
  readonly payAllAgain = async (): Promise<void> => {
    for (const number of this.#received.keys()) await this.payAgain(number);
  };
}

const DAYS = byDepth({ usual: 4, deep: 7 });
const WEEKS = byDepth({ usual: 1, deep: 8 });
const EVENTS_PER_DAY = byDepth({ usual: 25, deep: 40 });

test(`the connector, in two languages that take turns, and the shop agree to the last piece at the end of each day of ${WEEKS} weeks, whatever is slow, lost, doubled, late, killed or restored`, {
  timeout: 600_000 + byDepth({ usual: 0, deep: 3_600_000 }),
}, async () => {
  const seed = seedFor("api/partners", "api/selling");
  for (let week = 0; week < WEEKS; week += 1) await liveWeek(seededRandom(seed + week));
});

async function liveWeek(random: Random): Promise<void> {
  let { db, url } = await openMigratedDatabase();
  await db
    .insertInto("stock")
    .values(SKUS.map((sku) => ({ sku })))
    .execute();
  await storeShopFacts(db, shopFacts({ erp: { owns: ["stock"], books_placed: false } }));
  const [apiPort, webhookPort] = [await findFreePort(), await findFreePort()];
  const state = mkdtempSync(join(tmpdir(), "twinfront-connector-"));
  onTestFinished(() => rmSync(state, { recursive: true }));
  const file = join(state, "connector.db");
  const toShop = await startConnection(random, () => apiPort);
  const toConnector = await startConnection(random, () => webhookPort);
  const api = makeApi(apiPort, () => `${toConnector.url}/orders`);
  const connector = makeConnector(PROGRAMS, () => toShop.url, webhookPort, file, 0.2);
  await api.start(url);
  connector.start();
  await eventually(() => expect(toShop.passed.length).toBeGreaterThan(0));
  const erp = new Erp(file, random);
  onTestFinished(() => erp.close());
  const shop = new Shop(db, random);

  /** Kills the connector at one of the next requests, before the shop has it or before its answer arrives. */
  const killConnectorSoon = () => {
    let left = random.between(1, 4);
    const isAnswered = random.chance(0.5);
    return new Promise<void>((resolve) => {
      toShop.stop = async (_path, answered) => {
        if (answered !== isAnswered) return;
        left -= 1;
        if (left !== 0) return;
        toShop.stop = async () => {};
        await connector.kill();
        connector.start();
        resolve();
      };
    });
  };

  const restartApi = async () => {
    await api.kill();
    await api.start(url);
  };

  const restore = async (isCounting: boolean) => {
    // Just when a count is on its way, which the shop as it was could have taken, or at any other moment.
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    if (isCounting) {
      erp.restock("A-1", 1);
      await new Promise<void>((resolve) => {
        toShop.stop = async (path) => {
          if (path !== "/api/stock") return;
          resolve();
          await released;
        };
      });
    }
    await api.kill();
    const target = await openEmptyDatabase();
    expect(await target.restore(backup).result).toEqual([0, expect.any(String), ""]);
    ({ db, url } = target);
    shop.db = db;
    await api.start(url);
    toShop.stop = async () => {};
    release();
    await shop.payAllAgain();
    erp.forgetTries();
  };

  const asked = () => toShop.passed.length;
  let backup = "";
  const isCountingFirst = random.chance(0.5);
  const restores = new Map([
    [random.between(1, DAYS - 3), isCountingFirst],
    [DAYS - 1, !isCountingFirst],
  ]);
  for (let day = 0; day < DAYS; day += 1) {
    toShop.weather = BAD;
    toConnector.weather = BAD_FOR_MESSAGES;
    for (const sku of SKUS) erp.restock(sku, random.between(0, 15));
    const restarts = Promise.all([killConnectorSoon(), random.chance(0.4) ? restartApi() : undefined]);
    for (let event = 0; event < EVENTS_PER_DAY; event += 1) {
      const before = asked();
      const happens = random.pick([shop.place, shop.place, shop.act, shop.act, erp.act, erp.act, erp.act, erp.mend]);
      await happens();
      if (random.chance(0.3)) await eventually(() => expect(asked()).toBeGreaterThan(before));
    }
    await restarts;
    const isCounting = restores.get(day);
    if (isCounting !== undefined) await restore(isCounting);
    toShop.weather = FAIR;
    toConnector.weather = FAIR;
    await eventually(async () => {
      erp.mend();
      expect(await findDifferences(db, erp, apiPort), connector.said.join("")).toEqual([]);
    });
    if (restores.has(day + 1)) backup = await makeBackup(db);
  }
  // Otherwise nothing was tried.
  const done = new Set(erp.acts().flatMap(({ path, state }) => (state === "done" ? path : [])));
  expect([shop.placed > DAYS, ...["", "fulfillments", "invoices", "returns"].map((path) => done.has(path))]).toEqual([
    true,
    true,
    true,
    true,
    true,
  ]);
  expect(toShop.passed.filter(({ status }) => ![200, 404, 409, 422, 503].includes(status))).toEqual([]);
  expect(connector.said.filter((text) => /by itself|Traceback|^ {4}at /m.test(text))).toEqual([]);
  await connector.kill();
  await api.kill();
}

/** What the shop and the ERP don't agree on. */
async function findDifferences(db: Db, erp: Erp, apiPort: number): Promise<string[]> {
  const [orders, acts, shelf] = [await allOrders(db), erp.acts(), erp.shelf()];
  const differences = acts
    .filter(({ state }) => state === "open" || state === "refused")
    .map(({ path, state, problem }) => `${path} is ${state}: ${problem}`);
  const known = new Map(erp.orders().map((order) => [order.id, order]));
  for (const order of orders) {
    if (JSON.stringify(known.get(order.id)) !== JSON.stringify(order))
      differences.push(`${order.number} isn't the same`);
    known.delete(order.id);
    for (const [path, has] of Object.entries(recordsOf(order))) {
      const decided = acts.filter((act) => act.order_id === order.id && act.path === path && act.state === "done");
      const wanted = decided.map(({ body }) => nameOf(JSON.parse(body)));
      if (wanted.sort().join() !== has.sort().join())
        differences.push(`${order.number} has ${path} ${has}, not ${wanted}`);
    }
  }
  differences.push(...[...known.values()].map(({ number }) => `the shop lacks ${number}`));
  const answer = await fetch(`http://127.0.0.1:${apiPort}/api/stock`, { headers: { "x-ecom-api-token": token } });
  const { stock } = (await answer.json()) as { stock: { sku: string; available: number | null }[] };
  for (const { sku, available } of stock) {
    const free = (shelf.get(sku) ?? 0) - unsentOf(orders, sku);
    if (available !== free) differences.push(`${available} of ${sku} are available, and ${free} are free`);
  }
  return differences;
}

const nameOf = (body: Record<string, string>) =>
  body["reference"] && body["amount"]
    ? Number(body["amount"]).toFixed(2)
    : (body["reference"] ?? body["number"] ?? body["external_id"] ?? "");

/** What an order has of each kind that the ERP alone reports. */
const recordsOf = (order: Order): Record<string, string[]> => ({
  "": order.external_id === null ? [] : [order.external_id],
  fulfillments: order.fulfillments.map(({ reference }) => reference),
  returns: order.returns.map(({ reference }) => reference),
  invoices: order.invoices.map(({ number }) => number),
  refunds: order.refunds.map(({ amount }) => amount),
});

/** Pieces that orders hold which are still on the shelf. */
function unsentOf(orders: readonly Order[], sku: string): number {
  const live = orders.filter(
    ({ status, fulfillments }) =>
      !["cancelled", "failed"].includes(status) && (status !== "refunded" || fulfillments.length > 0),
  );
  const pieces = live.flatMap(({ lines, fulfillments }) =>
    lines
      .filter((line) => line.sku === sku)
      .map(({ id, quantity, closed_quantity }) => {
        const sent = fulfillments.flatMap((parcel) => parcel.lines).filter(({ line_id }) => line_id === id);
        return sent.reduce((left, line) => left - line.quantity, quantity - closed_quantity);
      }),
  );
  return pieces.reduce((sum, left) => sum + left, 0);
}

test.each(PROGRAMS.map(([program = "", file = ""]) => [file.split("/").at(-1), program, file]))(
  "%s is woken by a genuine message alone, and does each of the ERP's acts once",
  async (_name, program, file) => {
    const { db, url } = await openMigratedDatabase();
    await db
      .insertInto("stock")
      .values([{ sku: "A-1" }])
      .execute();
    await storeShopFacts(db, shopFacts({ erp: { owns: ["stock"], books_placed: false } }));
    const [apiPort, webhookPort] = [await findFreePort(), await findFreePort()];
    const state = mkdtempSync(join(tmpdir(), "twinfront-connector-"));
    onTestFinished(() => rmSync(state, { recursive: true }));
    const random = seededRandom(1);
    const [toShop, toConnector] = [
      await startConnection(random, () => apiPort),
      await startConnection(random, () => webhookPort),
    ];
    const api = makeApi(apiPort, () => `${toConnector.url}/orders`);
    await api.start(url);
    const connector = makeConnector(
      [[program, file]],
      () => toShop.url,
      webhookPort,
      join(state, "connector.db"),
      3_600,
    );
    connector.start();
    const walks = () => toShop.passed.filter(({ path }) => path.startsWith("/api/orders?")).length;
    await eventually(() => expect(walks()).toBe(1));
    const erp = new Erp(join(state, "connector.db"), random);
    onTestFinished(() => erp.close());
    erp.restock("A-1", 9);
    erp.restock("NONE", 1);

    const shop = new Shop(db, random);

    /** An order of some pieces that is placed and paid, and whose push wakes the connector, which then does all that was decided. */
    const order = async (quantity: number): Promise<number> => {
      const { id } = await placeOrder(db, newOrder({ buyer, lines: [newLine({ sku: "A-1", quantity })] }));
      await shop.payNewest();
      await eventually(async () =>
        expect([erp.orders().some((known) => known.id === id), await findDifferences(db, erp, apiPort)]).toEqual([
          true,
          [],
        ]),
      );
      return id;
    };

    const first = await order(3);
    const message = toConnector.passed.at(-1);
    expect(connector.said.join("")).toContain("NONE: No version has this SKU");
    const [{ lines }] = erp.orders() as [Order];
    const [{ id: line_id }] = lines as [Order["lines"][number]];
    erp.restock("A-1", -1);
    erp.decide(first, "fulfillments", { reference: "PACK-1", lines: [{ line_id, quantity: 1 }] });
    erp.decide(first, "invoices", { ...invoice, number: "2026-1", total: "567.00" });
    const second = await order(1);
    erp.restock("A-1", 1);
    erp.decide(first, "returns", { reference: "RMA-1", lines: [{ line_id, quantity: 1 }] });
    erp.decide(first, "refunds", { reference: "R-1", amount: "10.00", reason: "Late" });
    erp.decide(first, "close", { reason: "No longer made" });
    erp.decide(second, "cancel", { reason: "Sold out" });
    await order(1);
    expect(erp.orders()).toMatchObject([
      { status: "completed", fulfillment_status: "returned", external_id: "SO-A-1001", totals: { refunded: "10.00" } },
      { status: "cancelled", cancel_reason: "Sold out" },
      { status: "processing" },
    ]);

    // A message that isn't the shop's, one that came before, and one of long ago wake nobody.
    const before = walks();
    const answers = [];
    for (const headers of [
      { ...message?.headers, "webhook-signature": "v1,AAAA" },
      message?.headers,
      { ...message?.headers, "webhook-timestamp": "1600000000" },
    ]) {
      const { body = "" } = message ?? {};
      answers.push(
        (await fetch(`http://127.0.0.1:${webhookPort}/orders`, { method: "POST", headers: headers ?? {}, body }))
          .status,
      );
    }
    expect(answers).toEqual([401, 204, 401]);
    await order(1);
    expect(walks() - before).toBeLessThanOrEqual(3);
  },
);
