// A category's filters and sorting in the browser. styles/category/filter-rules.css hides products without a script; this adds
// counts, sorting, the address, and the products of the category's other pages.
import { fetchOtherPages, hasOtherPages } from "./other-pages.ts";
import { readWords, say } from "./page-words.ts";

const words = readWords<"category">();

const panel = document.querySelector<HTMLElement>(".catalogue");
const list = document.querySelector<HTMLElement>(".list");
const status = document.querySelector<HTMLElement>("#facets-status");
const none = document.querySelector<HTMLElement>(".none");
const pages = document.querySelector<HTMLElement>(".pagination");

function start(panel: HTMLElement, list: HTMLElement, status: HTMLElement): void {
  const boxes = [...panel.querySelectorAll<HTMLInputElement>(".facets input")];
  const own = cardsOf(document);
  const text = status.textContent;
  const select = panel.querySelector<HTMLSelectElement>(".sort select");
  const active = panel.querySelector(".filters-active");
  let choices = own;
  let isWhole = !hasOtherPages(list);
  let isLoading = false;

  function refresh(): void {
    const isActive = select?.value !== "" || boxes.some(({ checked }) => checked);
    if (isActive && !isWhole && !isLoading) void loadOthers();
    // The first that matches has the best offer, by whose price a product is sorted.
    const shown = new Map(
      (isActive ? choices : own).flatMap((choice) => {
        const version = versionsOf(choice).find((each) => matches(each, boxes));
        return version ? [[choice, version] as const] : [];
      }),
    );
    if (isWhole) for (const box of boxes) countFor(box, boxes, choices);
    const ticked = boxes.filter(({ checked }) => checked).length;
    if (active) active.textContent = ticked > 0 ? `(${ticked})` : "";
    status.textContent = !isActive ? text : isWhole ? describe(shown.size, choices.length) : words.loading;
    none?.toggleAttribute("hidden", shown.size > 0 || !isWhole);
    pages?.toggleAttribute("hidden", isActive && isWhole);
    for (const choice of choices) choice.hidden = !shown.has(choice);
    list.append(...sorted(choices, shown, select?.selectedOptions[0]?.dataset ?? {}));
    writeAddress(boxes, select);
  }

  /** Adds the products of the category's other pages, when a visitor first filters or sorts. */
  async function loadOthers(): Promise<void> {
    isLoading = true;
    try {
      const [before, after] = await fetchOtherPages(list);
      choices = [...before.flatMap(cardsOf), ...own, ...after.flatMap(cardsOf)];
      isWhole = true;
      list.append(...choices);
      list.dispatchEvent(new Event("change"));
      refresh();
    } catch {
      status.textContent = words.failed;
    }
    isLoading = false;
  }

  for (const box of boxes) box.name = box.dataset["group"] ?? "";
  readAddress(boxes, select);
  // What is ticked is seen, even among the folded filters.
  for (const box of boxes) if (box.checked) box.closest("details details")?.setAttribute("open", "");
  for (const part of panel.querySelectorAll(".facets, .sort")) part.addEventListener("change", refresh);
  function clear(): void {
    for (const box of boxes) box.checked = false;
    if (select) select.value = "";
    refresh();
  }
  panel.querySelector(".facets button")?.addEventListener("click", clear);
  none?.querySelector("button")?.addEventListener("click", () => {
    clear();
    // The button that had the focus is now hidden.
    list.querySelector("a")?.focus();
  });
  refresh();
}

const cardsOf = (page: Document): HTMLElement[] => [...page.querySelectorAll<HTMLElement>(".list > .card")];

/** The versions in a product's card that filters tell apart, the best offer first, or the product as a whole. */
function versionsOf(choice: HTMLElement): HTMLElement[] {
  const versions = [...choice.querySelectorAll<HTMLElement>("[data-facets]")];
  return versions.length > 0 ? versions : [choice];
}

const tokensOf = (version: HTMLElement) => (version.dataset["facets"] ?? "").split(" ");
const tokenOf = (box: HTMLInputElement) => box.dataset["facet"] ?? "";

/** True if a version has a ticked value in each group with ticked values, apart from the group `ignored`. */
function matches(version: HTMLElement, boxes: readonly HTMLInputElement[], ignored?: string): boolean {
  const tokens = tokensOf(version);
  const ticked = boxes.filter(({ checked, name }) => checked && name !== ignored);
  const names = new Set(ticked.map(({ name }) => name));
  return [...names].every((name) => ticked.some((box) => box.name === name && tokens.includes(tokenOf(box))));
}

/** Shows how many products a box would leave, and disables a box that would leave none. */
function countFor(box: HTMLInputElement, boxes: readonly HTMLInputElement[], choices: readonly HTMLElement[]): void {
  const left = choices.filter((choice) =>
    versionsOf(choice).some((each) => tokensOf(each).includes(tokenOf(box)) && matches(each, boxes, box.name)),
  );
  box.disabled = left.length === 0 && !box.checked;
  const [count, spoken] = box.parentElement?.querySelectorAll("span") ?? [];
  if (count) count.textContent = String(left.length);
  if (spoken) spoken.textContent = say(words.all, { count: left.length });
}

function describe(matching: number, all: number): string {
  if (matching === 0) return words.noMatch;
  return matching === all ? say(words.all, { count: all }) : say(words.matching, { count: all, matching });
}

/** In the order of the chosen option: by a place that cards and versions have, or the page's own order. */
function sorted(
  choices: readonly HTMLElement[],
  shown: ReadonlyMap<HTMLElement, HTMLElement>,
  { place, direction }: DOMStringMap,
): HTMLElement[] {
  if (place === undefined) return [...choices];
  // Of a card whose versions have the places it doesn't matter while it is hidden.
  const placeOf = (choice: HTMLElement) =>
    Number((shown.get(choice)?.dataset["places"] ?? "").split(" ")[Number(place)] ?? 0);
  return choices.toSorted((a, b) => Number(direction) * (placeOf(a) - placeOf(b)));
}

function readAddress(boxes: readonly HTMLInputElement[], select: HTMLSelectElement | null): void {
  const address = new URLSearchParams(location.search);
  for (const box of boxes) box.checked = address.getAll(box.name).includes(box.value);
  const order = address.get("sort") ?? "";
  if (select && [...select.options].some(({ value }) => value === order)) select.value = order;
}

function writeAddress(boxes: readonly HTMLInputElement[], select: HTMLSelectElement | null): void {
  const address = new URLSearchParams(boxes.filter(({ checked }) => checked).map(({ name, value }) => [name, value]));
  if (select?.value) address.append("sort", select.value);
  history.replaceState(null, "", address.size > 0 ? `?${address}` : location.pathname);
}

if (panel && list && status) start(panel, list, status);
