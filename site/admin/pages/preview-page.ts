import { html } from "../frame/html.ts";
import { renderPage } from "../frame/page.ts";
import type { Preview } from "../publication/preview.ts";
import type { AdminWords } from "../words.ts";

/** The page at /admin/preview/<path>: a page of the drafts in both faces, the HTML in a frame of its own. */
export function renderPreview(words: AdminWords, pathname: string, { markdown }: Preview): string {
  const { preview } = words;
  // Of the same origin, because the session is sent for nothing else; without scripts, the page can do nothing with it.
  const main = html`<p class="muted">${preview.hint}</p>
<div class="faces">
<section><h2 id="html">HTML</h2>
<iframe src="/admin/preview-face${pathname}" sandbox="allow-same-origin" title="${preview.frame({ path: pathname })}"></iframe></section>
<section><h2 id="markdown">Markdown</h2>
<pre class="difference">${markdown}</pre></section>
</div>
`;
  return renderPage({ words, title: preview.title({ path: pathname }), place: "publish", main, width: "wide" });
}

/** The page of one that can't be shown, with the reason. */
export function renderUnrenderable(words: AdminWords, pathname: string, reason: string): string {
  const { preview } = words;
  const main = html`<div class="notice bad" role="alert"><p>${preview.failed}</p>
${reason && html`<pre class="difference">${reason}</pre>`}</div>
`;
  return renderPage({ words, title: preview.title({ path: pathname }), place: "publish", main });
}
