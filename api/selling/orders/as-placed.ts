import { createHash } from "node:crypto";
import fastJsonStringify from "fast-json-stringify";
import { PlacedOrder } from "./schema.ts";
import { type OrderLineRow, type OrderRow, type PlacedRow, toPlaced } from "./to-order.ts";

/** Raise it when the same fields are written differently, such as money with other digits. */
const FORMAT_VERSION = 1;

/** A description of a field, not a field of that name, which would be an object. */
const isAnnotation = (name: string, value: unknown) =>
  typeof value !== "object" && (name === "description" || name === "example");

/** The shape that `as_placed` is written in: a hash of the fields, their order and types, without descriptions. */
const SHAPE = createHash("sha256")
  .update(
    JSON.stringify([FORMAT_VERSION, PlacedOrder], (name, value) => (isAnnotation(name, value) ? undefined : value)),
  )
  .digest("hex")
  .slice(0, 16);

// A copy, as in erp/message.ts.
const stringify = fastJsonStringify(structuredClone({ ...PlacedOrder }));

/** The immutable part of an order as the API shows it: the bytes of a JSON object. */
export const serializePlaced = (row: PlacedRow, lines: readonly OrderLineRow[]): Buffer =>
  Buffer.from(stringify(toPlaced(row, lines)));

/** The columns that store it, so that a page needs neither the lines nor any JSON parsing. */
export const asPlacedColumns = (row: PlacedRow, lines: readonly OrderLineRow[]) => ({
  as_placed: serializePlaced(row, lines),
  as_placed_shape: SHAPE,
});

/** What they store; null when the shape is another or placeOrder didn't write the row. */
export const readAsPlaced = (row: OrderRow): Buffer | null => (row.as_placed_shape === SHAPE ? row.as_placed : null);
