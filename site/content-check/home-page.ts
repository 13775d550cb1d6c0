import { factOf, type KnownPage } from "./content-files.ts";
import { locate } from "./front-matter.ts";
import { linkProblem, type Targets } from "./links.ts";
import { altWarning, type PictureFiles, pictureProblem } from "./pictures.ts";
import type { Problem } from "./problem.ts";

/** Finds problems in `scene` and `action`, and these and `featured` on other pages, which may not have them. */
export function findHomeProblems(
  known: KnownPage,
  { targets, ...files }: PictureFiles & { targets: Targets },
): Problem[] {
  const { kind, slug, file } = known.page;
  if (kind !== "page") return [];
  const { groups, source, alt, link } = readHomeFields(known);
  if (slug !== "home")
    return groups.map(({ name, line }) => ({
      file,
      line,
      message: `Only the home page has a \`${name}\`. Put pictures and links into the text.`,
    }));
  const report = (fields: readonly Field[], problemOf: (text: string) => string | undefined): Problem[] =>
    fields.flatMap(({ text, line }) => {
      const message = problemOf(text);
      return message === undefined ? [] : { file, line, message };
    });
  return [
    ...report(source, (text) => pictureProblem(text, file, files)),
    ...report(alt, altWarning).map((problem) => ({ ...problem, isWarning: true as const })),
    ...report(link, (text) => linkProblem(text, known.path, targets)),
  ];
}

type Field = { text: string; line: number };

/** The home page's fields as far as a page has them, and the texts of `scene` and `action`: at most one of each. */
const readHomeFields = factOf("homeFields", ({ yaml }) => {
  const read = (path: string[]): Field[] => {
    const text: unknown = yaml?.document.getIn(path);
    return yaml && typeof text === "string" ? [{ text, line: locate(yaml, path).line }] : [];
  };
  return {
    groups: ["scene", "action", "featured"].flatMap((name) =>
      yaml?.document.has(name) ? { name, line: locate(yaml, [name]).line } : [],
    ),
    source: read(["scene", "src"]),
    alt: read(["scene", "alt"]),
    link: read(["action", "link"]),
  };
});
