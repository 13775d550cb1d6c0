import { Readable } from "node:stream";
import type { FastifyPluginAsyncTypebox } from "@fastify/type-provider-typebox";
import type { FastifyReply, FastifyRequest } from "fastify";
import Type, { type Static } from "typebox";
import type { ShopFacts } from "../../contract/built-files/store.ts";
import { separatorFor } from "../../platform/csv.ts";
import type { Db } from "../../platform/database/pool.ts";
import { PageProblem } from "../../platform/private-pages/problem-page.ts";
import { readShopFacts } from "../../selling/shop/queries.ts";
import {
  type PiecesList,
  parsePiecesList,
  writeCell,
  writeListHead,
  writeListRows,
} from "../../selling/stock/pieces-csv.ts";
import {
  findHindrance,
  type Moved,
  onShelf,
  parsePieces,
  readHolders,
  type Shelf,
  setShelf,
} from "../../selling/stock/shelf.ts";
import { type Opened, parseOpened, readOpened, writeOpened } from "../../selling/stock/since-opened.ts";
import { viewMoment } from "../moment.ts";
import { requireRight } from "../staff-member.ts";
import { type CountedVersion, findVersions, listCounts, listVersions, SHOWS, type Show } from "./queries.ts";
import { parseTypedList, type TypedList } from "./typed-list.ts";
import {
  type FieldView,
  type ListView,
  listPage,
  type StockView,
  stockPage,
  stockPath,
  type VersionView,
  versionPage,
  viewHolders,
  viewSince,
  viewVersion,
} from "./views.ts";

/** Versions on a page, and the fields that its form may have. */
const AT_ONCE = 50;
/** Versions read at a time for a list to download. */
const LISTED_AT_ONCE = 1_000;
/** Lines of a list that is sent, which are stored in about two seconds. */
const MOST_ROWS = 5_000;
/** Bytes of the form with it, as nginx has it, too (nginx/conf/admin/locations.conf). */
const MOST_BYTES = 1_048_576;
/** Of the lines that can't be read, those that are named. */
const MOST_FAULTS = 20;
/** Of a version's counts. */
const MOST_COUNTS = 20;

/** A field of the table is named by its SKU. */
const SHELF = "shelf:";

/** Any parameter is allowed, as in the shop's pages. */
const StockQuery = Type.Object({
  q: Type.Optional(Type.String({ maxLength: 200 })),
  show: Type.Optional(Type.String()),
  after: Type.Optional(Type.String({ maxLength: 191 })),
});

type StockQuery = Static<typeof StockQuery>;

const VersionQuery = Type.Object({ sku: Type.String() });
const VersionForm = Type.Object(
  { sku: Type.String(), opened: Type.String(), shelf: Type.String(), act: Type.Optional(Type.String()) },
  { additionalProperties: false },
);
const Fields = Type.Record(Type.String(), Type.String());

/** What has become of what was typed. */
interface Sent {
  /** The fields' texts, by SKU. */
  typed: ReadonlyMap<string, string>;
  wrong: ReadonlySet<string>;
  moved: readonly Moved[];
  stored: number | null;
  /** Since when what has happened is asked about; undefined for now. */
  opened: string | undefined;
}

const NOTHING: Sent = { typed: new Map(), wrong: new Set(), moved: [], stored: null, opened: undefined };

