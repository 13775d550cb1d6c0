import type { Order } from "./schema.ts";

// What was stored as JSON keeps the shape of its day, and the serializer refuses an object without one of its fields:
// so each is named here, and null where the stored object is older than the field.

type Customer = NonNullable<Order["customer"]>;
type Address = NonNullable<Order["billing_address"]>;

export const toCustomer = (stored: Customer): Customer => ({
  id: stored.id,
  email: stored.email,
  first_name: stored.first_name ?? null,
  last_name: stored.last_name ?? null,
  company: stored.company ?? null,
  phone: stored.phone ?? null,
  vat_id: stored.vat_id ?? null,
});

export const toAddress = (stored: Address): Address => ({
  first_name: stored.first_name ?? null,
  last_name: stored.last_name ?? null,
  company: stored.company ?? null,
  address1: stored.address1,
  address2: stored.address2 ?? null,
  city: stored.city,
  postal_code: stored.postal_code ?? null,
  region: stored.region ?? null,
  country_code: stored.country_code,
  phone: stored.phone ?? null,
});

export const toTaxLine = ({ code, title, rate, amount }: Order["tax_lines"][number]) => ({ code, title, rate, amount });

export const toShippingLine = (stored: Order["shipping_lines"][number]): Order["shipping_lines"][number] => ({
  code: stored.code,
  title: stored.title,
  net_total: stored.net_total,
  tax_total: stored.tax_total,
  total: stored.total,
  tax_lines: stored.tax_lines.map(toTaxLine),
});

export const toDiscount = ({ code, title, amount }: Order["discounts"][number]) => ({
  code: code ?? null,
  title,
  amount,
});

export const toPayment = ({ id, method, reference, amount, status }: Order["payments"][number]) => ({
  id,
  method,
  reference: reference ?? null,
  amount,
  status,
});

export const toRefund = ({ id, created_at, reason, amount }: Order["refunds"][number]) => ({
  id,
  created_at,
  reason: reason ?? null,
  amount,
});
