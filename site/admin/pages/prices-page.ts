import { AVAILABILITIES } from "../../../api/contract/availability.ts";
import { type Html, html } from "../frame/html.ts";
import { renderPage } from "../frame/page.ts";
import type { PriceTable, Row } from "../publication/prices.ts";
import type { AdminWords } from "../words.ts";

export interface PricesView {
  words: AdminWords;
  categories: readonly { slug: string; title: string }[];
  category: string;
  table: PriceTable;
  /** What the editor has entered and couldn't be saved, by the field's name. */
  entered?: ReadonlyMap<string, string>;
  /** How the last save ended, with what the check says of what was saved. */
  notice?: { kind: "good" | "wait" | "bad"; text: string; problems?: readonly string[] };
}

/** The page at /admin/prices: price, availability and day of every version of a category, in one table. */
export function renderPrices({ words, categories, category, table, entered, notice }: PricesView): string {
  const { prices } = words;
  const options = categories.map(
    ({ slug, title }) =>
      html`<option value="${slug}"${slug === category ? html` selected` : undefined}>${title}</option>`,
  );
  const main = html`${notice && renderNotice(words, notice)}
<form method="get" action="/admin/prices">
<p class="actions"><label for="category">${prices.category}</label>
<select name="category" id="category">${options}</select>
<button type="submit" class="secondary">${prices.show}</button></p>
</form>
${table.rows.length === 0 ? html`<p>${prices.nothing}</p>` : renderTable(words, category, table, entered)}
`;
  return renderPage({ words, title: words.parts.prices.name, place: "prices", main, width: "wide" });
}

function renderNotice({ publish }: AdminWords, { kind, text, problems = [] }: NonNullable<PricesView["notice"]>): Html {
  const items = problems.map((problem) => html`<li>${problem}</li>\n`);
  const list = html`<p>${publish.check}:</p>\n<ul>\n${items}</ul>\n`;
  return html`<div class="notice ${kind}" role="status"><p>${text}</p>${problems.length > 0 ? list : undefined}</div>`;
}

function renderTable(
  words: AdminWords,
  category: string,
  { rows, bases }: PriceTable,
  entered: ReadonlyMap<string, string> | undefined,
): Html {
  const { prices, cms } = words;
  const named = new Set(rows.map(({ path }) => path));
  const hidden = [...bases]
    .filter(([path]) => named.has(path))
    .map(
      ([path, id]) => html`<input type="hidden" name="base:${path}" value="${id}">
`,
    );
  const head = [prices.product, prices.version, cms.fields.price, cms.fields.availability, cms.fields.available_from];
  return html`<form method="post" action="/admin/prices?category=${encodeURIComponent(category)}">
${hidden}<section class="scroll" aria-label="${words.parts.prices.name}" tabindex="0"><table>
<thead><tr>${head.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>
${rows.map((row) => renderRow(words, row, entered))}</tbody>
</table></section>
<p class="bar"><button type="submit">${prices.save}</button> <span class="muted">${prices.save_hint}</span></p>
</form>
`;
}

function renderRow({ cms }: AdminWords, row: Row, entered: ReadonlyMap<string, string> | undefined): Html {
  const nameOf = (field: keyof Row["values"]) => `${field}:${row.key}`;
  const shownValue = (field: keyof Row["values"]) => entered?.get(nameOf(field)) ?? row.values[field];
  const label = (field: keyof Row["values"]) => `${cms.fields[field]}: ${row.title}, ${row.version}`;
  const current = shownValue("availability");
  const day = shownValue("available_from");
  const options = [...new Set(["", ...AVAILABILITIES, current])].map((value) => {
    const text = (cms.choices as Record<string, string>)[value] ?? value;
    return html`<option value="${value}"${value === current ? html` selected` : undefined}>${text}</option>`;
  });
  return html`<tr><th scope="row">${row.title}</th><td>${row.version}</td>
<td><input type="text" name="${nameOf("price")}" value="${shownValue("price")}" inputmode="decimal" size="9" class="number" aria-label="${label("price")}"></td>
<td><select name="${nameOf("availability")}" aria-label="${label("availability")}">${options}</select></td>
<td><input name="${nameOf("available_from")}" value="${day}"${/^(?:\d{4}-\d\d-\d\d)?$/.test(day) ? html` type="date"` : html` type="text"`} aria-label="${label("available_from")}"></td></tr>
`;
}
