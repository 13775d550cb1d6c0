import { readFileSync } from "node:fs";
import { type Colours, colours, type Scheme } from "../content-schema/colours.ts";
import { contrast, mix } from "../shop-colours/contrast.ts";
import { deriveColours, readPalette } from "../shop-colours/palette.ts";
import { locate, type Yaml } from "./front-matter.ts";
import type { Problem } from "./problem.ts";

/** WCAG 2.2, 1.4.3: text of a usual size on its ground. */
const LEAST = 4.5;

const pairsOf = (texts: string[], grounds: string[]) =>
  texts.flatMap((text) => grounds.map((ground) => ({ text, ground })));

/** What must be legible, by the field that spoils it. */
const pairs = {
  paper: pairsOf(["ink", "muted", "good", "wait", "gone"], ["paper", "surface"]),
  accent: [
    ...pairsOf(["accent", "accent-strong"], ["paper", "surface", "wash"]),
    ...pairsOf(["on-accent"], ["accent", "accent-strong"]),
  ],
};

const tokens = new URL("../src/styles/tokens.css", import.meta.url);

/** The shop's own colours in which, or on which, text would be hard to read. */
export function findPoorContrast(file: string, yaml: Yaml): Problem[] {
  const chosen = colours.safeParse(yaml.document.toJS()?.colours).data;
  if (chosen === undefined) return [];
  const css = readFileSync(tokens, "utf8");
  return (["light", "dark"] as const).flatMap((scheme) => {
    const problem = poorContrast(chosen, scheme, css);
    if (problem === undefined) return [];
    const { field, message } = problem;
    const { line } = locate(yaml, ["colours", scheme, field]);
    return { file, line, message: `colours, ${scheme}, ${field} ${message}` };
  });
}

/** Of paper and accent the first that is wrong: on a wrong paper the accent can't be judged. */
function poorContrast(colours: Colours, scheme: Scheme, css: string) {
  const standard = readPalette(css, scheme);
  const own = colours[scheme];
  for (const field of ["paper", "accent"] as const) {
    const written = own[field];
    if (written === undefined) continue;
    const worst = (value: string) =>
      lowest(new Map([...standard, ...deriveColours({ ...own, [field]: value }, standard)]), field);
    const ratio = worst(written);
    if (ratio >= LEAST) continue;
    // Text must go away from its ground, and a ground from its text.
    const end = (scheme === "light") === (field === "paper") ? "#ffffff" : "#000000";
    const steps = Array.from({ length: 50 }, (_, index) => mix(written, end, (index + 1) / 50));
    const right = steps.find((value) => worst(value) >= LEAST) ?? end;
    const place = field === "paper" ? "Text on it" : "It, or what stands on it,";
    const way = end === "#ffffff" ? "lighter" : "darker";
    return {
      field,
      message: `"${written}" is hard to read: ${place} has a contrast of ${floor(ratio)}:1, and ${LEAST}:1 is needed. Write \`${field}: "${right}"\`, the same a little ${way}.`,
    };
  }
  return undefined;
}

const lowest = (palette: ReadonlyMap<string, string>, field: keyof typeof pairs) =>
  Math.min(...pairs[field].map(({ text, ground }) => contrast(palette.get(text) ?? "", palette.get(ground) ?? "")));

/** Not rounded up: 4.46 is no 4.5. */
const floor = (ratio: number) => (Math.floor(ratio * 10) / 10).toFixed(1);
