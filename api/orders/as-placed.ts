import { createHash } from "node:crypto";
import fastJsonStringify from "fast-json-stringify";
import { PlacedOrder } from "./schema.ts";
import { type OrderLineRow, type OrderRow, type PlacedRow, toPlaced } from "./to-order.ts";

/** One more whenever the same fields are written in another way, such as money with other digits. */
const FORMAT_VERSION = 1;

/** A word about a field: a field that has such a name is an object. */
const isAnnotation = (name: string, value: unknown) =>
  typeof value !== "object" && (name === "description" || name === "example");

/**
 * The shape that `as_placed` is written in. It changes by itself with the fields, their order and their types; what is
 * said about them does not count.
 */
const SHAPE = createHash("sha256")
  .update(
    JSON.stringify([FORMAT_VERSION, PlacedOrder], (name, value) => (isAnnotation(name, value) ? undefined : value)),
  )
  .digest("hex")
  .slice(0, 16);

// By a copy, as in erp/message.ts.
const stringify = fastJsonStringify(structuredClone({ ...PlacedOrder }));

/** What of an order never changes, as the API shows it: an object of JSON, in bytes. */
export const serializePlaced = (row: PlacedRow, lines: readonly OrderLineRow[]): Buffer =>
  Buffer.from(stringify(toPlaced(row, lines)));

/** The columns that keep it, so that a page has it without the lines and without reading or writing any JSON. */
export const asPlacedColumns = (row: PlacedRow, lines: readonly OrderLineRow[]) => ({
  as_placed: serializePlaced(row, lines),
  as_placed_shape: SHAPE,
});

/** What they keep; null where the row is of another shape, or was written by other means than placeOrder. */
export const readAsPlaced = (row: OrderRow): Buffer | null => (row.as_placed_shape === SHAPE ? row.as_placed : null);