/** The pages at /admin/stock: what is counted, what orders hold of it, and how many pieces there are on the shelf. */
export const staffStockRoutes: FastifyPluginAsyncTypebox<{ db: Db }> = async (scope, { db }) => {
  const readHindrance = (shop: ShopFacts): StockView["hindrance"] => {
    const hindrance = findHindrance(shop);
    return hindrance ? `staff_stock.${hindrance}` : null;
  };

  /** Fields whose texts aren't pieces are left for the person to mend, and nothing is stored then. */
  const store = async (
    typed: ReadonlyMap<string, string>,
    opened: string,
    by: string,
  ): Promise<{ sent: Sent; status: number }> => {
    const shelves = [...typed].map(([sku, text]) => ({ sku, shelf: parsePieces(text) }));
    const wrong = new Set(shelves.filter(({ shelf }) => shelf === undefined).map(({ sku }) => sku));
    if (wrong.size > 0) return { sent: { ...NOTHING, typed, wrong, opened }, status: 422 };
    const begun = requireOpened(opened);
    const { stored, moved, ...now } = await setShelf(
      db,
      shelves.flatMap(({ sku, shelf }) => (shelf === undefined ? [] : [{ sku, shelf, opened: begun }])),
      by,
    );
    const left = new Map(moved.map(({ sku }) => [sku, typed.get(sku) ?? ""]));
    const sent = { ...NOTHING, typed: left, moved, stored: stored.length, opened: writeOpened(now.opened) };
    return { sent, status: moved.length > 0 ? 409 : 200 };
  };

  /** `opened` is read first: what happens while the rest is read may be in it or not, and is asked about. */
  const readNow = async () => {
    const opened = writeOpened(await readOpened(db));
    return { opened, shop: await readShopFacts(db) };
  };

  const viewStock = async (query: StockQuery, sent = NOTHING): Promise<StockView> => {
    const { opened, shop } = await readNow();
    const asked = readAsked(query);
    const found = await listVersions(db, shop, { ...asked, limit: AT_ONCE + 1 });
    const shown = found.slice(0, AT_ONCE);
    // One that is left may not be in this list any more, since it's another now.
    const left = sent.moved.map(({ sku }) => sku).filter((sku) => !shown.some((version) => version.sku === sku));
    const rows = [...(await findVersions(db, shop, left)), ...shown].map((version, index) => ({
      ...viewVersion(version),
      field: viewField(version, `pieces-${index + 1}`, sent),
    }));
    const last = shown.at(-1)?.sku;
    return {
      title_word: "staff_stock.title",
      errors: errorsOf(rows.map(({ field }) => field)),
      hindrance: readHindrance(shop),
      opened: sent.opened ?? opened,
      stored: sent.stored,
      moved: sent.moved.length,
      search: query.q ?? "",
      shows: SHOWS.map((value) => ({
        value,
        word: `staff_stock.shows.${value}` as const,
        is_chosen: value === asked.show,
      })),
      rows,
      action: addressOf("/admin/stock", query),
      next: found.length > AT_ONCE && last !== undefined ? addressOf("/admin/stock", { ...query, after: last }) : null,
      list: addressOf("/admin/stock/list.csv", { q: query.q, show: query.show }),
    };
  };

  scope.get("", { schema: { hide: true, querystring: StockQuery } }, async (request, reply) => {
    await requireRight(request, "orders");
    return reply.page(stockPage, await viewStock(request.query), 200);
  });

  scope.post("", { schema: { hide: true, querystring: StockQuery, body: Fields } }, async (request, reply) => {
    const { name } = await requireRight(request, "orders");
    const { opened = "", ...fields } = request.body;
    const typed = readFields(fields);
    if (findHindrance(await readShopFacts(db))) return reply.page(stockPage, await viewStock(request.query), 409);
    const { sent, status } = await store(typed, opened, name);
    return reply.page(stockPage, await viewStock(request.query, sent), status);
  });

  const viewOne = async (sku: string, sent = NOTHING): Promise<VersionView> => {
    const { opened, shop } = await readNow();
    const [version] = await findVersions(db, shop, [sku]);
    if (!version) throw new PageProblem("not-found");
    const field = viewField(version, "pieces", sent);
    return {
      title_word: "staff_stock.version_title",
      errors: errorsOf([field]),
      hindrance: readHindrance(shop),
      opened: sent.opened ?? opened,
      stored: sent.stored,
      is_stopped: sent.stored !== null && version.available === null,
      ...{ sku, row: { ...viewVersion(version), field } },
      ...viewHolders(await readHolders(db, [sku])),
      counts: (await listCounts(db, sku, MOST_COUNTS)).map(({ at, ...count }) => ({ ...count, when: viewMoment(at) })),
      partner_at: version.partner === null ? null : version.counted_at,
    };
  };

  scope.get("/version", { schema: { hide: true, querystring: VersionQuery } }, async (request, reply) => {
    await requireRight(request, "orders");
    return reply.page(versionPage, await viewOne(request.query.sku), 200);
  });

  scope.post("/version", { schema: { hide: true, body: VersionForm } }, async (request, reply) => {
    const { name } = await requireRight(request, "orders");
    const { sku, opened, shelf, act } = request.body;
    if (findHindrance(await readShopFacts(db))) return reply.page(versionPage, await viewOne(sku), 409);
    const typed = new Map([[sku, act === "stop" ? "none" : shelf.trim()]]);
    const { sent, status } = await store(typed, opened, name);
    return reply.page(versionPage, await viewOne(sku, sent), status);
  });

  scope.get("/list.csv", { schema: { hide: true, querystring: StockQuery } }, async (request, reply) => {
    await requireRight(request, "orders");
    reply.header("Content-Disposition", 'attachment; filename="stock.csv"').type("text/csv; charset=utf-8");
    return reply.send(Readable.from(writeList(db, await readShopFacts(db), readAsked(request.query))));
  });

  const viewList = async (changes: Partial<ListView> = {}): Promise<ListView> => {
    const { opened, shop } = await readNow();
    return {
      title_word: "staff_stock.list_title",
      ...{ errors: [], hindrance: readHindrance(shop), opened, stored: null },
      ...{ fault: null, faults: [], more_faults: 0, text: "", blank_lines: 0, unknown: [], moved: [] },
      most_rows: MOST_ROWS,
      ...changes,
    };
  };

  scope.get("/list", { schema: { hide: true } }, async (request, reply) => {
    await requireRight(request, "orders");
    return reply.page(listPage, await viewList(), 200);
  });

  const filesRoutes: FastifyPluginAsyncTypebox = async (files) => {
    // Before the body is read, which may be large.
    files.addHook("onRequest", async (request) => void (await requireRight(request, "orders")));
    files.addContentTypeParser(
      "multipart/form-data",
      { parseAs: "buffer", bodyLimit: MOST_BYTES },
      (request: FastifyRequest, body: Buffer) => parseTypedList(request, body),
    );
    const TypedForm = Type.Object({ opened: Type.String(), text: Type.String(), file: Type.String() });
    files.post("/list", { schema: { hide: true, body: TypedForm } }, async (request, reply) => {
      const { name } = await requireRight(request, "orders");
      if (findHindrance(await readShopFacts(db))) return reply.page(listPage, await viewList(), 409);
      return storeList(reply, request.body, name);
    });
  };
  scope.register(filesRoutes);

  const storeList = async (reply: FastifyReply, { opened, text, file }: TypedList, by: string) => {
    const refuse = async (changes: Partial<ListView>) =>
      reply.page(listPage, await viewList({ ...changes, opened, text, errors: [{ field: "text", name: "" }] }), 422);
    const [one, other] = [text, file].filter((each) => each.trim() !== "");
    if (one === undefined) return refuse({ fault: "staff_stock.list_faults.nothing" });
    if (other !== undefined) return refuse({ fault: "staff_stock.list_faults.both" });
    const list = parsePiecesList(one, requireOpened(opened));
    if (list.shelves.length + list.blank > MOST_ROWS) return refuse({ fault: "staff_stock.list_faults.too_long" });
    if (list.faults.length > 0) return refuse(viewFaults(list));
    const { stored, unknown, moved, ...now } = await setShelf(db, list.shelves, by);
    const view = await viewList({
      ...{ stored: stored.length, blank_lines: list.blank, unknown, opened: writeOpened(now.opened) },
      moved: moved.map(({ sku, shelf, since }) => ({ sku, href: stockPath(sku), shelf, since: viewSince(since) })),
      text: moved.length > 0 ? writeLeft(moved) : "",
    });
    return reply.page(listPage, view, moved.length + unknown.length > 0 ? 409 : 200);
  };
};

