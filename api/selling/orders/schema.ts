import Type, { type Static } from "typebox";
import { COUNTRY, CURRENCY } from "../../contract/patterns.ts";
import { money, nullable, oneOf, text, textOrNull, time, wholeNumber } from "../../platform/http/schema-types.ts";

/** The customer. */
const Customer = Type.Object({
  id: wholeNumber("The customer's id in the shop.", 71),
  email: text("E-mail address, its domain in ASCII (IDNA); empty once the person was erased.", "ada@example.com"),
  first_name: textOrNull("Given name.", "Ada"),
  last_name: textOrNull("Family name.", "Novák"),
  company: textOrNull("Company, if the customer is one.", "Novák Retail s.r.o."),
  phone: textOrNull("Telephone number as the customer wrote it.", "+420 601 234 567"),
  vat_id: textOrNull(
    "VAT identification number of the company; one from outside the EU as the buyer wrote it, unchecked.",
    "CZ12345678",
  ),
});

/** A postal address. */
const Address = Type.Object({
  first_name: textOrNull("Given name.", "Ada"),
  last_name: textOrNull("Family name.", "Novák"),
  company: textOrNull("Company.", "Novák Retail s.r.o."),
  address1: text("Street and number.", "Dlouhá 12"),
  address2: textOrNull("Floor, door, building.", "2nd floor"),
  city: text("Town.", "Praha 1"),
  postal_code: textOrNull("Postal code; some countries have none.", "110 00"),
  region: textOrNull("State, province or county where addresses have one.", "Hlavní město Praha"),
  country_code: Type.String({ pattern: COUNTRY, description: "ISO 3166-1 alpha-2.", example: "CZ" }),
  phone: textOrNull("Telephone number for the carrier.", "+420 601 234 567"),
});

export const ORDER_STATUSES = [
  "pending",
  "processing",
  "on_hold",
  "completed",
  "cancelled",
  "refunded",
  "failed",
] as const;
export const FULFILLMENT_STATUSES = ["unfulfilled", "partial", "fulfilled", "returned"] as const;
export const PAYMENT_STATUSES = [
  "unpaid",
  "authorized",
  "partially_paid",
  "paid",
  "partially_refunded",
  "refunded",
  "voided",
] as const;

const rate = Type.String({
  pattern: "^[01](\\.[0-9]{1,6})?$",
  description: "The rate as a decimal fraction: 0.21 is 21%.",
  example: "0.21",
});

const TaxLine = Type.Object({
  code: text("The shop's code of the tax.", "CZ-21"),
  title: text("The name of the tax as the customer sees it.", "21% VAT"),
  rate,
  amount: money("The tax in the order's currency.", "65.60"),
  taxable: nullable(
    money(
      "The net amount that it is computed on; null for an order's taxes where there are several and it is older than this field.",
      "312.40",
    ),
  ),
});

export const OrderLine = Type.Object({
  id: wholeNumber("The id of the line, unique in the shop.", 2301),
  product_id: nullable(wholeNumber("The id in /api/products; null if the product was never in the catalogue.", 5)),
  sku: textOrNull("The variant that was sold.", "KES-C2-BK"),
  gtin: textOrNull("The variant's GTIN, digits only.", "2000000000015"),
  name: text("Product and variant as the customer bought them.", "Kestrel C2 cordless 2D scanner, Black / USB"),
  quantity: wholeNumber("Pieces.", 2, 1),
  unit_price: money("The price of one piece, up to four digits; with tax when `prices_include_tax`.", "189.00"),
  discount_total: money("This line's share of the order's discounts; with tax when `prices_include_tax`.", "0.00"),
  net_total: money("The line without tax, after its discount.", "312.40"),
  tax_total: money("The taxes of the line.", "65.60"),
  total: money("net_total + tax_total.", "378.00"),
  tax_lines: Type.Array(TaxLine, { description: "The line's taxes, one entry each." }),
  closed_quantity: wholeNumber("Pieces that won't be sent, since the order was closed without them.", 0),
});
export type OrderLine = Static<typeof OrderLine>;

const ShippingLine = Type.Object({
  code: text("The shop's code of the service; `pickup` where the customer collects the goods.", "standard"),
  title: text("The service as the customer chose it.", "Standard delivery"),
  net_total: money("Without tax.", "8.26"),
  tax_total: money("The taxes.", "1.74"),
  total: money("net_total + tax_total.", "10.00"),
  tax_lines: Type.Array(TaxLine, { description: "The taxes, one entry each." }),
});

const Discount = Type.Object({
  code: textOrNull("The code that the customer typed; null for a discount of the shop.", "WELCOME10"),
  title: text("The discount as the customer sees it.", "10 % off the first order"),
  amount: money("The amount, spread over the lines' discount_total; includes tax if `prices_include_tax`.", "42.00"),
});

