import { wordsFor } from "../words.ts";
import { html } from "./html.ts";
import { renderPage } from "./page.ts";
import { renderSignInForm } from "./sign-in-form.ts";

interface Shop {
  name: string;
  /** A BCP 47 tag. */
  locale: string;
}

/**
 * The pages that open without being signed in, by the last part of their addresses. A build writes them into `.session/admin/`,
 * because they are needed before there is a session, and where no content repository is. `signed-out` answers a form whose session
 * has ended, where admin.js (site/public/admin/) didn't ask first.
 */
export function signInPages({ name, locale }: Shop): Map<"sign-in" | "enrol" | "signed-out", string> {
  const words = wordsFor(locale);
  const render = (page: "sign_in" | "enrol") => {
    const { title, intro, help } = words[page];
    const main = html`<p class="muted">${name}</p>
<p>${intro}</p>
${renderSignInForm(words, page)}
<p class="muted">${help}</p>`;
    const head = html`<script type="module" src="/admin/sign-in.js"></script>
`;
    return renderPage({ words, title, place: "signed out", head, main, width: "narrow" });
  };
  const { title, not_sent, sign_in, send_again } = words.signed_out;
  const main = html`<p>${not_sent}</p>
<p><a class="button" href="/admin/sign-in" target="_blank">${sign_in}</a></p>
<p>${send_again}</p>`;
  return new Map([
    ["sign-in", render("sign_in")],
    ["enrol", render("enrol")],
    ["signed-out", renderPage({ words, title, place: "signed out", main, width: "narrow" })],
  ]);
}
