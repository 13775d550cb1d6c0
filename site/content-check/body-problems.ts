import type { Body } from "./body.ts";
import type { PageFile } from "./content-files.ts";
import { codeProblem, elementProblem, htmlProblem, policyProblem } from "./elements.ts";
import { linkProblem, type Targets } from "./links.ts";
import { altDoubt, type PictureFiles, pictureProblem } from "./pictures.ts";
import type { Problem } from "./problem.ts";

/** What bodies are held against. */
export interface Shop extends PictureFiles {
  skus: ReadonlySet<string>;
  /** What store.yaml says; undefined while it can't be read. */
  storeFields: ReadonlySet<string> | undefined;
  targets: Targets;
}

/** What is wrong in a page's text. `path` is the page's own. */
export function findBodyProblems({ file }: PageFile, path: string, body: Body, shop: Shop): Problem[] {
  const { skus, storeFields, targets } = shop;
  const found = [
    ...body.headings.map(({ line, depth, text }, index) => ({
      line,
      message: headingProblem(depth, body.headings[index - 1]?.depth ?? 1, text),
    })),
    ...body.links.map(({ line, url }) => ({ line, message: linkProblem(url, path, targets) })),
    ...body.pictures.map(({ line, url }) => ({ line, message: pictureProblem(url, file, shop) })),
    ...body.pictures.map(({ line, alt }) => ({ line, message: altProblem(alt) })),
    ...body.code.map(({ line, text, isModule }) => ({ line, message: codeProblem(text, isModule) })),
    ...body.html.map(({ line, value }) => ({ line, message: htmlProblem(value) })),
    ...body.elements.map(({ line, element, isInText }) => ({ line, message: elementProblem(element, isInText, skus) })),
    ...body.elements.map(({ line, element }) => ({ line, message: policyProblem(element.name, storeFields) })),
  ];
  const doubts = body.pictures.map(({ line, alt }) => ({ line, message: altDoubt(alt), isDoubt: true as const }));
  return [...found, ...doubts].flatMap(({ message, ...rest }) =>
    message === undefined ? [] : { file, message, ...rest },
  );
}

/** `before` is the level of the heading above; above the first stands the page's title. */
function headingProblem(depth: number, before: number, text: string): string | undefined {
  if (depth === 1) return `The title is the page's only heading of level 1. Write \`## ${text}\` with two signs.`;
  if (depth <= before + 1) return undefined;
  const right = "#".repeat(before + 1);
  return `A heading of level ${depth} can't follow one of level ${before}. Write \`${right} ${text}\`.`;
}

function altProblem(alt: string): string | undefined {
  return alt.trim() === "" ? "The picture has no description. Write `![What it shows](./picture.svg)`." : undefined;
}
