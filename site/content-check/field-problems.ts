import type { z } from "astro/zod";
import { type Document, isMap, isScalar, isSeq, type Node } from "yaml";
import type { ReadPage } from "./content-files.ts";
import { locate, type Yaml } from "./front-matter.ts";
import type { Problem } from "./problem.ts";

/** Holds YAML against a schema: one problem for each field that is wrong, missing or unknown. */
export function findSchemaProblems(file: string, yaml: Yaml, schema: z.ZodType): Problem[] {
  const { error } = schema.safeParse(yaml.document.toJS() ?? {});
  const issues = error?.issues ?? [];
  const misspelt = findMisspelt(issues);
  const hollow = issues.find((issue) => isHollow(issue, yaml));
  const outdented = findOutdented(issues, yaml);
  return issues.flatMap((issue) => {
    const owner = outdented.get(issue);
    if (owner !== undefined) {
      const message = `belongs to ${fieldName(owner)}. Indent it like the fields above.`;
      return { ...problemAt(file, yaml, [issue.path.at(-1) ?? ""], message) };
    }
    if (misspelt.has(issue.path.join()) && locate(yaml, issue.path).node === undefined) return [];
    if (issue === hollow && issues.some(({ code }) => code === "unrecognized_keys"))
      return problemAt(file, yaml, issue.path, "is empty. Indent the lines that belong to it by two spaces.");
    if (issue.code !== "unrecognized_keys") {
      const { node } = locate(yaml, issue.path);
      const message =
        issue.code === "invalid_key" ? issue.issues[0]?.message : unquoted(issue, node, yaml.document, schema);
      return problemAt(file, yaml, issue.path, message ?? issue.message);
    }
    const messages = issue.message.split("\n");
    return issue.keys.flatMap((key, index) => {
      const { line } = locate(yaml, [...issue.path, key]);
      // What stands unindented below a field that should hold it is one mistake.
      if (hollow && line > locate(yaml, hollow.path).line) return [];
      if ([...outdented.keys()].some(({ path }) => issue.path.length === 0 && path.at(-1) === key)) return [];
      return { ...problemAt(file, yaml, issue.path, messages[index] ?? ""), line };
    });
  });
}

/** The paths of the fields that unknown ones were meant to be: where such a field is missing, it is missing for its spelling. */
function findMisspelt(issues: readonly z.core.$ZodIssue[]): Set<string> {
  const unknown = issues.filter(({ code }) => code === "unrecognized_keys");
  const meant = unknown.flatMap(({ path, message }) =>
    [...message.matchAll(/Did you mean `([^`]+)`/g)].map(([, field]) => [...path, field].join()),
  );
  return new Set(meant);
}

/** Fields that are missing in an entry of a list and stand unindented below it, each with what it belongs to. */
function findOutdented(issues: readonly z.core.$ZodIssue[], yaml: Yaml): Map<z.core.$ZodIssue, readonly PropertyKey[]> {
  const stray = issues.flatMap((issue) =>
    issue.code === "unrecognized_keys" && issue.path.length === 0 ? issue.keys : [],
  );
  const missing = issues.filter(({ path }) => {
    const [name] = path.slice(-1);
    if (path.length < 2 || typeof name !== "string" || !stray.includes(name)) return false;
    return locate(yaml, path).node === undefined && locate(yaml, [name]).line > locate(yaml, path).line;
  });
  return new Map(missing.map((issue) => [issue, issue.path.slice(0, -1)]));
}

/** A field that should hold others, and has nothing to its right or indented below it. */
function isHollow(issue: z.core.$ZodIssue, yaml: Yaml): boolean {
  if (issue.code !== "invalid_type" || !["object", "record"].includes(issue.expected)) return false;
  const { node } = locate(yaml, issue.path);
  return isScalar(node) && node.value === null;
}

function problemAt(file: string, yaml: Yaml, path: readonly PropertyKey[], message: string): Problem {
  return { file, line: locate(yaml, path).line, message: [fieldName(path), message].filter(Boolean).join(" ") };
}

/** A number or a yes-or-no where text belongs: YAML has already dropped its zeros, so that the file's own letters must be quoted. */
function unquoted(
  issue: z.core.$ZodIssue,
  node: Node | undefined,
  document: Document.Parsed,
  schema: z.ZodType,
): string | undefined {
  // A specification may be a text or a list.
  const isText = issue.code === "invalid_union" || (issue.code === "invalid_type" && issue.expected === "string");
  if (!isText) return undefined;
  if (!isScalar(node) || node.value === null || node.source === undefined) return undefined;
  const field = issue.path.at(-1);
  // A product's own message knows how many digits the currency has.
  if (field === "price" && issue.path[0] !== "shipping") return undefined;
  // Quotes alone may not make it right: `tax_rate: 21` needs a fraction too.
  const inQuotes = document.clone();
  inQuotes.setIn(issue.path, node.source);
  const other = schema.safeParse(inQuotes.toJS()).error?.issues.find(({ path }) => path.join() === issue.path.join());
  if (other !== undefined) return other.message;
  const loss = typeof node.value === "number" && String(node.value) !== node.source;
  const why = loss ? `${node.source} would become ${node.value}` : `${node.source} isn't text`;
  return `must be text in quotes: ${why}. Write \`${typeof field === "string" ? `${field}: ` : ""}"${node.source}"\`.`;
}

/** `variants[1].options.Colour` as an editor would say it: `variant 2, options, Colour:`. */
export function fieldName(path: readonly PropertyKey[]): string {
  const words: string[] = [];
  for (const step of path) {
    if (typeof step !== "number") words.push(String(step));
    else {
      const one = singular.get(words.at(-1) ?? "");
      if (one !== undefined) words.pop();
      words.push(`${one ?? "item"} ${step + 1}`);
    }
  }
  return words.join(", ");
}

const singular = new Map([
  ["variants", "variant"],
  ["images", "picture"],
  ["formerly", "formerly"],
  ["zones", "zone"],
  ["countries", "country"],
  ["questions", "question"],
]);

/** What stands in a new file where something is still to be written (`npm run new`). */
export const PLACEHOLDER = "?";

/** Specifications, descriptions of pictures and lines of text that are a question mark still: one problem of each kind a page. */
export function findPlaceholders({ page: { file }, yaml, text = "", textLine }: ReadPage): Problem[] {
  const problems: Problem[] = [];
  const lines = text.split("\n").flatMap((line, index) => (line.trim() === PLACEHOLDER ? [index] : []));
  if (lines[0] !== undefined)
    problems.push({
      file,
      line: textLine + lines[0],
      message: `The text is still \`?\`${places(lines.length)}. Write it.`,
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
      message: `specifications are still \`?\`: ${names.join(", ")}. Use \`None\` where it doesn't apply.`,
    });
  }
  const { node: images } = locate(yaml, ["images"]);
  const nameless = isSeq(images)
    ? images.items.findIndex((image) => isMap(image) && image.get("alt") === PLACEHOLDER)
    : -1;
  if (nameless >= 0) {
    const { line } = locate(yaml, ["images", nameless, "alt"]);
    problems.push({ file, line, message: `picture ${nameless + 1}, alt is still \`?\`. Say what the picture shows.` });
  }
  return problems;
}

