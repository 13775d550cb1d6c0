import { onTestFinished } from "vitest";
import type { Right } from "../../../../api/contract/staff-rights.ts";
import { changeOrder } from "../../../../api/selling/orders/change-order.ts";
import { type NewOrder, placeOrder } from "../../../../api/selling/orders/place-order.ts";
import { addEditor } from "../../../../api/staff/sign-in/editors.ts";
import type { Overrides } from "../../api.ts";
import { buildTemplates, storeShop } from "../../platform/private-pages/pages.ts";
import { boughtOrder, transferShop } from "../../selling/mail/mail-shop.ts";
import { newLine } from "../../selling/orders/new-order.ts";
import { makeAuthenticator } from "../sign-in/authenticator.ts";
import { startWithAnn } from "../sign-in/editors-shop.ts";

/** An order from the checkout with two scanners (line 1001) and a cable (1002), 408.00 EUR with delivery. */
export const twoLines = (overrides: Partial<NewOrder> = {}): NewOrder =>
  boughtOrder({
    lines: [newLine({ quantity: 2 }), newLine({ sku: "KES-CABLE", name: "Cable", unit_price: "12.50" })],
    ...overrides,
  });

/** A shop whose orders Ann may act on, with an order of `twoLines`. `facts` are of store.yaml. */
export async function startStaffShop({
  facts = transferShop(),
  order = twoLines(),
  ...overrides
}: Overrides & { may?: readonly Right[]; facts?: ReturnType<typeof transferShop>; order?: NewOrder } = {}) {
  const shop = await startWithAnn({ sessionPages: await buildTemplates(facts), ...overrides });
  const { db, browser, newBrowser } = shop;
  await storeShop(db, facts);
  await placeOrder(db, order);

  type Browser = typeof browser;
  /** Opens a form, and returns what it would send as it is. */
  const open = async (act: string, number = "A-1001", by: Browser = browser) => {
    const page = await by.get(`/admin/orders/${number}/${act}`);
    return { page, fields: fieldsOf(page.body) };
  };
  const send = (act: string, fields: Record<string, string>, number = "A-1001", by: Browser = browser) =>
    by.submit(`/admin/orders/${number}/${act}`, fields);
  /** Opens a form, fills in what is given, and sends it. */
  const act = async (name: string, given: Record<string, string> = {}, number = "A-1001", by: Browser = browser) => {
    const { fields } = await open(name, number, by);
    return send(name, { ...fields, ...given }, number, by);
  };
  const pay = () =>
    changeOrder(db, 1, { payments: [{ method: "bank_transfer", reference: "T", amount: "408.00", status: "paid" }] });
  return {
    ...{ ...shop, open, send, act, pay },
    show: async (number = "A-1001") => (await browser.get(`/admin/orders/${number}`)).body,
    read: async (id = 1) => (await shop.get(`/api/orders/${id}`)).json(),
    history: () =>
      db
        .selectFrom("order_history")
        .select(["act", "done_by", "was", "became", "amount", "units"])
        .orderBy("id")
        .execute(),
    mails: async () => (await db.selectFrom("mails").select("kind").orderBy("id").execute()).map(({ kind }) => kind),
    /** Signs somebody else in. */
    signIn: async (name: string, email: string, may: readonly Right[] = ["orders"]) => {
      const other = newBrowser({ address: "192.0.2.9" });
      await other.enrol(await addEditor(db, { name, email }, new Set(may)), makeAuthenticator());
      onTestFinished(() => other.jar.clear());
      return other;
    },
  };
}

const unescapeText = (text: string) =>
  text
    .replaceAll(/&#(\d+);/g, (_all, code) => String.fromCodePoint(Number(code)))
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");

/** The fields of a page's form as a browser would send them. */
export function fieldsOf(page: string): Record<string, string> {
  const form = /<form action="\/admin\/orders\/[^"]*" method="post"[\s\S]*?<\/form>/.exec(page)?.[0] ?? "";
  const attribute = (tag: string, name: string) => unescapeText(new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? "");
  const fields: Record<string, string> = {};
  for (const [tag] of form.matchAll(/<input [^>]*>/g))
    if (!tag.includes('type="radio"') || / checked/.test(tag)) fields[attribute(tag, "name")] = attribute(tag, "value");
  for (const [, tag = "", text = ""] of form.matchAll(/(<textarea [^>]*>)\n?([\s\S]*?)<\/textarea>/g))
    fields[attribute(tag, "name")] = unescapeText(text);
  return fields;
}

/** What a page tells in a notice, without markup. */
export const noticesOf = (page: string): string[] =>
  [...page.matchAll(/<div class="notice[^>]*>([\s\S]*?)<\/div>/g)].map(([, inside = ""]) =>
    unescapeText(
      inside
        .replaceAll(/<[^>]*>/g, " ")
        .replaceAll(/\s+/g, " ")
        .trim(),
    ),
  );
