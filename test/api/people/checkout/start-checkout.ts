import { buildApp } from "../../../../api/app.ts";
import type { ShopFacts } from "../../../../api/contract/built-files/store.ts";
import type { DetailsForm } from "../../../../api/people/checkout/details.ts";
import type { Db } from "../../../../api/platform/database/pool.ts";
import { openBuilds } from "../../../../api/platform/private-pages/builds.ts";
import { type Overrides, token } from "../../api.ts";
import { type Customer, makeCustomer, startShopApi } from "../../platform/private-pages/pages.ts";
import { shopFacts } from "../../selling/quote/shop.ts";
import { filledForm, placeFields } from "./filled-form.ts";

/** A shop that takes orders, and a customer with two scanners in the basket. */
export async function startCheckout(overrides: Overrides & { facts?: Partial<ShopFacts> } = {}) {
  const { facts, ...dependencies } = overrides;
  const shop = await startShopApi({ ...dependencies, facts: shopFacts(facts) });
  const customer = shop.customer();
  await customer.post("/cart/lines", { sku: "KES-C2-BK", quantity: "2" });
  return { ...shop, customer, otherCustomer: shop.customer };
}

/** Sends the details and expects to be led to the review page. */
export async function enterDetails(customer: Customer, entered: Partial<DetailsForm> = {}): Promise<void> {
  const { statusCode, headers, payload } = await customer.post(
    "/checkout",
    filledForm(entered) as Record<string, string>,
  );
  if (statusCode !== 303 || headers.location !== "/checkout/review")
    throw new Error(`The details weren't taken: ${statusCode} ${headers.location} ${payload}`);
}

/** Enters the details and opens the review page: what its form sends. */
export async function review(customer: Customer, entered: Partial<DetailsForm> = {}): Promise<Record<string, string>> {
  await enterDetails(customer, entered);
  return placeFields((await customer.get("/checkout/review")).payload);
}

export const place = (customer: Customer, fields: Record<string, string>) => customer.post("/checkout/place", fields);

/** A second process of the API on the same database, which the same browser reaches. */
export function startSecondProcess(
  { db, sessionPages }: { db: Db; sessionPages: string },
  { jar }: Customer,
  overrides: Overrides = {},
): Customer {
  const app = buildApp({
    db,
    builds: openBuilds(sessionPages),
    baseUrl: "https://shop.example",
    pullTokens: [token],
    rateLimitPerMinute: 0,
    ...overrides,
  });
  const customer = makeCustomer(app);
  for (const [name, value] of jar) customer.jar.set(name, value);
  return customer;
}
