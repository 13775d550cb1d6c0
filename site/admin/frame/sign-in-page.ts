import { wordsFor } from "../words.ts";
import { html } from "./html.ts";
import { renderPage } from "./page.ts";

interface Shop {
  name: string;
  /** A BCP 47 tag. */
  locale: string;
}

/**
 * The pages that open without being signed in, by the last part of their addresses. A build writes them into `.session/admin/`,
 * because they are needed before there is a session, and where no content repository is. Each has one button and every message
 * that sign-in.js (site/public/admin/) may show, so that the script has no words.
 */
export function signInPages({ name, locale }: Shop): Map<"sign-in" | "enrol", string> {
  const words = wordsFor(locale);
  const { no_script, ...messages } = words.sign_in_messages;
  const lines = Object.entries(messages).map(
    ([name, text]) => html`<p data-message="${name}" hidden>${text}</p>
`,
  );
  const render = (page: "sign_in" | "enrol") => {
    const { title, intro, button, help } = words[page];
    const main = html`<p class="muted">${name}</p>
<p>${intro}</p>
<noscript><p class="notice bad">${no_script}</p></noscript>
<div class="notice" role="status" hidden>
${lines}</div>
<p><button type="button" data-action="${page}">${button}</button></p>
<p class="muted">${help}</p>`;
    const head = html`<script type="module" src="/admin/sign-in.js"></script>
`;
    return renderPage({ words, title, place: "signed out", head, main, width: "narrow" });
  };
  return new Map([
    ["sign-in", render("sign_in")],
    ["enrol", render("enrol")],
  ]);
}
