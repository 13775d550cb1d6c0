import { readFileSync } from "node:fs";
import { join } from "node:path";
import { create } from "fontkitten";
import type { Look } from "../content-schema/shop.ts";

type Fonts = NonNullable<Look["fonts"]>;

/** What a font file says of itself. */
export interface FontFile {
  /** Its weight as CSS writes it: `400`, or `100 900` of a variable font. */
  weight: string;
  has(letter: string): boolean;
}

/** Reads a WOFF2 file; undefined if it isn't one. */
export function readFont(bytes: Buffer): FontFile | undefined {
  try {
    const font = create(bytes);
    if (font.isCollection || font.type !== "WOFF2") return undefined;
    const { wght } = font.variationAxes;
    return {
      weight: wght ? `${wght.min} ${wght.max}` : String(font["OS/2"].usWeightClass),
      has: (letter) => font.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0),
    };
  } catch {
    return undefined;
  }
}

const names = { body: "Shop text", headings: "Shop headings" } as const;

/**
 * CSS rules that make the shop's own fonts those of its text and headings.
 *
 * @param folder where store.yaml is
 * @param tokens the text of styles/tokens.css
 */
export function writeFonts(fonts: Fonts, folder: string, tokens: string): string {
  const faces = (["body", "headings"] as const).flatMap((use) => {
    const file = fonts[use];
    if (file === undefined) return [];
    // A heading is drawn as the font has it: a light one mustn't be thickened by the browser.
    const weight = use === "headings" ? "1 1000" : (readFont(readFileSync(join(folder, file)))?.weight ?? "400");
    const source = `url("@content/${file.slice("./".length)}") format("woff2")`;
    return `@font-face { font-family: "${names[use]}"; src: ${source}; font-weight: ${weight}; font-display: optional; }\n`;
  });
  // Before what tokens.css has, for letters that the font lacks, and until it has come.
  const [, standard = ""] = /--font:\s*([^;]+);/.exec(tokens) ?? [];
  const own = [
    ...(fonts.body ? [`--font: "${names.body}", ${standard};`] : []),
    ...(fonts.headings ? [`--display-font: "${names.headings}", var(--font);`] : []),
  ];
  return `${faces.join("")}:root { ${own.join(" ")} }\n`;
}
