import { html } from "../frame/html.ts";
import { renderPage } from "../frame/page.ts";
import type { Line } from "../publication/differences.ts";
import type { Publication } from "../publication/history.ts";
import type { AdminWords } from "../words.ts";
import { renderDifference } from "./publish-page.ts";

/** The page at /admin/history: what was published, the newest first. */
export function renderHistory(words: AdminWords, publications: readonly Publication[]): string {
  const { history } = words;
  const items = publications.map(
    ({
      id,
      author,
      day,
      subject,
    }) => html`<li><a href="/admin/history/${id}">${subject}</a><br><span class="muted">${author}, ${day}</span></li>
`,
  );
  const main =
    items.length === 0
      ? html`<p>${history.nothing}</p>`
      : html`<ul class="choices">
${items}</ul>
`;
  return renderPage({ words, title: words.parts.history.name, place: "history", main });
}

/** The page of one publication: its differences, and the way to take it back. */
export function renderPublication(
  words: AdminWords,
  { id, author, day, subject }: Publication,
  differences: ReadonlyMap<string, readonly Line[]>,
): string {
  const { history } = words;
  const files = [...differences].map(
    ([path, lines]) => html`<li>${path.replace(/^content\//, "")}
${renderDifference(words, lines)}</li>
`,
  );
  const main = html`<p class="muted">${author}, ${day}</p>
<ul class="choices">
${files}</ul>
<form method="post" action="/admin/history/${id}/revert">
<p>${history.revert_hint}</p>
<button type="submit" class="danger">${history.revert}</button>
</form>
`;
  return renderPage({ words, title: subject, place: "history", main });
}
