import Type, { type Static } from "typebox";
import type { ShopFacts } from "../../contract/built-files/store.ts";
import { MAIL_KINDS, type MailKind, READY_MAIL } from "../../contract/mail-kinds.ts";
import { parseMoney } from "../../contract/money.ts";
import type { AttentionReason } from "../../platform/database/tables.ts";
import { nullable } from "../../platform/http/schema-types.ts";
import {
  type BuildLog,
  type Builds,
  followBuilds,
  type OfBuild,
  type Read,
} from "../../platform/private-pages/builds.ts";
import { makeLiquid } from "../../platform/private-pages/filters.ts";
import { wordOf } from "../../platform/private-pages/page.ts";
import {
  parseFitting,
  readSessionFolder,
  requireFit,
  type SessionFolder,
} from "../../platform/private-pages/templates.ts";
import { DocumentView, isCollected, OrderView, viewDocument, viewOrder } from "../order-view/order-view.ts";
import { ATTENTION_REASONS, type OpenMatter } from "../orders/attention.ts";
import { ORDER_STATUSES, PAYMENT_STATUSES } from "../orders/schema.ts";
import type { ShopOrder } from "../orders/to-order.ts";
import { CaseMailView } from "./case-mail.ts";

const reasons = Object.keys(ATTENTION_REASONS) as AttentionReason[];
/** What is otherwise of an order that the customer collects. */
const COLLECTED = ["pending_pickup", "processing_pickup", "completed_pickup"] as const;
const VAT_CHECKS = ["named", "unnamed", "invalid", "unavailable", "unchecked"] as const;

/** What the Liquid of a mail about an order can use (site/content-schema/mail.ts has the editors' names for it). */
export const MailView = Type.Object({
  ...OrderView.properties,
  /** The keys of two sentences for the shop: on the order and on its payment. */
  status: wordOf("order.status", [...ORDER_STATUSES, ...COLLECTED]),
  payment_status: wordOf("order.payment_status", PAYMENT_STATUSES),
  /** What a person at the shop must look at; none in mails to the customer. */
  matters: Type.Array(
    Type.Object({
      sentence: wordOf("order.attention", [...reasons, "none"]),
      /** Null where it isn't about money. */
      amount: nullable(Type.String()),
      currency: nullable(Type.String()),
    }),
  ),
  /** The key of a sentence for the shop on the buyer's VAT number, with whose it is; null without one. */
  vat_check: nullable(Type.Object({ message: wordOf("order.vat_check", VAT_CHECKS), trader: Type.String() })),
  /** The customer's note; a mail has no line breaks but our own. */
  note_lines: Type.Array(Type.String()),
  link: Type.String(),
  /** The address of the order's page for those who work in the shop. */
  shop_page: Type.String(),
  /** Of a verification; "" in other mails. */
  code: Type.String(),
  /** What the mail is about; null in other mails. */
  document: nullable(DocumentView),
});

interface WrittenMail {
  subject: string;
  text: string;
  html: string;
}

/** Writes a mail from its view. Throws without its template. */
export type WriteMail = (kind: MailKind, view: object) => WrittenMail;

interface GivenToMail {
  link: string;
  code: string;
  matters?: readonly OpenMatter[] | undefined;
  invoice?: ShopOrder["invoices"][number] | undefined;
}

/**
 * The view of a mail about an order as it is now. `link` opens the order; "" in a mail to the shop. In a mail to the
 * customer the buyer's name is empty until the shop knows more of them than what they typed: else a stranger could have
 * the shop write "Hello Your parcel is held: https://…" to anybody.
 */
export function viewOrderMail(
  order: ShopOrder,
  shop: ShopFacts,
  { invoice, ...given }: GivenToMail,
): Static<typeof MailView> {
  const view = viewOrder(order, shop);
  const isNamed = given.link === "" || isPaidOrAccepted(order);
  return {
    ...view,
    buyer: view.buyer && { ...view.buyer, name: isNamed ? view.buyer.name : "" },
    status: `order.status.${nameStatus(order)}`,
    payment_status: `order.payment_status.${order.payment_status}`,
    vat_check: viewVatCheck(order),
    note_lines: order.note?.split(/\r?\n/) ?? [],
    // Where /admin is at another origin, this leads there, to where one signs in first.
    shop_page: `${shop.base_url}/admin/orders/${order.number}`,
    ...given,
    matters: given.matters ? viewMatters(given.matters) : [],
    document: invoice ? viewDocument(order.number, invoice) : null,
  };
}

