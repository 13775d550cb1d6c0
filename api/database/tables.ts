import type { ColumnType, Generated } from "kysely";
import type { FeedProduct } from "../catalogue/catalogue-file.ts";
import type { Delivery } from "../erp/schema.ts";
import type { Order, OrderLine } from "../orders/schema.ts";
import type { JsonText } from "./json-column.ts";

/** DATETIME(3) in UTC: written as a Date, read as `2026-11-20 09:30:00.000` (dateStrings). */
type Time = ColumnType<string, Date, Date>;
type TimeOrNull = ColumnType<string | null, Date | null, Date | null>;
/** DECIMAL(19,4), read and written as a string: never a float. */
type Decimal = string;

interface CountersTable {
  name: string;
  last_id: number;
  last_sequence: number;
}

interface OrdersTable {
  id: number;
  sequence: number;
  version: number;
  number: string;
  status: Order["status"];
  payment_status: Order["payment_status"];
  fulfillment_status: Order["fulfillment_status"];
  currency: string;
  prices_include_tax: ColumnType<number, boolean, never>;
  created_at: Time;
  updated_at: Time;
  placed_at: TimeOrNull;
  paid_at: TimeOrNull;
  cancelled_at: TimeOrNull;
  cancel_reason: string | null;
  customer: JsonText<NonNullable<Order["customer"]>> | null;
  billing_address: JsonText<NonNullable<Order["billing_address"]>> | null;
  shipping_address: JsonText<NonNullable<Order["shipping_address"]>> | null;
  shipping_lines: JsonText<Order["shipping_lines"]>;
  discounts: JsonText<Order["discounts"]>;
  payments: JsonText<Order["payments"]>;
  refunds: JsonText<Order["refunds"]>;
  tax_lines: JsonText<Order["tax_lines"]>;
  items_net: Decimal;
  items_tax: Decimal;
  shipping_net: Decimal;
  shipping_tax: Decimal;
  discount: Decimal;
  tax: Decimal;
  total: Decimal;
  refunded: Decimal;
  due: Decimal;
  note: string | null;
  external_id: string | null;
  /** What of the order never changes, as the API's JSON; null in a row that placeOrder did not write (as-placed.ts). */
  as_placed: Buffer | null;
  as_placed_shape: string | null;
}

interface OrderLinesTable {
  id: Generated<number>;
  order_id: number;
  position: number;
  product_id: number | null;
  sku: string | null;
  gtin: string | null;
  name: string;
  quantity: number;
  unit_price: Decimal;
  discount_total: Decimal;
  net_total: Decimal;
  tax_total: Decimal;
  total: Decimal;
  tax_lines: JsonText<OrderLine["tax_lines"]>;
}

/** Of which `orders.payments` is the projection that pages are written from (orders/payments.ts). */
interface OrderPaymentsTable {
  order_id: number;
  /** The payment's id in the API. */
  position: number;
  method: string;
  reference: string | null;
  amount: Decimal;
  status: Order["payments"][number]["status"];
}

/** … and `orders.refunds` the one of these. */
interface OrderRefundsTable {
  order_id: number;
  position: number;
  reference: string | null;
  created_at: Time;
  reason: string | null;
  amount: Decimal;
}

interface ProductsTable {
  id: number;
  sequence: number;
  slug: string;
  status: "active" | "archived";
  url: string;
  title: string;
  description: string;
  brand: string | null;
  category: string;
  images: JsonText<FeedProduct["images"]>;
  specifications: JsonText<FeedProduct["specifications"]>;
  variants: JsonText<StoredVariant[]>;
  /** SHA-256 of what the file said, so that an unchanged product is left alone. */
  content_hash: string;
  created_at: Time;
  updated_at: Time;
}

/** Options as pairs: MySQL sorts the keys of a JSON object, and Colour comes before Interface for a reason. */
export type StoredVariant = Omit<FeedProduct["variants"][number], "options"> & { options: [string, string][] };

interface DeliveriesTable {
  id: Generated<number>;
  order_id: number;
  order_version: number;
  /** 1, and one more with each push that sends a delivered version again. */
  resend: number;
  webhook_id: string;
  /** Empty where `body_kept` is 0. */
  body: Buffer;
  body_kept: Generated<number>;
  state: Delivery["state"];
  superseded: Generated<number>;
  attempts: Generated<number>;
  tries: Generated<number>;
  next_attempt_at: TimeOrNull;
  leased_until: TimeOrNull;
  lease_token: string | null;
  created_at: Time;
  delivered_at: TimeOrNull;
}

interface DeliveryAttemptsTable {
  delivery_id: number;
  number: number;
  started_at: Time;
  duration_ms: number | null;
  outcome: Delivery["attempts"][number]["outcome"];
  http_status: number | null;
  response_excerpt: string | null;
}

interface IdempotencyKeysTable {
  /** SHA-256 of the key, in hexadecimal digits. */
  key_hash: string;
  order_id: number;
  created_at: Time;
  status: number | null;
  /** The delivery that was answered, as JSON. */
  answer: string | null;
}

export interface Tables {
  counters: CountersTable;
  orders: OrdersTable;
  order_lines: OrderLinesTable;
  order_payments: OrderPaymentsTable;
  order_refunds: OrderRefundsTable;
  products: ProductsTable;
  deliveries: DeliveriesTable;
  delivery_attempts: DeliveryAttemptsTable;
  idempotency_keys: IdempotencyKeysTable;
}
