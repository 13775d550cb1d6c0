// A partner's day with the client that @hey-api/openapi-ts makes of openapi.json.
import { client } from "./client/client.gen.js";
import * as api from "./client/index.js";

const { BASE_URL = "", TOKEN = "" } = process.env;
client.setConfig({ baseUrl: BASE_URL, headers: { Authorization: `Bearer ${TOKEN}` } });

/** What an answer has. Throws the problem of one that isn't a success. */
function contentOf<Content>({ data, error }: { data?: Content; error?: unknown }): Content {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

const page = contentOf(await api.listOrders({ query: { changed_after: 0, limit: 250 } }));
const [order, other] = page.orders;
const line = order?.lines[0];
if (!order || !other || !line?.sku) throw new Error("The shop must have two orders.");
const path = { id: order.id };
const lines = [{ line_id: line.id, quantity: 1 }];
const money = { amount: order.totals.due, currency: order.currency };
const document = { total: order.totals.total, currency: order.currency, issued_on: "2026-10-19" };

contentOf(await api.acknowledgeOrder({ path, body: { external_id: "SO-1", partner_note: null } }));
contentOf(await api.recordPayment({ path, body: { method: "bank_transfer", reference: "T-1", ...money } }));
contentOf(await api.holdOrder({ path, body: { seen: { status: "processing" } } }));
contentOf(await api.releaseOrder({ path, body: {} }));
contentOf(await api.recordFulfillment({ path, body: { reference: "PACK-1", lines } }));
contentOf(
  await api.addInvoice({
    path,
    body: { number: "2026-1", kind: "invoice", pdf: "JVBERi0xLjcK", ...document },
  }),
);
contentOf(await api.recordReturn({ path, body: { reference: "RMA-1", lines } }));
contentOf(await api.recordRefund({ path, body: { reference: "R-1", amount: "10.00" } }));
contentOf(await api.closeOrder({ path, body: { reason: "No longer made" } }));
const cancelled = contentOf(await api.cancelOrder({ path: { id: other.id }, body: { reason: "Sold out" } }));
const counted = contentOf(
  await api.sendStock({
    body: {
      changed_after: page.next_changed_after ?? 0,
      counted_at: new Date().toISOString(),
      stock: [{ sku: line.sku, count: 12, restock_on: null }],
    },
  }),
);
const priced = contentOf(
  await api.sendPrices({
    body: { at: new Date().toISOString(), prices: [{ sku: line.sku, price: "189.00", currency: order.currency }] },
  }),
);
const stock = contentOf(await api.listStock({ query: { sku: line.sku } }));
const products = contentOf(await api.listProducts());
const preview = contentOf(await api.previewOrder({ path }));
const deliveries = contentOf(await api.listDeliveries({ path }));
const after = contentOf(await api.getOrder({ path }));
const { error: refused } = await api.closeOrder({ path: { id: other.id }, body: {} });

console.log(
  JSON.stringify({
    ...{ status: after.status, fulfillment: after.fulfillment_status, external_id: after.external_id },
    ...{ cancelled: cancelled.status, invoices: after.invoices.length, returns: after.returns.length },
    ...{ refunds: after.refunds.length, counted: counted.stored.length, priced: priced.stored.length },
    ...{ stock: stock.stock.length, products: products.products.length },
    ...{ preview: preview.body.type, deliveries: deliveries.deliveries.length, refused: refused?.title },
  }),
);
