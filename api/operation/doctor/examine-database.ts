import { hostname } from "node:os";
import { dirname } from "node:path";
import { type ExpressionBuilder, sql } from "kysely";
import { DAY_MS } from "../../contract/duration.ts";
import { ago, now } from "../../platform/database/columns.ts";
import type { DatabaseAddress } from "../../platform/database/database-address.ts";
import { describeOutage } from "../../platform/database/outage.ts";
import { closeDatabase, type Db, MONITORING, openDatabase } from "../../platform/database/pool.ts";
import { probeDatabase } from "../../platform/database/readiness.ts";
import type { Tables } from "../../platform/database/tables.ts";
import type { QueueState } from "../../platform/monitoring/metrics.ts";
import { readQueueStates } from "../../platform/outbox/queue-state.ts";
import { asOfNow, OFFER_COLUMNS } from "../../selling/catalogue/variants.ts";
import { describeMatter, leftOf } from "../../selling/orders/attention.ts";
import { findShort } from "../../selling/orders/short-stock.ts";
import { findShopFacts } from "../../selling/shop/queries.ts";
import { countHeld } from "../backup/after-restore.ts";
import { type Finding, fault, warning, well } from "./finding.ts";

/** A version as the built pages show it; of products.json. */
export interface ShownVersion {
  sku: string;
  /** A decimal: `189.00`. */
  price: string;
  availability: string;
}

interface Expected {
  /** Undefined if there is no build. */
  versions: readonly ShownVersion[] | undefined;
  /** Whether orders are pushed anywhere, and whether mails go anywhere. */
  hasWebhook: boolean;
  hasMail: boolean;
  /** Whether pages can be built here, so that they follow what is counted. */
  canRefresh: boolean;
  /** When they last showed it, and where to see why they don't. */
  followed: { at: Date; see: string };
}

/** A job that has been due for longer is seen by nobody. */
const OVERDUE_SECONDS = 600;

/** How many of what is wrong a finding names. */
const NAMED = 3;
const nameSome = (names: readonly string[], count: number) =>
  [...names.slice(0, NAMED), ...(count > NAMED ? ["…"] : [])].join(", ");

/** Looks at the database at an address, as `examineDatabase` does. */
export async function examineDatabaseAt(address: DatabaseAddress, expected: Expected): Promise<Finding[]> {
  const db = openDatabase(address, { timeouts: MONITORING });
  try {
    return await examineDatabase(db, expected);
  } finally {
    await closeDatabase(db);
  }
}

/**
 * The folders that the database's server writes to: of tables, of temporary tables and of the binary log. None where that
 * server is another machine, or doesn't answer.
 */
export async function findDatabaseFolders(address: DatabaseAddress): Promise<string[]> {
  const db = openDatabase(address, { timeouts: MONITORING });
  try {
    const { host, tables, temporary, log } = await db
      .selectNoFrom([
        sql<string>`@@hostname`.as("host"),
        sql<string>`@@datadir`.as("tables"),
        sql<string>`@@tmpdir`.as("temporary"),
        sql<string | null>`@@log_bin_basename`.as("log"),
      ])
      .executeTakeFirstOrThrow();
    return host === hostname() ? [tables, ...temporary.split(":"), ...(log ? [dirname(log)] : [])] : [];
  } catch (error) {
    if (describeOutage(error) === undefined) throw error;
    return [];
  } finally {
    await closeDatabase(db);
  }
}

/** Looks at the database, what was imported, the queues and the orders. If it's away, that is the only finding. */
export async function examineDatabase(
  db: Db,
  { versions, hasWebhook, hasMail, canRefresh, followed }: Expected,
): Promise<Finding[]> {
  const database = await examineServer(db);
  if (database.state === "fault") return [database];
  const { deliveries, mails } = await readQueueStates(db);
  return [
    database,
    ...(await examineCatalogue(db, versions, followed)),
    ...(await examineStock(db)),
    ...(canRefresh ? [] : await examineCounted(db)),
    examineQueue("deliveries", deliveries, hasWebhook ? undefined : "ERP_WEBHOOK_URL isn't set"),
    examineQueue("mails", mails, hasMail ? undefined : "SMTP_URL isn't set"),
    ...(await examineOrders(db)),
    ...(await examineEvents(db)),
    ...(await examineHeld(db)),
  ];
}

async function examineServer(db: Db): Promise<Finding> {
  try {
    const since = performance.now();
    const { version } = await db.selectNoFrom(sql<string>`version()`.as("version")).executeTakeFirstOrThrow();
    const tookMs = Math.round(performance.now() - since);
    await probeDatabase(db);
    await probeWriting(db);
    return well("database", `${version}, answers in ${tookMs} ms, tables up to date`);
  } catch (error) {
    const outage = describeOutage(error);
    if (outage === undefined) throw error;
    const next = outage.includes("doesn't respond") ? " See `systemctl status mariadb`, or your server." : "";
    return fault("database", outage + next);
  }
}