const isUnfilled = (value: unknown) => isScalar(value) && value.value === PLACEHOLDER;

const places = (count: number) => (count === 1 ? "" : ` in ${count} places`);

/** Days of change that have not come yet. Warnings only: a computer whose clock is behind must still build the shop. */
export function findFutureDays(pages: readonly ReadPage[]): Problem[] {
  // Today where the day begins first, UTC+14: an editor there is not ahead of time.
  const today = new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 10);
  return pages.flatMap(({ page, yaml }) => {
    if (yaml === undefined) return [];
    const { node, line } = locate(yaml, ["updated"]);
    const day = isScalar(node) ? String(node.value) : "";
    if (!/^\d{4}-\d\d-\d\d$/.test(day) || day <= today) return [];
    return {
      file: page.file,
      line,
      message: `updated ${day} is in the future. Check it for a typo.`,
      isWarning: true as const,
    };
  });
}

// What stands in pages that people copy from. `<M8>` is none of these, and no more than a name.
const elements =
  "a abbr article aside audio b blockquote body br button center cite code dd details div dl dt em embed figure font footer form h[1-6] head header hr html i iframe img input kbd label li link main mark meta nav object ol option p pre s script section select small span strike strong style sub summary sup svg table tbody td textarea tfoot th thead title tr u ul video".replaceAll(
    " ",
    "|",
  );
const tag = new RegExp(`</?(?:${elements})(?:[\\s/][^<>]*)?>`, "i");

/**
 * What looks like HTML in the fields of a file whose `text` they are. Warnings only: a field is plain text, and every page and
 * list shows its signs as they were written. Answers are Markdown, and not looked at.
 */
export function findHtmlInFields(file: string, text: string, yaml: Yaml | undefined): Problem[] {
  if (yaml === undefined || !tag.test(text)) return [];
  return textsOf(yaml.document.toJS(), []).flatMap(({ path, text }) => {
    const [found] = tag.exec(text) ?? [];
    if (found === undefined || path.at(-1) === "answer") return [];
    const message = `${fieldName(path)} has \`${found}\`, which is shown as text: HTML doesn't work in fields. Remove it, unless you mean to show it.`;
    return { file, line: locate(yaml, path).line, message, isWarning: true as const };
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
