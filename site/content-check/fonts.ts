import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Look, shopSchema } from "../content-schema/shop.ts";
import { didYouMean } from "../content-schema/suggest.ts";
import { readFont } from "../shop-look/fonts.ts";
import { fieldName } from "./field-problems.ts";
import { locate, type Yaml } from "./front-matter.ts";
import type { Problem } from "./problem.ts";

/** A font of one script in one weight seldom has more. */
const USUAL_BYTES = 60_000;
/** Letters that are named. */
const MOST_NAMED = 10;

/** Finds fonts of store.yaml that are missing or can't be read, which are large, or lack letters of the shop's own name. */
export function findFontProblems(root: string, file: string, yaml: Yaml): Problem[] {
  const { look, name, tagline, description } = yaml.document.toJS();
  const fonts: NonNullable<Look["fonts"]> = shopSchema.shape.look.safeParse({ fonts: look?.fonts }).data?.fonts ?? {};
  return (["body", "headings"] as const).flatMap((use): Problem[] => {
    const font = fonts[use];
    if (font === undefined) return [];
    const path = ["look", "fonts", use];
    const problem = (message: string): Problem => ({
      ...{ file, line: locate(yaml, path).line },
      message: `${fieldName(path)} ${message}`,
    });
    const doubt = (message: string): Problem => ({ ...problem(message), isWarning: true });
    const present = readdirSync(join(root, "content")).filter((each) => each.endsWith(".woff2"));
    if (!present.includes(font.slice("./".length))) {
      const near = didYouMean(
        font,
        present.map((each) => `./${each}`),
      );
      return [problem(`"${font}" isn't there.${near || " Put the file beside store.yaml, and commit it."}`)];
    }
    const bytes = readFileSync(join(root, "content", font));
    const read = readFont(bytes);
    if (read === undefined)
      return [
        problem(
          `"${font}" isn't a WOFF2 font, although its name says so. Ask its maker for that format, or convert it.`,
        ),
      ];
    const shown = use === "body" ? [name, tagline, description] : [name, tagline];
    const letters = new Set(shown.join("").normalize("NFC").match(/\p{L}/gu));
    const lacking = [...letters].filter((letter) => !read.has(letter));
    return [
      ...(lacking.length > 0
        ? [
            doubt(
              `"${font}" lacks letters of the shop's name or description, which visitors see in another font: ${lacking.slice(0, MOST_NAMED).join(" ")}. Take the file for this script.`,
            ),
          ]
        : []),
      ...(bytes.length > USUAL_BYTES
        ? [
            doubt(
              `"${font}" has ${Math.ceil(bytes.length / 1000)} kB, and visitors wait for it longer than for a page. Take a file that has the letters of the shop's language only; most makers offer one for each script.`,
            ),
          ]
        : []),
    ];
  });
}
