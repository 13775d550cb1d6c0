import { sql } from "kysely";

/**
 * The database's clock: all processes share it, so leases and due times are written and compared by it alone. Each is
 * an SQL expression of a DATETIME(3) in UTC.
 */
export const fromNow = (milliseconds: number) =>
  sql<Date>`timestampadd(microsecond, ${Math.round(milliseconds) * 1_000}, utc_timestamp(3))`;

export const now = () => fromNow(0);

/** Typed for comparison with a column, which is read as text. */
export const ago = (milliseconds: number) =>
  sql<string>`timestampadd(microsecond, ${Math.round(milliseconds) * -1_000}, utc_timestamp(3))`;

/** From MySQL's DATETIME(3) in UTC to RFC 3339: `2026-11-20 09:30:00.000` becomes `2026-11-20T09:30:00.000Z`. */
export const toRfc3339 = (stored: string) => `${stored.replace(" ", "T")}Z`;

/** A time as the database returns it from DATETIME(3): what `toRfc3339` reads. */
export const toStored = (time: Date) => time.toISOString().slice(0, -1).replace("T", " ");

declare const content: unique symbol;

/** The text of a JSON column that holds a T; the driver returns it unparsed (`jsonStrings`). */
export type JsonText<T> = string & { readonly [content]: T };

export const readJson = <T>(text: JsonText<T>): T => JSON.parse(text);

export const writeJson = <T>(value: T) => JSON.stringify(value) as JsonText<T>;

/** The capacity of a TEXT column, used as the limit for text in JSON columns too. */
const TEXT_BYTES = 65_535;

/**
 * Returns why a column can't store a text exactly, as a predicate ("is longer than …"); undefined if it can.
 * `characters` is the length of its VARCHAR column.
 */
export function columnFault(text: string, characters = Number.POSITIVE_INFINITY): string | undefined {
  // A lone surrogate has no UTF-8: the driver would store U+FFFD instead.
  if (!text.isWellFormed()) return "has half a character in it (a lone surrogate)";
  if (text.length > characters && [...text].length > characters) return `is longer than ${characters} characters`;
  return Buffer.byteLength(text) > TEXT_BYTES ? `is longer than ${TEXT_BYTES} bytes` : undefined;
}