/** What a page's address asks for. */
const readAsked = ({ q = "", show, after = "" }: StockQuery) => ({
  words: q.split(/\s+/).filter(Boolean).slice(0, 10),
  show: SHOWS.find((known) => known === show) ?? ("all" satisfies Show),
  after,
});

function addressOf(path: string, { q, show, after }: Partial<Record<keyof StockQuery, string | undefined>>): string {
  const given = Object.entries({ q, show, after }).flatMap(([name, value]): [string, string][] =>
    value ? [[name, value]] : [],
  );
  return given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path;
}

/** The texts of the table's fields that aren't blank, by SKU. */
function readFields(fields: Readonly<Record<string, string>>): Map<string, string> {
  const names = Object.keys(fields);
  if (names.length > AT_ONCE * 2 || names.some((name) => !name.startsWith(SHELF))) throw new PageProblem("bad-request");
  return new Map(
    Object.entries(fields).flatMap(([name, text]) =>
      text.trim() === "" ? [] : [[name.slice(SHELF.length), text.trim()]],
    ),
  );
}

function requireOpened(text: string): Opened {
  const opened = parseOpened(text);
  if (!opened) throw new PageProblem("bad-request");
  return opened;
}

function viewField({ sku, product, version }: CountedVersion, id: string, { typed, wrong, moved }: Sent): FieldView {
  const left = moved.find((each) => each.sku === sku);
  return {
    ...{ id, name: `${SHELF}${sku}`, is_wrong: wrong.has(sku) },
    // Who wanted to stop counting has typed nothing.
    value: left?.shelf === null ? "" : (typed.get(sku) ?? ""),
    about: version === "" ? `${product} (${sku})` : `${product}, ${version} (${sku})`,
    since: left ? viewSince(left.since) : null,
  };
}

