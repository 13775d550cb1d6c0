import type { AdminWords } from "../words.ts";
import { type Html, html } from "./html.ts";

/**
 * The one button that asks for a passkey, and every message that sign-in.js (site/public/admin/) may show, so that the script has
 * no words.
 */
export function renderSignInForm(words: AdminWords, page: "sign_in" | "enrol"): Html {
  const { no_script, ...messages } = words.sign_in_messages;
  const lines = Object.entries(messages).map(
    ([name, text]) => html`<p data-message="${name}" hidden>${text}</p>
`,
  );
  return html`<noscript><p class="notice bad">${no_script}</p></noscript>
<div class="notice" role="status" hidden>
${lines}</div>
<p><button type="button" data-action="${page}">${words[page].button}</button></p>`;
}
