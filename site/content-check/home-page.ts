import type { ReadPage } from "./content-files.ts";
import { locate } from "./front-matter.ts";
import { linkProblem, type Targets } from "./links.ts";
import { altWarning, type PictureFiles, pictureProblem } from "./pictures.ts";
import type { Problem } from "./problem.ts";

/** Finds problems in `scene` and `action`, which the home page may have and other pages may not. */
export function findHomeProblems(
  { page: { kind, slug, file }, path, yaml }: ReadPage,
  { targets, ...files }: PictureFiles & { targets: Targets },
): Problem[] {
  if (yaml === undefined || kind !== "page") return [];
  const report = (field: string[], message: string | undefined): Problem[] =>
    message === undefined ? [] : [{ file, line: locate(yaml, field).line, message }];
  if (slug !== "home")
    return ["scene", "action"].flatMap((name) =>
      yaml.document.has(name)
        ? report([name], `Only the home page has a \`${name}\`. Put pictures and links into the text.`)
        : [],
    );
  const [source, alt, link] = [
    ["scene", "src"],
    ["scene", "alt"],
    ["action", "link"],
  ].map((field) => yaml.document.getIn(field));
  return [
    ...(typeof source === "string" ? report(["scene", "src"], pictureProblem(source, file, files)) : []),
    ...(typeof alt === "string"
      ? report(["scene", "alt"], altWarning(alt)).map((problem) => ({ ...problem, isWarning: true as const }))
      : []),
    ...(typeof link === "string" ? report(["action", "link"], linkProblem(link, path, targets)) : []),
  ];
}
