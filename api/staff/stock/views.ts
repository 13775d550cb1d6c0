import Type, { type Static } from "typebox";
import { nullable } from "../../platform/http/schema-types.ts";
import { wordOf } from "../../platform/private-pages/page.ts";
import type { ListFault } from "../../selling/stock/pieces-csv.ts";
import { type Holder, onShelf } from "../../selling/stock/shelf.ts";
import type { Since } from "../../selling/stock/since-opened.ts";
import { MomentView, viewMoment } from "../moment.ts";
import { type CountedVersion, SHOWS } from "./queries.ts";

const text = Type.String();
const whole = Type.Integer();

/** What has happened to a version since whoever counts has opened the page. */
const SinceView = Type.Object({
  /** `order` is the path of the order's page. */
  parcels: Type.Array(Type.Object({ number: text, order: text, units: whole, when: MomentView })),
  counts: Type.Array(Type.Object({ by: text, shelf: nullable(whole), when: MomentView })),
});

const VersionFacts = Type.Object({
  sku: text,
  product: text,
  version: text,
  /** The path of its page in the shop, and of the page of its stock. */
  path: text,
  href: text,
  /** Null where it isn't counted. */
  shelf: nullable(whole),
  available: nullable(whole),
  ordered: whole,
  availability: text,
  available_from: nullable(text),
  few_left: Type.Boolean(),
});

/** A field for the pieces on a shelf. */
const ShelfField = Type.Object({
  id: text,
  name: text,
  /** What was typed. */
  value: text,
  /** The version that it's about, as a person reads it. */
  about: text,
  is_wrong: Type.Boolean(),
  since: nullable(SinceView),
});

const Row = Type.Object({ ...VersionFacts.properties, field: ShelfField });

/** What all three pages have. */
const common = {
  /** By the ids of fields. */
  errors: Type.Array(Type.Object({ field: text, name: text })),
  /** Why nothing can be stored here; null if it can. */
  hindrance: nullable(wordOf("staff_stock", ["erp_counts", "kept_for_ever"])),
  /** When the page was opened, for its forms. */
  opened: text,
  /** How many counts were stored; null before any were sent. */
  stored: nullable(whole),
};

/** The table of all versions. */
export const stockPage = {
  template: "staff/stock",
  view: Type.Object({
    title_word: wordOf("staff_stock", ["title"]),
    ...common,
    /** How many counts were left, because something has happened since. */
    moved: whole,
    search: text,
    shows: Type.Array(
      Type.Object({ value: text, word: wordOf("staff_stock.shows", SHOWS), is_chosen: Type.Boolean() }),
    ),
    rows: Type.Array(Row),
    /** Where the form leads, the next page, and the list to download. */
    action: text,
    next: nullable(text),
    list: text,
  }),
};
export type StockView = Static<typeof stockPage.view>;

/** One version: which orders hold it, and who has counted it. */
export const versionPage = {
  template: "staff/stock-version",
  view: Type.Object({
    title_word: wordOf("staff_stock", ["version_title"]),
    ...common,
    /** For the title. */
    sku: text,
    row: Row,
    /** Whether what was stored is that it isn't counted any more. */
    is_stopped: Type.Boolean(),
    holders: Type.Array(Type.Object({ number: text, order: text, placed_at: text, units: whole })),
    /** How many more there are. */
    more_holders: whole,
    counts: Type.Array(Type.Object({ by: text, was: nullable(whole), became: nullable(whole), when: MomentView })),
    /** When a partner's system sent the last count; null if that wasn't one. */
    partner_at: nullable(text),
  }),
};
export type VersionView = Static<typeof versionPage.view>;
export type FieldView = Static<typeof ShelfField>;

const FAULTS = ["head", "empty", "quotes", "row", "twice", "pieces"] as const satisfies ListFault[];

/** Many counts at once. */
export const listPage = {
  template: "staff/stock-list",
  view: Type.Object({
    title_word: wordOf("staff_stock", ["list_title"]),
    ...common,
    /** What is wrong with the list as a whole; null if nothing is. */
    fault: nullable(wordOf("staff_stock.list_faults", ["nothing", "both", "too_long"])),
    faults: Type.Array(Type.Object({ line: whole, word: wordOf("staff_stock.line_faults", FAULTS), written: text })),
    more_faults: whole,
    /** What is in the field: what was typed and isn't stored. */
    text,
    /** Lines whose pieces are blank, which is a word of Liquid itself. */
    blank_lines: whole,
    /** SKUs that no version has. */
    unknown: Type.Array(text),
    moved: Type.Array(Type.Object({ sku: text, href: text, shelf: nullable(whole), since: SinceView })),
    most_rows: whole,
  }),
};
export type ListView = Static<typeof listPage.view>;

const orderPath = (number: string) => `/admin/orders/${encodeURIComponent(number)}`;

/** The path of the page of a version's stock. A SKU may have a slash. */
export const stockPath = (sku: string): string => `/admin/stock/version?${new URLSearchParams({ sku })}`;

export const viewSince = ({ parcels, counts }: Since): Static<typeof SinceView> => ({
  parcels: parcels.map(({ at, ...parcel }) => ({
    ...parcel,
    order: orderPath(parcel.number),
    when: viewMoment(at),
  })),
  counts: counts.map(({ at, ...count }) => ({ ...count, when: viewMoment(at) })),
});

export const viewVersion = ({
  partner: _partner,
  counted_at: _time,
  ...version
}: CountedVersion): Static<typeof VersionFacts> => ({
  ...version,
  href: stockPath(version.sku),
  shelf: onShelf(version),
});

/** Orders that are listed on a version's page. */
const MOST_HOLDERS = 200;

export const viewHolders = (holders: readonly Holder[]): Pick<VersionView, "holders" | "more_holders"> => ({
  holders: holders
    .slice(0, MOST_HOLDERS)
    .map(({ number, placed_at, units }) => ({ number, order: orderPath(number), placed_at, units })),
  more_holders: Math.max(0, holders.length - MOST_HOLDERS),
});

/** Every page at /admin/stock. */
export const stockPages = [stockPage, versionPage, listPage] as const;
