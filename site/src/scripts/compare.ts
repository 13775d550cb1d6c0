// The comparison in the browser: shows only the products in the address (`?p=…&p=…`), at most four, and marks the differences.
// Without the script, or with fewer than two products, all of the page are shown.
import { fetchOtherPages } from "./other-pages.ts";
import { readWords, say } from "./page-words.ts";

const words = readWords<"comparison">();

const maxProducts = 4;

const table = document.querySelector<HTMLTableElement>(".comparison table");
const report = document.querySelector<HTMLElement>("#comparison-status");

async function start(table: HTMLTableElement, report: HTMLElement): Promise<void> {
  const asked = [...new Set(new URLSearchParams(location.search).getAll("p"))].filter((slug) => slug !== "");
  const isMissing = (slug: string) => !slugsOf(table).includes(slug);
  // Without them the products are reported as missing.
  if (asked.some(isMissing)) await addColumns(table, asked.filter(isMissing)).catch(() => undefined);
  const slugs = slugsOf(table);
  const chosen = asked.filter((slug) => slugs.includes(slug)).slice(0, maxProducts);
  const missing = asked.filter(isMissing);
  if (missing.length > 0) report.append(describeMissing(missing), " ");
  if (chosen.length < 2) {
    if (asked.length > 0) report.append(words.chooseMore);
    return;
  }
  table.parentElement?.classList.add("chosen");
  for (const row of table.rows) showColumns(row, slugs, chosen);
  const rows = [...table.querySelectorAll<HTMLTableRowElement>("tbody:last-child > tr:not(.each)")];
  const differing = rows.filter((row) => differs(row, slugs, chosen));
  for (const row of differing) markDifference(row);
  const values = { count: differing.length, products: chosen.length, rows: rows.length };
  report.append(say(words.differences, values), " ", onlyDifferences(rows, differing));
  for (const slug of chosen) addRemoval(table, slug, chosen);
}

/** The products of the columns; the first column has the rows' names. */
const slugsOf = (table: HTMLTableElement): string[] =>
  [...(table.rows[0]?.cells ?? [])].map((cell) => cell.dataset["product"] ?? "");

/** Adds the columns of products on the comparison's other pages, whose tables have the same rows. */
async function addColumns(table: HTMLTableElement, wanted: readonly string[]): Promise<void> {
  for (const page of (await fetchOtherPages(table)).flat()) {
    const other = page.querySelector<HTMLTableElement>(".comparison table");
    if (!other) continue;
    const columns = [...slugsOf(other).entries()].filter(([, slug]) => wanted.includes(slug));
    for (const [index, row] of [...table.rows].entries())
      row.append(...columns.flatMap(([column]) => other.rows[index]?.cells[column]?.cloneNode(true) ?? []));
  }
}

function showColumns(row: HTMLTableRowElement, slugs: readonly string[], chosen: readonly string[]): void {
  for (const [index, cell] of [...row.cells].entries()) cell.hidden = index > 0 && !chosen.includes(slugs[index] ?? "");
}

function differs(row: HTMLTableRowElement, slugs: readonly string[], chosen: readonly string[]): boolean {
  const texts = chosen.map((slug) => shownIn(row.cells[slugs.indexOf(slug)]));
  return new Set(texts).size > 1;
}

/** A cell's text without what only the Markdown shows. */
const shownIn = (cell: HTMLTableCellElement | undefined): string | undefined =>
  cell?.textContent.replace(cell.querySelector(".each")?.textContent ?? "", "").trim();

/** Marks a row by a sign and by weight, not by colour alone. */
function markDifference(row: HTMLTableRowElement): void {
  row.classList.add("differs");
  const mark = document.createElement("span");
  mark.className = "difference";
  mark.textContent = " ≠";
  mark.role = "img";
  mark.ariaLabel = words.differs;
  row.cells[0]?.append(mark);
}

/** Keeps the semantics of a table on narrow screens, where CSS lays its rows out as blocks. */
function keepRoles(table: HTMLTableElement): void {
  table.role = "table";
  for (const part of table.querySelectorAll("thead, tbody")) part.role = "rowgroup";
  for (const row of table.rows) row.role = "row";
  for (const cell of table.querySelectorAll<HTMLTableCellElement>("th, td"))
    cell.role = cell.tagName === "TD" ? "cell" : cell.scope === "row" ? "rowheader" : "columnheader";
}

function describeMissing(slugs: readonly string[]): string {
  const names = slugs.map((name) => say(words.quoted, { name }));
  return say(words.missing, { names: new Intl.ListFormat(document.documentElement.lang).format(names) });
}

function onlyDifferences(rows: readonly HTMLTableRowElement[], differing: readonly HTMLTableRowElement[]): HTMLElement {
  const label = document.createElement("label");
  const box = document.createElement("input");
  box.type = "checkbox";
  box.addEventListener("change", () => {
    for (const row of rows) row.hidden = box.checked && !differing.includes(row);
  });
  label.className = "chip";
  label.append(box, words.onlyDifferences);
  return label;
}

/** Keeps the head in view while the page scrolls: CSS can't in a region that scrolls sideways. */
function keepHeadInView(table: HTMLTableElement): void {
  const head = table.tHead;
  if (!head || table.parentElement?.matches(".chosen")) return;
  const move = () => {
    const { top, height } = table.getBoundingClientRect();
    const passed = Math.min(Math.max(-top, 0), Math.max(height - 2 * head.offsetHeight, 0));
    head.style.setProperty("--passed", `${passed}px`);
  };
  addEventListener("scroll", move, { passive: true });
  move();
}

/** Adds a link that removes a product from the comparison, if more than two are shown. */
function addRemoval(table: HTMLTableElement, slug: string, chosen: readonly string[]): void {
  if (chosen.length < 3) return;
  const cell = [...(table.rows[0]?.cells ?? [])].find((cell) => cell.dataset["product"] === slug);
  const link = document.createElement("a");
  link.href = `?${new URLSearchParams(chosen.filter((other) => other !== slug).map((other) => ["p", other]))}`;
  link.className = "remove";
  link.textContent = words.remove;
  link.ariaLabel = say(words.removeProduct, { product: cell?.textContent?.trim() ?? "" });
  cell?.append(link);
}

if (table && report) await start(table, report);
if (table) keepRoles(table);
if (table) keepHeadInView(table);
