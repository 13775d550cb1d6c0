import type { Liquid } from "liquidjs";
import Type, { type Static } from "typebox";
import type { ShopFacts } from "../../contract/built-files/store.ts";
import type { MailKind } from "../../contract/mail-kinds.ts";
import { openReader } from "../../platform/private-pages/builds.ts";
import { makeLiquid } from "../../platform/private-pages/filters.ts";
import { readSessionFolder } from "../../platform/private-pages/templates.ts";
import { OrderView, viewOrder } from "../order-view/order-view.ts";
import type { ShopOrder } from "../orders/to-order.ts";

/** What the Liquid of a mail about an order can use (site/content-schema/mail.ts has the editors' names for it). */
export const MailView = Type.Object({
  ...OrderView.properties,
  /** The keys of two sentences for the shop: on the order and on its payment. */
  status: Type.String(),
  payment_status: Type.String(),
  /** The customer's note; a mail has no line breaks but our own. */
  note_lines: Type.Array(Type.String()),
  link: Type.String(),
  /** Of a verification; "" in other mails. */
  code: Type.String(),
});

interface WrittenMail {
  subject: string;
  text: string;
  html: string;
}

/** Writes a mail from its view. Rejects without templates. */
export type WriteMail = (kind: MailKind, view: object) => Promise<WrittenMail>;

/** The view of a mail about an order as it is now. `link` opens the order; "" in a mail to the shop. */
export const viewOrderMail = (
  order: ShopOrder,
  shop: ShopFacts,
  secrets: { link: string; code: string },
): Static<typeof MailView> => ({
  ...viewOrder(order, shop),
  status: `order.status.${order.status}`,
  payment_status: `order.payment_status.${order.payment_status}`,
  note_lines: order.note?.split(/\r?\n/) ?? [],
  ...secrets,
});

/** Makes the writer from the site's build, as private pages are read; read anew for each mail, since a build may come. */
export function makeMailWriter(location: string): WriteMail {
  return async (kind, given) => {
    const { files, shop: words } = await readSessionFolder(await openReader(location));
    const view = withoutControls(given);
    const [plain, escaping] = [makeLiquid(words, {}, "plain"), makeLiquid(words)];
    const render = (liquid: Liquid, part: keyof WrittenMail): Promise<string> => {
      const template = files.get(`mails/${kind}.${part}.liquid`);
      if (template === undefined) throw new Error(`The site was built without content/mails/${kind}.md.`);
      return liquid.parseAndRender(template, view);
    };
    const text = await render(plain, "text");
    return {
      subject: await render(plain, "subject"),
      text: `${text.replaceAll(/\n{3,}/g, "\n\n").trim()}\n`,
      html: await render(escaping, "html"),
    };
  };
}

/** Line breaks and other control characters in a name could look like our own lines. */
function withoutControls<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_name, each: unknown) =>
    typeof each === "string" ? each.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ") : each,
  );
}
