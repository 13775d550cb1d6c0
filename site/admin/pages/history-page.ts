import { html } from "../frame/html.ts";
import { renderPage } from "../frame/page.ts";
import type { ChangedFile } from "../publication/changes.ts";
import type { Line } from "../publication/differences.ts";
import type { Publication } from "../publication/history.ts";
import type { AdminWords } from "../words.ts";
import { nameOf } from "./problems.ts";
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

/** The page of one publication: its differences, and the way to take it, or one file of it, back. */
export function renderPublication(
  words: AdminWords,
  { id, author, day, subject }: Publication,
  files: readonly ChangedFile[],
  differences: ReadonlyMap<string, readonly Line[]>,
): string {
  const { history } = words;
  const items = files.map(
    ({ path }) => html`<li>${nameOf(path)}
${renderDifference(words, differences.get(path) ?? [])}
<button type="submit" class="danger" form="revert" name="path" value="${path}" aria-label="${history.revert_file}: ${nameOf(path)}">${history.revert_file}</button></li>
`,
  );
  const all = html`<button type="submit" class="danger" form="revert">${history.revert}</button>
`;
  const main = html`<p class="muted">${author}, ${day}</p>
<p>${history.revert_hint}</p>
<form method="post" action="/admin/history/${id}/revert" id="revert"></form>
<ul class="choices">
${items}</ul>
${files.length > 1 ? all : undefined}`;
  return renderPage({ words, title: subject, place: "history", main });
}
