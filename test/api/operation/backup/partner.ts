import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished } from "vitest";
import type { Db } from "../../../../api/platform/database/pool.ts";
import { importProducts } from "../../../../api/selling/catalogue/import.ts";
import { changeOrder } from "../../../../api/selling/orders/change-order.ts";
import { placeOrder } from "../../../../api/selling/orders/place-order.ts";
import type { Order } from "../../../../api/selling/orders/schema.ts";
import { startApi } from "../../api.ts";
import { product } from "../../selling/catalogue/catalogue.ts";
import { newOrder } from "../../selling/orders/new-order.ts";
import { until } from "../../server-process.ts";

type Get = Awaited<ReturnType<typeof startApi>>["get"];

/**
 * A partner that polls all the time with three cursors that it never resets, through whichever API `shop.get` is; while
 * it's undefined, the shop is down.
 */
function startPartner(shop: { get: Get | undefined }) {
  const cursors = { since_id: 0, changed_after: 0, products: 0 };
  const placed: number[] = [];
  const known = new Map<number, Order>();
  const products = new Map<string, string>();
  const complaints: string[] = [];
  const tags = new Map<string, string>();
  const ask = async (path: string) => shop.get?.(path).catch(() => undefined); // a shop that has closed is down, too
  const page = async (path: string) => {
    const answer = await ask(path);
    if (answer && answer.statusCode !== 200) complaints.push(`${path}: ${answer.body}`);
    return answer?.statusCode === 200 ? answer.json() : undefined;
  };
  /** Asks for one page of each; returns whether all were empty. */
  const poll = async () => {
    const byId = await page(`/api/orders?limit=3&since_id=${cursors.since_id}`);
    const byChange = await page(`/api/orders?limit=3&changed_after=${cursors.changed_after}`);
    const changedProducts = await page(`/api/products?limit=3&changed_after=${cursors.products}`);
    if (!byId || !byChange || !changedProducts) return false;
    cursors.since_id = byId.next_since_id;
    cursors.changed_after = byChange.next_changed_after;
    cursors.products = changedProducts.next_changed_after;
    placed.push(...byId.orders.map(({ id }: Order) => id));
    for (const order of byChange.orders) {
      const { version = 0 } = known.get(order.id) ?? {};
      if (order.version <= version) complaints.push(`order ${order.id} had version ${version}, now ${order.version}`);
      known.set(order.id, order);
    }
    for (const { slug, title } of changedProducts.products) products.set(slug, title);
    for (const { id } of byChange.orders) {
      const answer = await ask(`/api/orders/${id}`);
      const tag = String(answer?.headers["etag"]);
      if ((tags.get(tag) ?? answer?.body) !== answer?.body) complaints.push(`${tag} stands for two states`);
      if (answer) tags.set(tag, answer.body);
    }
    return byId.orders.length + byChange.orders.length + changedProducts.products.length === 0;
  };
  let rounds = 0;
  let stopped = false;
  const polling = (async () => {
    while (!stopped) {
      rounds = (await poll()) ? rounds + 1 : 0;
      await sleep(2);
    }
  })();
  onTestFinished(async () => {
    stopped = true;
    await polling;
  });
  /** Resolves once two rounds in a row found nothing new. */
  const caughtUp = async () => {
    rounds = 0;
    await until(
      async () => rounds,
      (count) => count >= 2,
    );
  };
  return { placed, known, products, complaints, caughtUp };
}

export const place = async (db: Db, count: number) => {
  for (let index = 0; index < count; index += 1) await placeOrder(db, newOrder({ note: `order ${index}` }));
};

interface Loss {
  /** A migrated, empty database. */
  db: Db;
  /** Makes the backup, while orders come in. */
  backUp(): Promise<unknown>;
  /** Restores it and returns the new database. Its next order is number 1,000,001. */
  restore(): Promise<Db>;
}

/** Expects a partner that polls all the time to live through a restore that loses orders, changes and prices. */
export async function pollThroughLoss({ db, backUp, restore }: Loss): Promise<void> {
  const shop: { get: Get | undefined } = { get: (await startApi({ db })).get };
  const partner = startPartner(shop);
  await importProducts(
    db,
    ["one", "two", "three", "four"].map((slug) => product(slug)),
  );
  await place(db, 30);
  for (const id of [1, 2, 3]) await changeOrder(db, id, { note: "before the backup" });

  // Orders come in while the backup is made.
  const placing = new AbortController();
  const writing = (async () => {
    while (!placing.signal.aborted) await place(db, 1);
  })();
  await backUp();
  placing.abort();
  await writing;

  // What is lost: other states of old orders, new orders, another state of a product.
  await changeOrder(db, 2, { note: "lost" });
  await changeOrder(db, 30, { note: "lost" });
  await place(db, 7);
  await importProducts(
    db,
    ["one", "two", "three", "four"].map((slug) => product(slug, { title: `lost ${slug}` })),
  );
  await partner.caughtUp();
  expect([partner.known.get(2)?.note, partner.products.get("one")]).toEqual(["lost", "lost one"]);
  const seenBefore = new Set(partner.placed);
  const linesBefore = new Set([...partner.known.values()].flatMap(({ lines }) => lines.map(({ id }) => id)));
  shop.get = undefined;

  const target = await restore();
  const restored = await target.selectFrom("orders").select("id").orderBy("id").execute();
  expect(restored.length).toBeGreaterThanOrEqual(30);
  expect(restored.map(({ id }) => id)).toEqual(restored.map((_, index) => index + 1)); // one consistent state
  const { get } = await startApi({ db: target });
  shop.get = get;
  await changeOrder(target, 2, { note: "after the restore" });
  await place(target, 5);
  await changeOrder(target, 1_000_002, { note: "after the restore" });
  await partner.caughtUp();

  expect(partner.complaints).toEqual([]);
  expect(new Set(partner.placed).size).toBe(partner.placed.length);
  const all = await target.selectFrom("orders").select("id").execute();
  for (const { id } of all) {
    expect(partner.placed).toContain(id);
    expect(partner.known.get(id)).toEqual((await get(`/api/orders/${id}`)).json());
  }
  expect(Object.fromEntries(partner.products)).toEqual({ one: "one", two: "two", three: "three", four: "four" });
  const added = all.filter(({ id }) => id > 1_000_000).map(({ id }) => partner.known.get(id));
  expect(added).toHaveLength(5);
  for (const order of added) {
    expect(seenBefore).not.toContain(order?.id);
    expect(linesBefore).not.toContain(order?.lines[0]?.id);
  }
}
