import type { Chosen } from "./choose-version.ts";

/** A pill of a product's form, as site/src/components/product/ writes it, and what else it says. */
const PILL = /(<input type="radio" name="o([1-3])" id="[^"]*" value="([^"]*)")([^>]*)>/g;

/**
 * The HTML of a product's page in which the pills of these values are checked, and no others of their options. As it was, if
 * it has no pill for one of them: a build of an earlier release, or one from before the import.
 */
export function chooseInPage(html: string, chosen: Chosen): string {
  const found = new Set<string>();
  const changed = html.replace(PILL, (pill, start: string, option: string, value: string, rest: string) => {
    const wanted = chosen[Number(option) - 1];
    if (wanted === undefined) return pill;
    const isChosen = unescapeHtml(value) === wanted;
    if (isChosen) found.add(option);
    return `${start}${rest.replace(/ checked\b/, "")}${isChosen ? " checked" : ""}>`;
  });
  return found.size === chosen.filter((value) => value !== undefined).length ? changed : html;
}

/** The HTML of a product's page with a piece above its form; as it was, if it has none. */
export const putAboveForm = (html: string, piece: string): string =>
  html.replace('<form class="order"', (form) => piece + form);

const CHARACTERS: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"' };

/** What an attribute's text says: Astro escapes by number. */
const unescapeHtml = (text: string) =>
  text.replace(/&(?:#(\d+)|(\w+));/g, (all, code: string | undefined, name: string | undefined) =>
    code === undefined ? (CHARACTERS[name ?? ""] ?? all) : String.fromCodePoint(Number(code)),
  );
