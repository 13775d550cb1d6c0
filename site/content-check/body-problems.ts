import type { Body } from "./body.ts";
import type { PageFile } from "./content-files.ts";
import { elementProblem, htmlProblem } from "./elements.ts";
import { linkProblem, type Targets } from "./links.ts";
import { pictureProblem } from "./pictures.ts";
import type { Problem } from "./problem.ts";

/** What bodies are held against: `paths` are all files of content/. */
export interface Shop {
  paths: ReadonlySet<string>;
  skus: ReadonlySet<string>;
  targets: Targets;
}

/** What is wrong in a page's text. `path` is the page's own. */
export function findBodyProblems(
  { file }: PageFile,
  path: string,
  body: Body,
  { paths, skus, targets }: Shop,
): Problem[] {
  const found = [
    ...body.headings.map(({ line, depth, text }) => ({ line, message: headingProblem(depth, text) })),
    ...body.links.map(({ line, url }) => ({ line, message: linkProblem(url, path, targets) })),
    ...body.pictures.map(({ line, url }) => ({ line, message: pictureProblem(url, file, paths) })),
    ...body.pictures.map(({ line, alt }) => ({ line, message: altProblem(alt) })),
    ...body.html.map(({ line, value }) => ({ line, message: htmlProblem(value) })),
    ...body.elements.map(({ line, element, isInText }) => ({ line, message: elementProblem(element, isInText, skus) })),
  ];
  return found.flatMap(({ line, message }) => (message === undefined ? [] : { file, line, message }));
}

function headingProblem(depth: number, text: string): string | undefined {
  if (depth !== 1) return undefined;
  return `The title is the page's only heading of level 1. Write \`## ${text}\` with two signs.`;
}

function altProblem(alt: string): string | undefined {
  return alt.trim() === "" ? "The picture has no description. Write `![What it shows](./picture.svg)`." : undefined;
}