const Payment = Type.Object({
  id: wholeNumber("The place of the payment within its order, from 1.", 1, 1),
  method: text("How it was paid.", "card"),
  reference: textOrNull("The payment service's own reference.", "pi_3Qk2"),
  amount: money("The amount in the order's currency.", "388.00"),
  status: oneOf(["pending", "authorized", "paid", "failed", "voided"], {
    description: "Only `paid` is money received.",
    example: "paid",
  }),
});

const Refund = Type.Object({
  id: wholeNumber("The place of the refund within its order, from 1.", 1, 1),
  created_at: time("When it was made.", "2026-10-20T09:30:00.000Z"),
  reason: textOrNull("Why, in the shop's words.", "Arrived damaged"),
  amount: money("The amount refunded, including tax; 0 for a refund that failed later.", "50.00"),
});

const Totals = Type.Object({
  items_net: money("The sum of the lines' net_total.", "312.40"),
  items_tax: money("The sum of the lines' tax_total.", "65.60"),
  shipping_net: money("The sum of the shipping lines' net_total.", "8.26"),
  shipping_tax: money("The sum of the shipping lines' tax_total.", "1.74"),
  discount: money("The sum of the discounts; the other totals already have it deducted.", "0.00"),
  tax: money("items_tax + shipping_tax, and the sum of the order's tax_lines.", "67.34"),
  total: money("The order's total: the sum of all lines and shipping lines.", "388.00"),
  refunded: money("The sum of the refunds.", "0.00"),
  due: money("What remains to be paid, without what won't be sent; 0 once cancelled, refunded or failed.", "0.00"),
});

// The fields of an order in the API's order, in three parts: the middle one is immutable and written when the order is
// placed (as-placed.ts). Fields that can change belong to the others.
export const OrderHead = Type.Object({
  id: wholeNumber("Ascending: no order ever appears below an id that was already visible.", 1001, 1),
  number: text("The number that customer and shop use.", "A-2001"),
  version: wholeNumber("1 when placed, one more with every change.", 3, 1),
  sequence: wholeNumber("Ascending over all orders with every order placed or changed: see changed_after.", 1480, 1),
  status: oneOf(ORDER_STATUSES, { description: "The order's progress.", example: "processing" }),
  payment_status: oneOf(PAYMENT_STATUSES, { description: "Follows from payments and refunds.", example: "paid" }),
  fulfillment_status: oneOf(FULFILLMENT_STATUSES, { description: "What has been shipped.", example: "unfulfilled" }),
  currency: Type.String({ pattern: CURRENCY, description: "ISO 4217, of every amount here.", example: "EUR" }),
  prices_include_tax: Type.Boolean({ description: "Whether unit prices and discounts include tax.", example: true }),
  created_at: time("When the order was stored.", "2026-10-18T08:12:45.120Z"),
  updated_at: time("When it last changed.", "2026-10-18T08:13:02.004Z"),
  placed_at: nullable(time("When the customer placed it.", "2026-10-18T08:12:44.000Z")),
  paid_at: nullable(
    time("When it was first paid in full; an order of 0, when the shop took it.", "2026-10-18T08:13:02.004Z"),
  ),
  cancelled_at: nullable(time("When it was cancelled.", "2026-10-19T10:00:00.000Z")),
  cancel_reason: textOrNull("Why it was cancelled.", "Ordered twice"),
});
export type OrderHead = Static<typeof OrderHead>;

export const PlacedOrder = Type.Object({
  customer: nullable({
    ...Customer,
    description: "Null for a guest, and for an erased person whose billing facts needn't be kept any more.",
  }),
  billing_address: nullable({
    ...Address,
    description: "Where the invoice goes. It stays when the person is erased, for as long as tax law asks for it.",
  }),
  shipping_address: nullable({
    ...Address,
    description: "Where the goods go; null for collection, and once the person was erased.",
  }),
  lines: Type.Array(OrderLine, {
    description: "The items. Lines never change but for `closed_quantity`; corrections are refunds.",
  }),
  shipping_lines: Type.Array(ShippingLine, { description: "Shipping." }),
  discounts: Type.Array(Discount, { description: "Discounts on the order." }),
});
export type PlacedOrder = Static<typeof PlacedOrder>;

const Buyer = Type.Object({
  email: text("E-mail address, its domain in ASCII (IDNA); empty once the person was erased.", "ada@example.com"),
  first_name: textOrNull("Given name.", "Ada"),
  last_name: textOrNull("Family name.", "Novák"),
  company: textOrNull("Company.", "Novák Retail s.r.o."),
  phone: textOrNull("Telephone number as the buyer wrote it.", "+420 601 234 567"),
  vat_id: textOrNull("VAT identification number of the company.", "CZ12345678"),
});

