import type { Chosen } from "./choose-version.ts";

/** A pill of a product's form, as VersionPicker.astro writes it, and what else it says. */
const PILL = /(<input type="radio" name="o([1-3])" id="o\d-(\d+)" value="([^"]*)")([^>]*)>/g;

/** The list of a product of so many combinations that CSS shows no line of it by the pills. */
const UNSEEN = '<ul class="unseen">';

/**
 * The HTML of a product's page in which the pills of these values are checked, and no others of their options; where its lines
 * aren't seen, with the version's. As it was, if it has no pill for one of them: a build of an earlier release, or one
 * from before the import.
 */
export function chooseInPage(html: string, chosen: Chosen): string {
  const places = new Map<string, string>();
  const changed = html.replace(
    PILL,
    (pill, start: string, option: string, place: string, value: string, rest: string) => {
      const wanted = chosen[Number(option) - 1];
      if (wanted === undefined) return pill;
      const isChosen = unescapeHtml(value) === wanted;
      if (isChosen) places.set(option, place);
      return `${start}${rest.replace(/ checked\b/, "")}${isChosen ? " checked" : ""}>`;
    },
  );
  if (places.size < chosen.filter((value) => value !== undefined).length) return html;
  return changed.replace(UNSEEN, (list) => `${showLine(changed, places)}${list}`);
}

/** The line of the version at these places of its options' values, in a list of its own. */
function showLine(html: string, places: ReadonlyMap<string, string>): string {
  const attributes = Array.from(places, ([option, place]) => ` data-o${option}="${place}"`).join("");
  const [line] = new RegExp(`<li${attributes}>.*?</li>`, "s").exec(html.slice(html.indexOf(UNSEEN))) ?? [];
  return line ? `<ul class="shown">${line}</ul>` : "";
}

/** The HTML of a product's page with a piece above its form, or its pills alone; as it was, if it has none. */
export const putAboveForm = (html: string, piece: string): string =>
  html.replace(/<(?:form|div) class="order"/, (form) => piece + form);

const CHARACTERS: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"' };

/** What an attribute's text says: Astro escapes by number. */
const unescapeHtml = (text: string) =>
  text.replace(/&(?:#(\d+)|(\w+));/g, (all, code: string | undefined, name: string | undefined) =>
    code === undefined ? (CHARACTERS[name ?? ""] ?? all) : String.fromCodePoint(Number(code)),
  );