/** Rejects where nothing can be written: on a replica, or where not even an undo record has room. Nothing stays. */
async function probeWriting(db: Db): Promise<void> {
  const transaction = await db.startTransaction().execute();
  const row = { name: "doctor", client: "doctor", began_at: now(), requests: 0 };
  await transaction
    .insertInto("request_counts")
    .values(row)
    .execute()
    .finally(() => transaction.rollback().execute());
}

/** Whether what can be ordered has the prices and the stock that the pages show, which follow what is counted. */
async function examineCatalogue(
  db: Db,
  versions: Expected["versions"],
  followed: Expected["followed"],
): Promise<Finding[]> {
  if (versions === undefined) return [fault("catalogue", "the site isn't built: npm run build")];
  const stored = await db
    .selectFrom("product_variants")
    .leftJoin("stock", "stock.sku", "product_variants.sku")
    .selectAll("product_variants")
    .select(OFFER_COLUMNS)
    .execute();
  const bySku = new Map(stored.map((row) => [row.sku, { ...asOfNow(row), isPriced: row.erp_price !== null }]));
  const others = versions.filter(({ sku, price, availability }) => {
    const variant = bySku.get(sku);
    return variant?.availability !== availability || Number(variant.price) !== Number(price);
  });
  const isFollowed = ({ sku, price, availability }: ShownVersion) => {
    const variant = bySku.get(sku);
    if (variant === undefined) return false;
    const isSaid = variant.counted !== undefined || variant.availability === availability;
    return isSaid && (variant.isPriced || Number(variant.price) === Number(price));
  };
  const [behind, wrong] = [others.filter(isFollowed), others.filter((version) => !isFollowed(version))];
  const findings = [...examineRefresh(behind, followed), ...examineImport(wrong)];
  return findings.length > 0 ? findings : [well("catalogue", `${versions.length} versions, as the pages show them`)];
}

function examineImport(versions: readonly ShownVersion[]): Finding[] {
  if (versions.length === 0) return [];
  const named = nameSome(skusOf(versions), versions.length);
  const text = `price or stock of ${versions.length} versions differs from the pages (${named}): npm run import`;
  return [fault("catalogue", text)];
}

const skusOf = (versions: readonly { sku: string }[]) => versions.map(({ sku }) => sku);

/** Pages may be so much older than stock: building them takes its time. */
const REFRESHED_WITHIN_MINUTES = 5;
const MINUTE_MS = 60_000;

/** Whether pages show other words or prices than are in force, though a refresh has had time to change that. */
function examineRefresh(versions: readonly ShownVersion[], { at, see }: Expected["followed"]): Finding[] {
  const minutes = Math.floor((Date.now() - at.getTime()) / MINUTE_MS);
  if (versions.length === 0 || minutes <= REFRESHED_WITHIN_MINUTES) return [];
  const named = nameSome(skusOf(versions), versions.length);
  return [fault("catalogue", `pages haven't followed the stock for ${minutes} minutes (${named}): see ${see}`)];
}

/** Whether anything is counted, or is to be, where no page can follow it. */
async function examineCounted(db: Db): Promise<Finding[]> {
  const shop = await findShopFacts(db);
  const counted = await db.selectFrom("stock").select("sku").where("count", "is not", null).limit(1).execute();
  if (counted.length === 0 && !shop?.erp.owns.length) return [];
  const advice =
    "leave `erp: owns` out of store.yaml, and count nothing (npm run stock -- set SKU none), or move to a host";
  return [fault("stock", `pages can't follow it, since nothing is built in a container: ${advice}`)];
}

/** An order that holds pieces for longer waits for somebody. */
const HELD_DAYS = 14;

/** What is short, and what is kept from others for long. */
async function examineStock(db: Db): Promise<Finding[]> {
  const short = await findShort(db).execute();
  const held = await db
    .selectFrom("orders")
    .select("number")
    .where("fulfillment_status", "in", ["unfulfilled", "partial"])
    .where("created_at", "<", ago(HELD_DAYS * DAY_MS))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("stock_holds")
          .innerJoin("stock", "stock.sku", "stock_holds.sku")
          .select("stock.sku")
          .whereRef("order_id", "=", "orders.id")
          .where("released", "is", null)
          .where("stock.count", "is not", null),
      ),
    )
    .orderBy("id")
    .execute();
  const named = nameSome(
    short.map(({ sku, missing }) => `${missing} of ${sku}`),
    short.length,
  );
  const numbers = nameSome(
    held.map(({ number }) => number),
    held.length,
  );
  const advice = "send them, or npm run order -- cancel gives their pieces back";
  return [
    ...(short.length > 0
      ? [fault("stock", `orders need more than there is (${named}): get more, or agree with the customers`)]
      : []),
    ...(held.length > 0
      ? [warning("stock", `${held.length} orders have held pieces for over ${HELD_DAYS} days (${numbers}): ${advice}`)]
      : []),
  ];
}

