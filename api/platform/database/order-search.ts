import { type Selectable, sql } from "kysely";
import { withoutHidden } from "../../contract/hidden-characters.ts";
import { parseMoney } from "../../contract/money.ts";
import { emailKey, showEmail } from "../mail/email-address.ts";
import { readJson, toRfc3339 } from "./columns.ts";
import type { Db } from "./pool.ts";
import { readLastNumbers, takeNumbers } from "./sequence.ts";
import type { OrderList, StoredAddress, StoredBuyer, StoredCustomer, Tables } from "./tables.ts";
import { inTransaction, READ_COMMITTED } from "./transaction.ts";

// The words by which the shop's people find an order, and the lists that it stands in: rows of `order_search`, written in
// the transaction that places or changes an order, which holds the orders' sequence row. It's in this wing because a
// migration fills the table.

/** The word of a list, which no text has: its words are letters and digits, and an @. */
export const listWord = (list: OrderList): string => `#${list}`;

const SEARCHED = [
  ...(["number", "status", "payment_status", "fulfillment_status", "due"] as const),
  ...(["buyer", "customer", "billing_address", "shipping_address", "payments", "billing_kept_until"] as const),
  "buyer_reference",
] as const;

/** What an order is found by. */
type Searched = Pick<Selectable<Tables["orders"]>, (typeof SEARCHED)[number]>;

/** The length of the column; a longer word is found by its beginning. */
const MOST_CHARACTERS = 64;

/** Letters that Unicode doesn't take apart. */
const SPELLED: Readonly<Record<string, string>> = {
  ...{ ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", ı: "i" },
};

/**
 * A text as it's compared: in small letters, without accents. German umlauts are also written with an e, by which an ä
 * and an ae are the same.
 */
const fold = (text: string): string =>
  withoutHidden(text)
    .toLowerCase()
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[ßæœøłđðþı]/g, (letter) => SPELLED[letter] ?? "")
    .replaceAll(/(?<=[aou])e/g, "");

const cut = (word: string): string => [...word].slice(0, MOST_CHARACTERS).join("");

/** Without blanks, hyphens and the like. */
const squeeze = (text: string): string => fold(text).replaceAll(/[^\p{L}\p{N}]/gu, "");

/** A letter or digit alone finds too much, unless it's a whole word of its language. */
const isWord = (word: string): boolean => word !== "" && !/^[a-z0-9]$/.test(word);

/** `Novák-Retail s.r.o.` becomes `novakretail`, `novak`, `retail` and `sro`. */
const wordsIn = (text: string): string[] =>
  fold(text)
    .split(/\s+/)
    .flatMap((word) => {
      const parts = word.split(/[^\p{L}\p{N}]+/u);
      return [parts.join(""), ...parts];
    });

/** Also without its blanks: a postcode, or the bank's reference. */
const wordsInName = (text: string): string[] => [squeeze(text), ...wordsIn(text)];

/** `ada.b@example.com` becomes `adab@examplecom`, and is found by `@examplecom`, `ada` and `b` too. */
function wordsInEmail(email: string): string[] {
  const [mailbox, domain] = splitEmail(email);
  return domain === ""
    ? wordsIn(email)
    : [`${squeeze(mailbox)}@${squeeze(domain)}`, `@${squeeze(domain)}`, ...wordsIn(mailbox)];
}

function splitEmail(text: string): [mailbox: string, domain: string] {
  const email = showEmail(emailKey(text) ?? text);
  const at = email.lastIndexOf("@");
  return at < 0 ? [email, ""] : [email.slice(0, at), email.slice(at + 1)];
}

/** What somebody searches for, as the beginnings of words that an order must have, eight at most. */
export function readSearch(text: string): string[] {
  const terms = text.split(/\s+/).map((term) => {
    if (!term.includes("@")) return squeeze(term);
    const [mailbox, domain] = splitEmail(term);
    return `${squeeze(mailbox)}@${squeeze(domain)}`;
  });
  return [...new Set(terms.filter((term) => isWord(term) && term !== "@").map(cut))].slice(0, 8);
}

/** Once the person was erased, nothing of theirs is found, though the billing address stays for the tax office. */
const isErased = (order: Searched, people: readonly { email: string }[]): boolean =>
  order.billing_kept_until !== null || people.some(({ email }) => email === "");

function wordsOf(order: Searched, lines: readonly { sku: string | null }[], needsPerson: boolean): Set<string> {
  const people: (StoredBuyer | StoredCustomer)[] = [order.buyer, order.customer].flatMap((json) =>
    json ? readJson<StoredBuyer | StoredCustomer>(json) : [],
  );
  const addresses = [order.billing_address, order.shipping_address].flatMap((json) =>
    json ? readJson<StoredAddress>(json) : [],
  );
  const named = isErased(order, people) ? [] : [...people, ...addresses];
  const words = [
    ...[
      order.number,
      order.buyer_reference,
      ...lines.map(({ sku }) => sku),
      ...readJson(order.payments).map(({ reference }) => reference),
    ].flatMap((name) => wordsInName(name ?? "")),
    ...named.flatMap((each) => [
      ...("email" in each ? wordsInEmail(each.email) : wordsInName(each.postal_code ?? "")),
      ...[each.first_name, each.last_name, each.company].flatMap((name) => wordsIn(name ?? "")),
    ]),
  ];
  return new Set([...listsOf(order, needsPerson).map(listWord), ...words.filter(isWord).map(cut)]);
}

/**
 * Where an order stands: `accept`: it waits for the shop alone, since nothing is to be paid or the money is reserved;
 * `send`: it goes on, and not all was sent; `pay`: something is due; `person`: a matter is open (attention.ts), or it's on
 * hold.
 */