function nameStatus(order: ShopOrder): ShopOrder["status"] | (typeof COLLECTED)[number] {
  const collected = COLLECTED.find((word) => word === `${order.status}_pickup`);
  return isCollected(order) && collected !== undefined ? collected : order.status;
}

/** An order of 0.00 is paid without anybody's doing. */
const isPaidOrAccepted = ({ status, paid_at, totals }: ShopOrder) =>
  parseMoney(totals.total) > 0n && (paid_at !== null || status === "processing" || status === "completed");

const viewMatters = (matters: readonly OpenMatter[]): Static<typeof MailView>["matters"] =>
  matters.length > 0
    ? matters.map(({ reason, amount, currency }) => ({ sentence: `order.attention.${reason}`, amount, currency }))
    : [{ sentence: "order.attention.none", amount: null, currency: null }];

function viewVatCheck({ buyer, vat_check }: ShopOrder): Static<typeof MailView>["vat_check"] {
  if (!buyer?.vat_id) return null;
  const trader = [vat_check?.trader_name, vat_check?.trader_address].filter(Boolean).join(", ");
  const result = vat_check?.result ?? "unchecked";
  return { message: `order.vat_check.${result !== "valid" ? result : trader === "" ? "unnamed" : "named"}`, trader };
}

/**
 * Follows the mails of the site's builds. Mails that don't fit this release, or no mails any more, leave the last ones
 * in use.
 */
export function openMails(builds: Builds, log: BuildLog): OfBuild<WriteMail> {
  let hadMails = false;
  const make = async (read: Read) => {
    const folder = await readSessionFolder(read);
    const paths = [...folder.files.keys()].filter((path) => path.startsWith("mails/"));
    if (hadMails && paths.length === 0)
      throw new Error(
        "The site was built without content/mails/, which orders that are still open need. Put it back, or restart the API and the workers once there are none.",
      );
    const write = makeWriter(folder, paths);
    hadMails = paths.length > 0;
    return write;
  };
  return followBuilds({ builds, make, name: "mails", log });
}

const PARTS = ["subject", "text", "html"] as const;

function makeWriter({ manifest, files, shop: words }: SessionFolder, paths: readonly string[]): WriteMail {
  // The manifest of an earlier release doesn't say what its mails use.
  const templates = {
    ...Object.fromEntries(paths.map((path) => [nameOf(path), { variables: [] }])),
    ...manifest.templates,
  };
  const kinds = MAIL_KINDS.filter((kind) => kind !== READY_MAIL || hasReadyMail(paths));
  // A shop that takes no orders has no mails.
  if (paths.length > 0) requireFit("The mails", templates, words, kinds.flatMap(partsOf));
  const [plain, escaping] = [makeLiquid(words, {}, "plain"), makeLiquid(words)];
  const parsed = new Map(
    paths.map((path) => {
      const liquid = path.endsWith(".html.liquid") ? escaping : plain;
      const templates = parseFitting("The mails", liquid, files.get(path) ?? "", path);
      return [nameOf(path), { liquid, templates }] as const;
    }),
  );
  return (asked, given) => {
    const view = withoutControls(given);
    const kind = asked === READY_MAIL && !hasReadyMail(paths) ? "sent" : asked;
    const render = (part: (typeof PARTS)[number]): string => {
      const mail = parsed.get(`mails/${kind}.${part}`);
      if (!mail) throw new Error(`The site was built without content/mails/${kind}.md.`);
      return mail.liquid.renderSync(mail.templates, view);
    };
    const text = render("text");
    return {
      subject: render("subject"),
      text: `${text.replaceAll(/\n{3,}/g, "\n\n").trim()}\n`,
      html: render("html"),
    };
  };
}

const hasReadyMail = (paths: readonly string[]) => paths.some((path) => path.startsWith(`mails/${READY_MAIL}.`));

const nameOf = (path: string) => path.replace(/\.liquid$/, "");

const partsOf = (kind: MailKind) =>
  PARTS.map((part) => ({
    template: `mails/${kind}.${part}`,
    view: kind === "shop_case" ? CaseMailView : MailView,
  }));

/** Line breaks and other control characters in a name could look like our own lines. */
function withoutControls<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_name, each: unknown) =>
    typeof each === "string" ? each.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ") : each,
  );
}