/** `missing` says why nobody takes the queue's jobs. */
function examineQueue(name: string, { pending, failed, overdueSeconds }: QueueState, missing?: string): Finding {
  const counts = `${pending} waiting, ${failed} given up`;
  if (pending > 0 && missing !== undefined) return fault(name, `${counts}: ${missing}`);
  if (overdueSeconds > OVERDUE_SECONDS) {
    const minutes = Math.floor(overdueSeconds / 60);
    return fault(
      name,
      `${counts}, one due for ${minutes} minutes: no API and no worker takes them: start one, or see its log`,
    );
  }
  return failed > 0 ? warning(name, `${counts}: the log says why`) : well(name, counts);
}

/** Whether Stripe's events come: without them the shop learns of payments late. */
async function examineEvents(db: Db): Promise<Finding[]> {
  const yesterday = ago(DAY_MS);
  const { paid } = await db
    .selectFrom("payment_attempts")
    .select(({ fn }) => fn.countAll<number>().as("paid"))
    .where("state", "=", "paid")
    .where("created_at", ">", yesterday)
    // From yesterday on, for the index; until ten minutes ago, as an event may still be on its way.
    .where(({ between }) => between("asked_at", yesterday, ago(OVERDUE_SECONDS * 1_000)))
    .executeTakeFirstOrThrow();
  const event = db.selectFrom("payment_events").select("id").where("received_at", ">", yesterday).limit(1);
  if (paid === 0 || (await event.executeTakeFirst())) return [];
  const text = `${paid} payments by card within a day, and no event of Stripe's`;
  return [warning("payments", `${text}: compare STRIPE_WEBHOOK_SECRET and the webhook in its Dashboard`)];
}

/** What a restore holds back waits for a person, who may have forgotten it. */
async function examineHeld(db: Db): Promise<Finding[]> {
  const { mails, deliveries } = await countHeld(db);
  if (mails + deliveries === 0) return [];
  const text = `${mails} mails and ${deliveries} deliveries held back since the restore`;
  return [warning("restore", `${text}: npm run restore -- --send sends them, --drop gives them up`)];
}

/** What was paid twice goes back by itself, within a day. */
const isForPerson = sql<boolean>`(reason != 'paid_twice' or since < ${ago(DAY_MS)})`;

/** What waits for money is well; what waits for a person isn't, on hold or for another reason. */
async function examineOrders(db: Db): Promise<Finding[]> {
  const count = async (status: "on_hold" | "pending") => {
    const { n } = await db
      .selectFrom("orders")
      .select(({ fn }) => fn.countAll<number>().as("n"))
      .where("status", "=", status)
      .executeTakeFirstOrThrow();
    return n;
  };
  const [pending, held] = [await count("pending"), await count("on_hold")];
  const open = db.selectFrom("attention").where("done_at", "is", null).where(isForPerson);
  const { matters } = await open.select(({ fn }) => fn.countAll<number>().as("matters")).executeTakeFirstOrThrow();
  const oldest = await open
    .innerJoin("orders", "orders.id", "attention.order_id")
    .select(["orders.number", "attention.id", "attention.reason", "attention.currency"])
    .select(leftOf.as("amount"))
    .orderBy("attention.since")
    .orderBy("attention.id")
    .limit(NAMED)
    .execute();
  const isHeldAlone = ({ not, exists, selectFrom }: ExpressionBuilder<Tables, "orders">) =>
    not(
      exists(selectFrom("attention").select("id").whereRef("order_id", "=", "orders.id").where("done_at", "is", null)),
    );
  const heldAlone = await db
    .selectFrom("orders")
    .select("number")
    .where("status", "=", "on_hold")
    .where(isHeldAlone)
    .orderBy("id")
    .limit(NAMED + 1)
    .execute();
  const text = `${pending} wait for money, ${held} on hold`;
  const named = nameSome(
    heldAlone.slice(0, NAMED).map(({ number }) => number),
    heldAlone.length,
  );
  return [
    heldAlone.length === 0
      ? well("orders", text)
      : warning("orders", `${text} (${named}): a person must look, then npm run order releases or cancels them`),
    ...oldest.map(({ number, ...matter }) => warning("attention", `${number}: ${describeMatter(matter)}`)),
    ...(matters > NAMED ? [warning("attention", `${matters - NAMED} more wait for a person, newer than these`)] : []),
  ];
}