export function listsOf(
  order: Pick<Searched, "status" | "payment_status" | "fulfillment_status" | "due">,
  needsPerson: boolean,
): OrderList[] {
  const { status, payment_status, fulfillment_status } = order;
  const isOpen = status === "pending" || status === "processing" || status === "on_hold";
  const isDue = isOpen && parseMoney(order.due) > 0n;
  const isToAccept = status === "pending" && (!isDue || payment_status === "authorized");
  const isToSend =
    status === "processing" && (fulfillment_status === "unfulfilled" || fulfillment_status === "partial");
  return [
    "all",
    ...(isToAccept ? (["accept"] as const) : []),
    ...(isToSend ? (["send"] as const) : []),
    ...(isDue && !isToAccept ? (["pay"] as const) : []),
    ...(needsPerson || status === "on_hold" ? (["person"] as const) : []),
  ];
}

/** Writes the words of an order that was just placed, in its transaction. */
export const indexPlaced = (
  transaction: Db,
  order: Searched & { id: number },
  lines: readonly { sku: string | null }[],
  placed: Date,
): Promise<void> => insertWords(transaction, toRows(order.id, placed, wordsOf(order, lines, false)));

/**
 * Makes the words of orders agree with them, in the transaction that has changed them or what a person must look at in
 * them. It must have locked the orders' sequence row.
 */
export async function indexOrders(transaction: Db, ids: readonly number[]): Promise<void> {
  const orders = await transaction
    .selectFrom("orders")
    .select(SEARCHED)
    .select(["id", "created_at", "placed_at"])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom("attention").select("id").whereRef("order_id", "=", "orders.id").where("done_at", "is", null),
      ).as("needs_person"),
    )
    .where("id", "in", ids)
    .execute();
  const lines = await transaction
    .selectFrom("order_lines")
    .select(["order_id", "sku"])
    .where("order_id", "in", ids)
    .execute();
  // Locked as the orders are: a transaction that has read them before would see their words of then.
  const known = await transaction
    .selectFrom("order_search")
    .select(["order_id", "word"])
    .where("order_id", "in", ids)
    .forUpdate()
    .execute();
  const linesOf = Map.groupBy(lines, ({ order_id }) => order_id);
  const knownOf = Map.groupBy(known, ({ order_id }) => order_id);
  const missing: ReturnType<typeof toRows> = [];
  for (const { needs_person, ...order } of orders) {
    const words = wordsOf(order, linesOf.get(order.id) ?? [], Boolean(needs_person));
    const has = (knownOf.get(order.id) ?? []).map(({ word }) => word);
    const over = has.filter((word) => !words.delete(word));
    if (over.length > 0)
      await transaction.deleteFrom("order_search").where("order_id", "=", order.id).where("word", "in", over).execute();
    missing.push(...toRows(order.id, new Date(toRfc3339(order.placed_at ?? order.created_at)), words));
  }
  await insertWords(transaction, missing);
}

const toRows = (order_id: number, placed: Date, words: ReadonlySet<string>) =>
  [...words].map((word) => ({ word, placed, order_id }));

/** Of a batch of orders with hundreds of lines; one order's are one statement. */
const ROWS_AT_ONCE = 5_000;

async function insertWords(transaction: Db, rows: ReturnType<typeof toRows>): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE)
    await transaction
      .insertInto("order_search")
      .ignore()
      .values(rows.slice(from, from + ROWS_AT_ONCE))
      .execute();
}

/** Orders at a time: every other writer waits meanwhile. */
const BATCH = 200;

/**
 * Brings the words up to date with orders that an earlier release placed, changed or erased, and after a restore, when
 * all have other sequences: at the migration all of them, later those since the last call, which almost never finds one.
 */
export async function catchUpSearch(db: Db, signal?: AbortSignal): Promise<void> {
  // Read before the orders are: see paging.ts.
  const { last_sequence: upTo } = await readLastNumbers(db, "orders");
  while (!signal?.aborted && (await isBehind(db, upTo)))
    await inTransaction(db, (transaction) => indexBatch(transaction, upTo), READ_COMMITTED);
}

/** Whether orders may not have been looked at; if none is behind, notes that all were. */
async function isBehind(db: Db, upTo: number): Promise<boolean> {
  const behind = await findBehind(db, upTo, 1);
  if (behind.length === 0) await noteCompared(db, upTo);
  return behind.length > 0;
}

const findBehind = (db: Db, upTo: number, limit: number) =>
  db
    .selectFrom("orders")
    .select(["id", "sequence"])
    .where("sequence", ">", ({ selectFrom }) => selectFrom("order_search_state").select("compared"))
    .where("sequence", "<=", upTo)
    .where(sql<boolean>`not (searched <=> sequence)`)
    .orderBy("sequence")
    .limit(limit)
    .execute();

async function indexBatch(transaction: Db, upTo: number): Promise<void> {
  await takeNumbers(transaction, "orders", { ids: 0, sequences: 0 }); // before the first read: see sequence.ts
  const behind = await findBehind(transaction, upTo, BATCH);
  const last = behind.at(-1);
  if (!last) return; // another process was faster
  const ids = behind.map(({ id }) => id);
  await indexOrders(transaction, ids);
  await transaction
    .updateTable("orders")
    .set(({ ref }) => ({ searched: ref("sequence") }))
    .where("id", "in", ids)
    .execute();
  // Those up to here are done for good: whatever changes has a higher sequence from then on.
  await noteCompared(transaction, last.sequence);
}

const noteCompared = (db: Db, upTo: number) =>
  db.updateTable("order_search_state").set({ compared: upTo }).where("compared", "<", upTo).execute();
