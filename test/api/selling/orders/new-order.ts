import type { NewOrder } from "../../../../api/selling/orders/place-order.ts";

export const vat = { code: "CZ-21", title: "VAT 21 %", rate: "0.21" };

/** An order of one scanner in EUR, with `overrides`. */
export const newOrder = (overrides: Partial<NewOrder> = {}): NewOrder => ({
  status: "pending",
  currency: "EUR",
  prices_include_tax: true,
  customer: null,
  billing_address: null,
  shipping_address: null,
  lines: [newLine()],
  shipping_lines: [],
  discounts: [],
  payments: [],
  placed_at: null,
  note: null,
  external_id: null,
  ...overrides,
});

export const newLine = (overrides: Partial<NewOrder["lines"][number]> = {}): NewOrder["lines"][number] => ({
  product_id: null,
  sku: "KES-C2-BK",
  gtin: "2000000000015",
  name: "Kestrel C2 cordless 2D scanner",
  quantity: 1,
  unit_price: "189.00",
  taxes: [vat],
  ...overrides,
});
