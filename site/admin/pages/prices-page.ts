import { AVAILABILITIES } from "../../../api/contract/availability.ts";
import { displayMoney, readAmount } from "../../../api/contract/money.ts";
import { type Money, type OwnedColumn, sayUnclear } from "../content/typed.ts";
import { type Html, html } from "../frame/html.ts";
import { renderPage } from "../frame/page.ts";
import type { PriceTable, ReadPrices, Row } from "../publication/prices.ts";
import type { AdminWords } from "../words.ts";
import { renderProblems } from "./problems.ts";

export interface PricesView {
  words: AdminWords;
  categories: readonly { slug: string; title: string }[];
  category: string;
  table: PriceTable;
  /** In which the prices are; undefined while store.yaml can't be read. */
  money: Money | undefined;
  /** The columns that can't be changed here. */
  owned: readonly OwnedColumn[];
  /** What the editor has entered and wasn't saved, by the field's name. */
  entered?: ReadonlyMap<string, string>;
  /** What is meant by the prices that were entered, if that isn't saved before the editor has seen it. */
  read?: ReadPrices;
  /** How the last save ended, with what the check says of what was saved. */
  notice?: { kind: "good" | "wait" | "bad"; text: string; problems?: readonly string[] };
}

/** Begins the name of what is chosen of a price's two readings, before that price's. */
const MEANT = "meant:";

/** What was entered into a table: its fields by their names, and what was chosen in place of what was typed. */
export function readEntered(form: URLSearchParams): Map<string, string> {
  const entered = new Map(form);
  for (const [name, value] of form) if (name.startsWith(MEANT)) entered.set(name.slice(MEANT.length), value);
  return entered;
}

/** The page at /admin/prices: price, availability and day of every version of a category, in one table. */
export function renderPrices(view: PricesView): string {
  const { words, categories, category, table, owned, read, notice } = view;
  const { prices } = words;
  const options = categories.map(
    ({ slug, title }) =>
      html`<option value="${slug}"${slug === category ? html` selected` : undefined}>${title}</option>`,
  );
  const main = html`${notice && renderNotice(words, notice)}${read && renderReview(view, read)}
<form method="get" action="/admin/prices">
<p class="actions"><label for="category">${prices.category}</label>
<select name="category" id="category">${options}</select>
<button type="submit" class="secondary">${prices.show}</button></p>
</form>
${owned.map(
  (column) => html`<p class="hint">${prices.owned[column]}</p>
`,
)}${table.rows.length === 0 ? html`<p>${prices.nothing}</p>` : renderTable(view)}
`;
  const head = html`<script type="module" src="/admin/prices.js"></script>
`;
  return renderPage({ words, title: words.parts.prices.name, place: "prices", head, main, width: "wide" });
}

/** What will be stored for the prices that were typed in another way, or why a price isn't clear, each with its field. */
function renderReview({ words, table, entered, money }: PricesView, { stored, unclear }: ReadPrices): Html {
  const { prices } = words;
  const shown = unclear.size > 0 ? unclear : stored;
  const items = table.rows.flatMap((row, index) => {
    const name = `price:${row.key}`;
    const typed = entered?.get(name) ?? "";
    if (!shown.has(name) || money === undefined) return [];
    return html`<li><a href="#price-${index}">${row.title}, ${row.version}</a>: ${sayReading(words, typed, money)}</li>
`;
  });
  return html`<div class="notice ${unclear.size > 0 ? "bad" : "wait"}" role="status"><p>${unclear.size > 0 ? prices.unclear : prices.review}</p>
<ul>
${items}</ul></div>`;
}

/** What will be stored for a typed price, in the shop's format; or why that isn't clear. */
function sayReading(words: AdminWords, typed: string, money: Money): string {
  const [amount, another] = readAmount(typed, money.currency);
  return amount === undefined || another !== undefined
    ? sayUnclear(words, words.cms.fields.price, typed, money)
    : displayMoney(amount, money.currency, money.locale);
}

/** What stands below a price's field: what will be stored, or why that isn't clear, with what it may be to choose from. */
export function renderReading(words: AdminWords, name: string, typed: string, money: Money): Html {
  const amounts = readAmount(typed, money.currency);
  const text = sayReading(words, typed, money);
  if (amounts.length === 1) return html`<span class="hint">${text}</span>`;
  const choices = amounts.map(
    (amount) =>
      html` <label><input type="radio" name="${MEANT}${name}" value="${amount}">${displayMoney(amount, money.currency, money.locale)}</label>`,
  );
  return html`<p class="error">${text}</p>${choices}`;
}

function renderNotice(words: AdminWords, { kind, text, problems = [] }: NonNullable<PricesView["notice"]>): Html {
  const list = html`<p>${words.publish.check}:</p>\n${renderProblems(words, problems)}`;
  return html`<div class="notice ${kind}" role="status"><p>${text}</p>${problems.length > 0 ? list : undefined}</div>`;
}

function renderTable(view: PricesView): Html {
  const { words, category, table } = view;
  const { rows, bases } = table;
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
${hidden}<section class="scroll prices" aria-label="${words.parts.prices.name}" tabindex="0"><table>
<thead><tr>${head.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>
${rows.map((row, index) => renderRow(view, row, index))}</tbody>
</table></section>
<p class="bar"><button type="submit">${prices.save}</button> <span class="muted">${prices.save_hint}</span></p>
</form>
`;
}

function renderRow({ words, entered, read, money, owned }: PricesView, row: Row, index: number): Html {
  const { cms } = words;
  const nameOf = (field: keyof Row["values"]) => `${field}:${row.key}`;
  const shownValue = (field: keyof Row["values"]) => entered?.get(nameOf(field)) ?? row.values[field];
  const label = (field: keyof Row["values"]) => `${cms.fields[field]}: ${row.title}, ${row.version}`;
  const current = shownValue("availability");
  const day = shownValue("available_from");
  const nameAvailability = (value: string) => (cms.choices as Record<string, string>)[value] ?? value;
  const options = [...new Set(["", ...AVAILABILITIES, current])].map(
    (value) =>
      html`<option value="${value}"${value === current ? html` selected` : undefined}>${nameAvailability(value)}</option>`,
  );
  const price = nameOf("price");
  const isUnclear = read?.unclear.has(price);
  const isRead = money !== undefined && (isUnclear || read?.stored.has(price));
  const reading = isRead ? renderReading(words, price, shownValue("price"), money) : undefined;
  const priceInput = html`<input type="text" id="price-${index}" name="${price}" value="${shownValue("price")}" inputmode="decimal" size="9" class="number" aria-label="${label("price")}" aria-describedby="reading-${index}"${isUnclear ? html` aria-invalid="true"` : undefined}><div id="reading-${index}" aria-live="polite">${reading}</div>`;
  const choice = html`<select name="${nameOf("availability")}" aria-label="${label("availability")}">${options}</select>`;
  return html`<tr><th scope="row">${row.title}</th><td>${row.version}</td>
<td data-name="${cms.fields.price}">${owned.includes("price") ? row.values.price : priceInput}</td>
<td data-name="${cms.fields.availability}">${owned.includes("availability") ? nameAvailability(row.values.availability) : choice}</td>
<td data-name="${cms.fields.available_from}"><input name="${nameOf("available_from")}" value="${day}"${/^(?:\d{4}-\d\d-\d\d)?$/.test(day) ? html` type="date"` : html` type="text"`} aria-label="${label("available_from")}"></td></tr>
`;
}
