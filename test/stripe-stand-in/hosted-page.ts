import { escapeHtml } from "../../api/contract/escape-html.ts";
import type { SessionAnswer, StripeAccount } from "./account.ts";

const page = (title: string, main: string) => `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<main><h1>${title}</h1>${main}</main></html>
`;

/** The page on which the customer pays, without a script. `note` says what went wrong before. */
export function showPage(
  { url, client_reference_id, amount_total, currency, ...session }: SessionAnswer,
  note = "",
): string {
  if (url === null)
    return page(
      session.status === "expired" ? "This page has expired" : "This has been paid already",
      `<p><a href="${escapeHtml(session.success_url ?? "")}">Back to the shop</a></p>`,
    );
  const button = (action: string, label: string) => `<button name="action" value="${action}">${label}</button>`;
  return page(
    `Pay ${escapeHtml(client_reference_id ?? "")}`,
    `<p role="status">${note}</p>
<p>${amount_total} ${escapeHtml(currency ?? "")} in minor units, for ${escapeHtml(session.customer_email ?? "")}</p>
<form method="post">${button("pay", "Pay")} ${button("decline", "Pay with a card that is declined")} ${button("debit", "Pay by bank debit")} ${button("back", "Back to the shop")}</form>`,
  );
}

/** Does what the customer chose: where the browser goes next, or the page that it shows again. */
export function usePage(
  account: StripeAccount,
  id: string,
  action: string | null,
): { location: string } | { html: string } {
  const session = account.session(id);
  if (session.status !== "open") return { html: showPage(session) };
  const success = (session.success_url ?? "").replaceAll("{CHECKOUT_SESSION_ID}", id);
  if (action === "back") return { location: session.cancel_url ?? "" };
  if (action === "pay") account.pay(id);
  else if (action === "debit") account.startDebit(id);
  else {
    account.decline(id);
    return { html: showPage(account.session(id), "Your card was declined.") };
  }
  return { location: success };
}
