import { locate, type Yaml } from "./front-matter.ts";
import type { Problem } from "./problem.ts";
import { fieldName } from "./schema-problems.ts";

// What stands in pages that people copy from. `<M8>` is none of these, and no more than a name.
const elements =
  "a abbr article aside audio b blockquote body br button center cite code dd details div dl dt em embed figure font footer form h[1-6] head header hr html i iframe img input kbd label li link main mark meta nav object ol option p pre s script section select small span strike strong style sub summary sup svg table tbody td textarea tfoot th thead title tr u ul video".replaceAll(
    " ",
    "|",
  );
const tag = new RegExp(`</?(?:${elements})(?:[\\s/][^<>]*)?>`, "i");

/**
 * What looks like HTML in the fields of a file whose `text` they are. Doubts only: a field is plain text, and every page and
 * list shows its signs as they were written. Answers are Markdown, and not looked at.
 */
export function findTags(file: string, text: string, yaml: Yaml | undefined): Problem[] {
  if (yaml === undefined || !tag.test(text)) return [];
  return textsOf(yaml.document.toJS(), []).flatMap(({ path, text }) => {
    const [found] = tag.exec(text) ?? [];
    if (found === undefined || path.at(-1) === "answer") return [];
    const message = `${fieldName(path)} has \`${found}\`, which the shop will show as it stands: fields have no HTML. Take it out, if it is not meant so.`;
    return { file, line: locate(yaml, path).line, message, isDoubt: true as const };
  });
}

type Text = { path: PropertyKey[]; text: string };

/** Every text below a value, with names that editors give, such as a specification's. */
function textsOf(value: unknown, path: PropertyKey[]): Text[] {
  if (typeof value === "string") return [{ path, text: value }];
  if (Array.isArray(value)) return value.flatMap((item, index) => textsOf(item, [...path, index]));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => [
    { path: [...path, name], text: name },
    ...textsOf(item, [...path, name]),
  ]);
}
