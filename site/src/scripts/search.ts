import { fill } from "../words/grammar.ts";
import { plural, readWords } from "./page-words.ts";
import { correctSpelling, squeeze } from "./spelling.ts";

/** The parts of a Pagefind result that are shown. */
interface Result {
  url: string;
  /** HTML: escaped text with `<mark>`. */
  excerpt: string;
  /** `versions` are a product's variants, separated by ` | `. */
  meta: { title: string; summary?: string; price?: string; versions?: string };
}

interface Pagefind {
  search: (query: string) => Promise<{ results: { data: () => Promise<Result> }[] }>;
}

let loading: Promise<Pagefind> | undefined;

/** Loads Pagefind (60 kB) on the first search; a failed attempt can be repeated. */
function loadIndex(): Promise<Pagefind> {
  // In a variable, because Vite would look for a file that is built later.
  const path = "/pagefind/pagefind.js";
  loading ??= import(/* @vite-ignore */ path).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

// /search in the browser: searches while you type. Without it the page lists everything.

const shown = 20;
const nothing = { results: [], count: 0, asked: "" };

const words = readWords<"search">();

const input = document.querySelector<HTMLInputElement>("#query");
const status = document.querySelector<HTMLElement>("#search-status");
const list = document.querySelector<HTMLElement>("#search-results");
const template = document.querySelector<HTMLTemplateElement>("#search-result");
const index = document.querySelector<HTMLElement>(".index");

function start(
  input: HTMLInputElement,
  status: HTMLElement,
  list: HTMLElement,
  template: HTMLTemplateElement,
  index: HTMLElement,
): void {
  let latest = 0;

  /** Shows the results for the field, unless more is typed within `delayMs` or while they are loading. */
  async function search(delayMs: number): Promise<void> {
    const turn = ++latest;
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    if (turn !== latest) return;
    const query = input.value.trim().replace(/\s+/g, " ");
    history.replaceState(null, "", query === "" ? location.pathname : `?${new URLSearchParams({ q: query })}`);
    try {
      const { results, count, asked } = query === "" ? nothing : await find(query);
      if (turn === latest) show(query, asked, count, results);
    } catch {
      status.textContent = words.failed;
    }
  }

  function show(query: string, asked: string, count: number, results: readonly Result[]): void {
    list.replaceChildren(
      ...results.map((result) => fillCard(document.importNode(template.content, true), result, asked)),
    );
    index.hidden = count > 0;
    status.textContent = describe(query, asked, count);
  }

  /** Moves the focus with the arrow keys between the field and the results. */
  function moveFocus(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const stops = [input, ...list.querySelectorAll("a")];
    const place = stops.findIndex((stop) => stop.matches(":focus"));
    if (step === undefined || place === -1) return;
    event.preventDefault();
    stops[Math.max(0, Math.min(place + step, stops.length - 1))]?.focus();
  }

  input.value = new URLSearchParams(location.search).get("q") ?? "";
  input.addEventListener("focus", () => void loadIndex().catch(() => undefined), { once: true });
  input.addEventListener("input", () => void search(250));
  input.form?.addEventListener("submit", (event) => {
    event.preventDefault();
    void search(0).then(() => list.querySelector("a")?.focus());
  });
  document.addEventListener("keydown", moveFocus);
  status.textContent = describe("", "", 0);
  if (input.value !== "") void search(0);
}

/** The best results for the query with corrected spelling. */
async function find(query: string): Promise<{ results: Result[]; count: number; asked: string }> {
  const [pagefind, asked] = await Promise.all([loadIndex(), correctSpelling(query, new RegExp(words.endings))]);
  if (asked === "") return nothing;
  const { results } = await pagefind.search(asked);
  const best = await Promise.all(results.slice(0, shown).map((result) => result.data()));
  return { results: best, count: results.length, asked };
}

function describe(query: string, asked: string, count: number): string {
  if (query === "") return words.start;
  if (count === 0) return fill(words.nothing, { query });
  const found = plural(count, count > shown ? words.best : words.found, { query: asked, shown });
  return asked === query ? found : `${fill(words.corrected, { query })} ${found}`;
}

function fillCard(card: DocumentFragment, { url, excerpt, meta }: Result, asked: string): DocumentFragment {
  const [link, summary, price] = ["a", ".card-summary", ".price"].map((selector) => card.querySelector(selector));
  if (link instanceof HTMLAnchorElement) Object.assign(link, { href: url, textContent: meta.title });
  const version = soleVersion(meta.versions, asked);
  if (summary && meta.summary && (version || !excerpt.includes("<mark>"))) summary.textContent = meta.summary;
  // Pagefind escapes the text and adds only <mark>.
  else if (summary) summary.innerHTML = excerpt;
  if (price) price.textContent = version ?? meta.price ?? "";
  return card;
}

/** The variant that matches the query, such as a SKU or GTIN, if it is the only one. */
function soleVersion(versions = "", asked: string): string | undefined {
  const [found, ...others] = versions.split(" | ").filter((version) => squeeze(version).includes(squeeze(asked)));
  return others.length === 0 ? found : undefined;
}

if (input && status && list && template && index) start(input, status, list, template, index);
