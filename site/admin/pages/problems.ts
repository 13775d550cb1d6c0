import { singular } from "../../content-check/field-problems.ts";
import { type Html, html } from "../frame/html.ts";
import type { AdminWords } from "../words.ts";

/** A file's name for editors. */
export const nameOf = (path: string): string => path.replace(/^content\//, "");

/** A list's field, by what its items are called. */
const lists = new Map([...singular].map(([field, item]) => [item, field]));

/**
 * What the check says, with the form's labels: `content/pages/about.md:7: picture 1, alt is …` as `pages/about.md, line 7:
 * Pictures 1, Description of the picture is …`. At the file itself, given as `path`, without its name.
 */
export function inLabels({ cms, publish }: AdminWords, problem: string, path?: string): string {
  const labels: Readonly<Record<string, string>> = cms.fields;
  const [, file = "", line, names = "", rest = ""] =
    /^(?:(content\/.*?):)?(?:(\d+):)? ?([a-z_]+(?: \d+)?(?:, [\w-]+(?: \d+)?)*)?(.*)$/su.exec(problem) ?? [];
  const isHere = file === "" || file === path;
  const inLine = line === undefined ? "" : publish.line({ line });
  const place = isHere ? inLine.charAt(0).toUpperCase() + inLine.slice(1) : [nameOf(file), inLine];
  const named = names.split(", ").map((part) => {
    const [name = "", number] = part.split(" ");
    const label = labels[name] ?? labels[lists.get(name) ?? ""] ?? name;
    return number === undefined ? label : `${label} ${number}`;
  });
  const start = [place].flat().filter(Boolean).join(", ");
  return `${start && `${start}: `}${named.join(", ")}${rest}`;
}

/** What the check says, each in its words, as a list. */
export const renderProblems = (words: AdminWords, problems: readonly string[], path?: string): Html => html`<ul>
${problems.map(
  (problem) => html`<li>${inLabels(words, problem, path)}</li>
`,
)}</ul>
`;
