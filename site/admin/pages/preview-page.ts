import { html } from "../frame/html.ts";
import { renderPage } from "../frame/page.ts";
import type { Preview } from "../publication/preview.ts";
import type { AdminWords } from "../words.ts";
import { nameOf, renderProblems } from "./problems.ts";

/** The page at /admin/preview/<path>: a page of the drafts in both faces, the HTML in a frame of its own. */
export function renderPreview(words: AdminWords, pathname: string, { markdown, leftOut }: Preview): string {
  const { preview } = words;
  // Of the same origin, because the session is sent for nothing else; without scripts, the page can do nothing with it.
  const others = html`<div class="notice wait"><p>${preview.left_out}</p>
<ul>${leftOut.map((path) => html`<li>${nameOf(path)}</li>`)}</ul></div>
`;
  const main = html`<p class="muted">${preview.hint}</p>
${leftOut.length > 0 ? others : undefined}<div class="faces">
<section><h2 id="html">HTML</h2>
<iframe src="/admin/preview-face${pathname}" sandbox="allow-same-origin" title="${preview.frame({ path: pathname })}"></iframe></section>
<section><h2 id="markdown">Markdown</h2>
<pre class="difference">${markdown}</pre></section>
</div>
`;
  return renderPage({ words, title: preview.title({ path: pathname }), place: "publish", main, width: "wide" });
}

/** The page of one that can't be shown: because of mistakes, or for a reason that the log tells under the reference. */
export function renderUnrenderable(
  words: AdminWords,
  pathname: string,
  why: { mistakes: readonly string[] } | { reference: string },
): string {
  const { preview, problems } = words;
  const reason =
    "mistakes" in why
      ? html`<p>${preview.mistakes}</p>
${renderProblems(words, why.mistakes)}`
      : html`<p>${preview.failed} ${problems.reference(why)}</p>`;
  const main = html`<div class="notice bad" role="alert">${reason}</div>
`;
  return renderPage({ words, title: preview.title({ path: pathname }), place: "publish", main });
}