const errorsOf = (fields: readonly FieldView[]): StockView["errors"] =>
  fields.filter(({ is_wrong }) => is_wrong).map(({ id, about }) => ({ field: id, name: about }));

const viewFaults = ({ faults }: PiecesList): Pick<ListView, "faults" | "more_faults"> => ({
  faults: faults
    .slice(0, MOST_FAULTS)
    .map(({ line, fault, written }) => ({ line, word: `staff_stock.line_faults.${fault}` as const, written })),
  more_faults: Math.max(0, faults.length - MOST_FAULTS),
});

/** The list to send again of what is left, from when it's shown. */
const writeLeft = (moved: readonly Pick<Shelf, "sku" | "shelf">[]): string =>
  ["sku,pieces", ...moved.map(({ sku, shelf }) => `${writeCell(sku)},${shelf ?? "none"}`)].join("\n");

/** A list to count by, in pieces. */
async function* writeList(
  db: Db,
  shop: ShopFacts,
  { words, show }: Pick<ReturnType<typeof readAsked>, "words" | "show">,
): AsyncGenerator<string> {
  const opened = await readOpened(db);
  const separator = separatorFor(shop.locale);
  yield writeListHead(separator);
  for (let after: string | undefined = ""; after !== undefined; ) {
    const versions: CountedVersion[] = await listVersions(db, shop, { words, show, after, limit: LISTED_AT_ONCE });
    yield writeListRows(
      versions.map((version) => ({ ...version, pieces: onShelf(version), free: version.available })),
      opened,
      separator,
    );
    after = versions.length === LISTED_AT_ONCE ? versions.at(-1)?.sku : undefined;
  }
}
