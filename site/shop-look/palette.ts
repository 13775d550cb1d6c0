import type { Colours, Scheme } from "../content-schema/shop.ts";
import { contrast, mix } from "./contrast.ts";

const white = "#ffffff";
const black = "#10181b";

/** Custom properties by name, without the leading hyphens: `accent` → `#0b5750`. */
export type Palette = ReadonlyMap<string, string>;

/** The colours of a scheme that styles/tokens.css writes as hex; `#fff` is returned as `#ffffff`. */
export function readPalette(css: string, scheme: Scheme): Palette {
  const [light = "", dark = ""] = css.split(/@media \(prefers-color-scheme: dark\)/);
  const declared = (scheme === "light" ? light : dark).matchAll(/--([a-z-]+): #([0-9a-f]{3}|[0-9a-f]{6});/g);
  return new Map(
    [...declared].map(([, name = "", hex = ""]) => [name, `#${hex.length === 3 ? hex.replace(/./g, "$&$&") : hex}`]),
  );
}

/** The colours of a scheme that follow from the shop's own: these, and those used on or beside them. */
export function deriveColours({ accent, paper }: Colours[Scheme], standard: Palette): Palette {
  // Cards are slightly lighter than the page, in its tint.
  const surface =
    paper === undefined ? (standard.get("surface") ?? white) : mix(paper, white, isLight(paper) ? 0.7 : 0.05);
  return new Map([
    ["accent", accent],
    // On hover: towards the text colour.
    ["accent-strong", mix(accent, standard.get("ink") ?? black, 0.35)],
    ["on-accent", isLight(accent) ? black : white],
    ["wash", mix(surface, accent, 0.08)],
    ...(paper === undefined ? [] : Object.entries({ paper, surface })),
  ]);
}

/** Whether black is easier to read on a colour than white is. */
const isLight = (colour: string) => contrast(black, colour) > contrast(white, colour);

/** CSS rules that replace colours of `css`, the text of styles/tokens.css, with the shop's own. */
export function writeColours(colours: Colours, css: string): string {
  const rule = (changed: Palette) =>
    `:root { ${[...changed].map(([name, value]) => `--${name}: ${value};`).join(" ")} }`;
  const light = deriveColours(colours.light, readPalette(css, "light"));
  const standard = readPalette(css, "dark");
  const dark = deriveColours(colours.dark, standard);
  // What light screens alone have of the shop's own would be on dark ones, too.
  const kept = [...light.keys()]
    .filter((name) => !dark.has(name))
    .map((name) => [name, standard.get(name) ?? black] as const);
  return `${rule(light)}\n@media (prefers-color-scheme: dark) { ${rule(new Map([...dark, ...kept]))} }\n`;
}
