import { type RawBuilder, sql } from "kysely";
import { toRfc3339 } from "../../platform/database/columns.ts";
import { listWord, readSearch } from "../../platform/database/order-search.ts";
import type { Db } from "../../platform/database/pool.ts";
import type { OrderList } from "../../platform/database/tables.ts";
import { daysOf, type OrderFilter, type Place } from "./filter.ts";

/** Rows of `order_search` that one statement reads at most; a count says "more" beyond the last but one. */
export const MOST_READ = 1_001;

/** Words with the same beginning among which the newest orders are looked for. */
const MOST_WORDS = 20;

/** Some orders of a filter, the newest first. */
interface Found {
  ids: number[];
  /** Where to go on; undefined at the end. */
  next: Place | undefined;
  /** Whether only a part of the older orders was looked through, so that there may be more although the page isn't full. */
  isCutShort: boolean;
}

/** What is found by signs alone: nothing, rather than every order. */
const NOTHING: Found = { ids: [], next: undefined, isCutShort: false };

/**
 * The newest orders that a filter lets through, `limit` at most, older than the one `before`. Whatever the shop has, it reads
 * a bounded number of rows: what is rare is read whole, and of what isn't, the newest; of several common words, those of MOST_READ orders.
 */
export async function findOrders(
  db: Db,
  filter: OrderFilter,
  { before, limit }: { before: Place | undefined; limit: number },
): Promise<Found> {
  if (filter.query.trim() !== "" && readSearch(filter.query).length === 0) return NOTHING;
  const { read, others } = await plan(db, filter);
  const most = others.length > 0 ? Math.max(MOST_READ, limit + 1) : limit + 1;
  const places = await readPlaces(db, read, { filter, before, most });
  let found = places;
  for (const pattern of others) found = await keepWith(db, found, pattern);
  const page = found.slice(0, limit);
  const isCutShort = found.length <= limit && places.length === most;
  return {
    ids: page.map(({ order_id }) => order_id),
    next: found.length > limit ? page.at(-1) : isCutShort ? places.at(-1) : undefined,
    isCutShort,
  };
}

/** By a named index, as in ordersOfStatuses: the optimizer may rather read every row for its order. */
const BY_WORD = sql`order_search force index (primary)`;

/** Which words are read in the order of time: all that begin so, which are few, or these. */
type Reading = { beginning: string } | { words: readonly string[] };

/** What is read of a filter, and the patterns of the words that orders must have besides. */
async function plan(db: Db, { list, query }: OrderFilter): Promise<{ read: Reading; others: string[] }> {
  const terms = readSearch(query);
  const ofList = list === "all" ? [] : [listWord(list)];
  const besides = (read: string) => [...terms.filter((term) => term !== read).map(beginningWith), ...ofList];
  const sizes = await Promise.all(terms.map((term) => countBeginning(db, term)));
  const [rarest] = terms.map((term, index) => ({ term, size: sizes[index] ?? 0 })).sort((a, b) => a.size - b.size);
  if (rarest && rarest.size < MOST_READ) return { read: { beginning: rarest.term }, others: besides(rarest.term) };
  for (const term of terms) {
    const words = await listWords(db, term);
    if (words) return { read: { words }, others: besides(term) };
  }
  return { read: { words: [listWord(list)] }, others: terms.map(beginningWith) };
}

/** Terms are letters, digits and an @, none of which is a sign of a pattern. */
const beginningWith = (term: string) => `${term}%`;

async function countBeginning(db: Db, term: string): Promise<number> {
  const { rows } = await sql<{ size: number }>`
    select count(*) as size
    from (select 1 from ${BY_WORD} where word like ${beginningWith(term)} limit ${sql.lit(MOST_READ)}) as counted
  `.execute(db);
  return rows[0]?.size ?? 0;
}

/** The words that begin so, each by a statement that reads one row; undefined for more than MOST_WORDS. */
async function listWords(db: Db, term: string): Promise<string[] | undefined> {
  const words: string[] = [];
  while (words.length <= MOST_WORDS) {
    const { rows } = await sql<{ word: string }>`
      select word from ${BY_WORD} where word like ${beginningWith(term)} and word > ${words.at(-1) ?? ""}
      order by word limit 1
    `.execute(db);
    const [next] = rows;
    if (!next) return words;
    words.push(next.word);
  }
  return undefined;
}

interface Bounds {
  filter: OrderFilter;
  before: Place | undefined;
  most: number;
}

async function readPlaces(db: Db, reading: Reading, { filter, before, most }: Bounds): Promise<Place[]> {
  const { since, until } = daysOf(filter);
  const bounds = [
    sql`true`,
    ...(since ? [sql`placed >= ${since}`] : []),
    ...(until ? [sql`placed < ${until}`] : []),
    // Once more before the `or`, which no index follows.
    ...(before
      ? [sql`placed <= ${before.placed} and (placed < ${before.placed} or order_id < ${before.order_id})`]
      : []),
  ];
  const newest = (columns: RawBuilder<unknown>, word: RawBuilder<unknown>) =>
    sql`(select ${columns} from ${BY_WORD} where ${word} and ${sql.join(bounds, sql` and `)} order by placed desc, order_id desc limit ${sql.lit(most)})`;
  const each =
    "beginning" in reading
      ? [newest(sql`distinct placed, order_id`, sql`word like ${beginningWith(reading.beginning)}`)]
      : reading.words.map((word) => newest(sql`placed, order_id`, sql`word = ${word}`));
  const { rows } = await sql<{ placed: string; order_id: number }>`
    select placed, order_id
    from (${sql.join(each, sql` union `)} order by placed desc, order_id desc limit ${sql.lit(most)}) as found
    order by placed desc, order_id desc
  `.execute(db);
  return rows.map(({ placed, order_id }) => ({ placed: new Date(toRfc3339(placed)), order_id }));
}

/** Those of the orders that have such a word, by a named index: the optimizer may rather read all orders with the word. */
async function keepWith(db: Db, places: Place[], pattern: string): Promise<Place[]> {
  if (places.length === 0) return [];
  const { rows } = await sql<{ order_id: number }>`
    select distinct order_id from order_search force index (order_search_of_order)
    where order_id in (${sql.join(places.map(({ order_id }) => order_id))}) and word like ${pattern}
  `.execute(db);
  const having = new Set(rows.map(({ order_id }) => order_id));
  return places.filter(({ order_id }) => having.has(order_id));
}

/** How many orders each list has, up to MOST_READ. */
export async function countLists<List extends OrderList>(
  db: Db,
  lists: readonly List[],
): Promise<Record<List, number>> {
  const counts = lists.map(
    (list) =>
      sql`(select count(*) from (select 1 from ${BY_WORD} where word = ${listWord(list)} limit ${sql.lit(MOST_READ)}) as counted) as ${sql.ref(list)}`,
  );
  const { rows } = await sql<Record<List, number>>`select ${sql.join(counts)}`.execute(db);
  const [row] = rows;
  if (!row) throw new Error("Counting orders gave no row.");
  return row;
}