const VatCheck = Type.Object({
  vat_id: text("The number that was checked.", "CZ12345678"),
  result: oneOf(["valid", "invalid", "unavailable"], {
    description: "What VIES said; `unavailable` when it didn't answer or wasn't asked.",
    example: "valid",
  }),
  checked_at: time("When.", "2026-10-18T08:11:30.000Z"),
  consultation_number: textOrNull("VIES's number of the check, as evidence.", "WAPIAAAAZ1x2y3"),
  trader_name: textOrNull(
    "Whose number it is, as VIES says; null where the member state doesn't tell.",
    "NOVÁK RETAIL S.R.O.",
  ),
  trader_address: textOrNull("The trader's address on one line, likewise.", "DLOUHÁ 1, 110 00 PRAHA 1"),
});

const TAX_TREATMENTS = ["domestic", "destination", "reverse_charge", "export"] as const;

const Fulfillment = Type.Object({
  id: wholeNumber("The place of the fulfilment within its order, from 1.", 1, 1),
  reference: text("The reference that it was recorded with, unique in its order.", "PACK-88120"),
  shipped_at: time("When it was sent, or ready to collect.", "2026-10-19T14:20:00.000Z"),
  carrier: textOrNull("Who carries it.", "DHL"),
  tracking_number: textOrNull("The carrier's number.", "00340434161094042557"),
  tracking_url: textOrNull("Where the customer follows it.", "https://dhl.example/track/00340434161094042557"),
  lines: Type.Array(
    Type.Object({
      line_id: wholeNumber("The order's line.", 2301),
      quantity: wholeNumber("Pieces of it that were sent.", 2, 1),
    }),
    { description: "What was sent." },
  ),
});

const Return = Type.Object({
  id: wholeNumber("The place of the return within its order, from 1.", 1, 1),
  reference: text("The reference that it was recorded with, unique in its order.", "RMA-1203"),
  received_at: time("When the goods came back.", "2026-11-02T09:10:00.000Z"),
  lines: Type.Array(
    Type.Object({
      line_id: wholeNumber("The order's line.", 2301),
      quantity: wholeNumber("Pieces of it that came back.", 1, 1),
    }),
    { description: "What came back." },
  ),
});

export const INVOICE_KINDS = ["invoice", "credit_note"] as const;

const Invoice = Type.Object({
  id: wholeNumber("The place of the document within its order, from 1.", 1, 1),
  number: text("The number on the document.", "2026-004711"),
  kind: oneOf(INVOICE_KINDS, { description: "What it is.", example: "invoice" }),
  issued_on: Type.String({ format: "date", description: "The day on the document.", example: "2026-10-19" }),
  total: money("The sum on the document.", "388.00"),
  currency: Type.String({ pattern: CURRENCY, description: "ISO 4217, of the sum.", example: "EUR" }),
  has_xml: Type.Boolean({ description: "Whether it has a structured form, such as XRechnung.", example: false }),
});

export const OrderTail = Type.Object({
  payments: Type.Array(Payment, { description: "Payments and attempts, oldest first." }),
  refunds: Type.Array(Refund, { description: "Refunds, oldest first." }),
  tax_lines: Type.Array(TaxLine, { description: "All taxes of the order, one entry per kind." }),
  totals: { ...Totals, description: "The sums, exact to the last digit." },
  note: textOrNull("What the customer wrote.", "Please ring at the back door."),
  external_id: textOrNull("The order's id in another system.", "SO-2026-00417"),
  buyer: nullable({
    ...Buyer,
    description:
      "Who ordered; null for orders that didn't come through the checkout, and as `customer` for an erased person.",
  }),
  buyer_reference: textOrNull("The buyer's own order number.", "PO-7741"),
  tax_treatment: Type.Unsafe<(typeof TAX_TREATMENTS)[number] | null>({
    type: "string",
    nullable: true,
    enum: [...TAX_TREATMENTS, null], // OpenAPI 3.0.3: a nullable enumeration names null too
    description:
      "Why the order is taxed as it is: the shop's own country, the country of delivery, no tax for a company of another EU country, or no tax for an export.",
    example: "destination",
  }),
  vat_check: nullable({ ...VatCheck, description: "The check of the VAT number; null if none of the EU was given." }),
  fulfillments: Type.Array(Fulfillment, { description: "What was sent, oldest first." }),
  partner_note: textOrNull("What a partner noted; the customer doesn't see it.", "Batch 7, packed by Eva"),
  returns: Type.Array(Return, { description: "What came back, oldest first." }),
  invoices: Type.Array(Invoice, { description: "Invoices and credit notes, in the order in which they came." }),
});
export type OrderTail = Static<typeof OrderTail>;

export const Order = Type.Object(
  { ...OrderHead.properties, ...PlacedOrder.properties, ...OrderTail.properties },
  { $id: "Order", description: "An order. Every field is always present; null where it doesn't apply." },
);
export type Order = Static<typeof Order>;
