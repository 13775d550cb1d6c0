import { isMap, isScalar, isSeq } from "yaml";
import { locate } from "./front-matter.ts";
import type { Problem } from "./problem.ts";
import type { ReadPage } from "./targets.ts";

/** What stands in a new file where something is still to be written (`npm run new`). */
export const STILL_TO_WRITE = "?";

/** Specifications, descriptions of pictures and lines of text that are a question mark still: one problem of each kind a page. */
export function findUnfilled({ page: { file }, yaml, text = "", textLine }: ReadPage): Problem[] {
  const problems: Problem[] = [];
  const lines = text.split("\n").flatMap((line, index) => (line.trim() === STILL_TO_WRITE ? [index] : []));
  if (lines[0] !== undefined)
    problems.push({
      file,
      line: textLine + lines[0],
      message: `The text is a \`?\` still${places(lines.length)}: write it.`,
    });
  if (yaml === undefined) return problems;
  const { node: specifications } = locate(yaml, ["specifications"]);
  const names = isMap(specifications)
    ? specifications.items.filter(({ value }) => isUnfilled(value)).map(({ key }) => String(key))
    : [];
  if (names[0] !== undefined) {
    const { line } = locate(yaml, ["specifications", names[0]]);
    problems.push({
      file,
      line,
      message: `specifications are \`?\` still: ${names.join(", ")}. Use \`None\` where it doesn't apply.`,
    });
  }
  const { node: images } = locate(yaml, ["images"]);
  const nameless = isSeq(images)
    ? images.items.findIndex((image) => isMap(image) && image.get("alt") === STILL_TO_WRITE)
    : -1;
  if (nameless >= 0) {
    const { line } = locate(yaml, ["images", nameless, "alt"]);
    problems.push({ file, line, message: `picture ${nameless + 1}, alt is \`?\` still: say what the picture shows.` });
  }
  return problems;
}

const isUnfilled = (value: unknown) => isScalar(value) && value.value === STILL_TO_WRITE;

const places = (count: number) => (count === 1 ? "" : ` in ${count} places`);
