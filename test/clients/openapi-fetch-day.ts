// A partner's day with openapi-fetch, on the types that openapi-typescript makes of openapi.json.
import createClient from "openapi-fetch";
import type { paths } from "./schema.js";

const { BASE_URL = "", TOKEN = "" } = process.env;
const api = createClient<paths>({ baseUrl: BASE_URL, headers: { Authorization: `Bearer ${TOKEN}` } });

/** What an answer has. Throws the problem of one that isn't a success. */
function contentOf<Content>({ data, error }: { data?: Content; error?: unknown }): Content {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

const page = contentOf(await api.GET("/api/orders", { params: { query: { changed_after: 0, limit: 250 } } }));
const [order, other] = page.orders;
const line = order?.lines[0];
if (!order || !other || !line?.sku) throw new Error("The shop must have two orders.");
const params = { path: { id: order.id } };
const lines = [{ line_id: line.id, quantity: 1 }];
const money = { amount: order.totals.due, currency: order.currency };
const document = { total: order.totals.total, currency: order.currency, issued_on: "2026-10-19" };

contentOf(await api.PATCH("/api/orders/{id}", { params, body: { external_id: "SO-1", partner_note: null } }));
contentOf(
  await api.POST("/api/orders/{id}/payments", {
    params,
    body: { method: "bank_transfer", reference: "T-1", ...money },
  }),
);
contentOf(await api.POST("/api/orders/{id}/hold", { params, body: { seen: { status: "processing" } } }));
contentOf(await api.POST("/api/orders/{id}/release", { params, body: {} }));
contentOf(await api.POST("/api/orders/{id}/fulfillments", { params, body: { reference: "PACK-1", lines } }));
contentOf(
  await api.POST("/api/orders/{id}/invoices", {
    params,
    body: { number: "2026-1", kind: "invoice", pdf: "JVBERi0xLjcK", ...document },
  }),
);
contentOf(await api.POST("/api/orders/{id}/returns", { params, body: { reference: "RMA-1", lines } }));
contentOf(await api.POST("/api/orders/{id}/refunds", { params, body: { reference: "R-1", amount: "10.00" } }));
contentOf(await api.POST("/api/orders/{id}/close", { params, body: { reason: "No longer made" } }));
const cancelled = contentOf(
  await api.POST("/api/orders/{id}/cancel", { params: { path: { id: other.id } }, body: { reason: "Sold out" } }),
);
const counted = contentOf(
  await api.POST("/api/stock", {
    body: {
      changed_after: page.next_changed_after ?? 0,
      counted_at: new Date().toISOString(),
      stock: [{ sku: line.sku, count: 12, restock_on: null }],
    },
  }),
);
const priced = contentOf(
  await api.POST("/api/prices", {
    body: { at: new Date().toISOString(), prices: [{ sku: line.sku, price: "189.00", currency: order.currency }] },
  }),
);
const stock = contentOf(await api.GET("/api/stock", { params: { query: { sku: line.sku } } }));
const products = contentOf(await api.GET("/api/products"));
const preview = contentOf(await api.GET("/api/erp/orders/{id}/preview", { params }));
const deliveries = contentOf(await api.GET("/api/erp/orders/{id}/deliveries", { params }));
const after = contentOf(await api.GET("/api/orders/{id}", { params }));
const { error: refused } = await api.POST("/api/orders/{id}/close", { params: { path: { id: other.id } }, body: {} });

console.log(
  JSON.stringify({
    ...{ status: after.status, fulfillment: after.fulfillment_status, external_id: after.external_id },
    ...{ cancelled: cancelled.status, invoices: after.invoices.length, returns: after.returns.length },
    ...{ refunds: after.refunds.length, counted: counted.stored.length, priced: priced.stored.length },
    ...{ stock: stock.stock.length, products: products.products.length },
    ...{ preview: preview.body.type, deliveries: deliveries.deliveries.length, refused: refused?.title },
  }),
);
