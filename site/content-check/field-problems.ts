import type { z } from "astro/zod";
import { type Document, isMap, isScalar, isSeq, type Node, type YAMLMap } from "yaml";
import { PLACEHOLDER } from "../content-schema/placeholder.ts";
import { factOf } from "./content-files.ts";
import { locate, type Yaml } from "./front-matter.ts";
import type { Problem } from "./problem.ts";
import { findUnseenCharacter } from "./unseen.ts";

/** Checks YAML against a schema: one problem for each field that is wrong, missing or unknown. */
export function findSchemaProblems(file: string, yaml: Yaml, schema: z.ZodType): Problem[] {
  const { error } = schema.safeParse(yaml.document.toJS() ?? {});
  const issues = lastOfEach(error?.issues ?? []);
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
      // A whole group without its indent is one error.
      if (hollow && line > locate(yaml, hollow.path).line) return [];
      if ([...outdented.keys()].some(({ path }) => issue.path.length === 0 && path.at(-1) === key)) return [];
      return { ...problemAt(file, yaml, issue.path, messages[index] ?? ""), line };
    });
  });
}

/** One issue for each field, its last: rules across fields come after a field's own. */
const lastOfEach = (issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] =>
  issues.filter(({ code, path }, index) => {
    const later = issues.slice(index + 1).filter((issue) => issue.code !== "unrecognized_keys");
    return code === "unrecognized_keys" || !later.some((issue) => issue.path.join("\0") === path.join("\0"));
  });

/** The paths of fields that are missing because they are misspelt. */
function findMisspelt(issues: readonly z.core.$ZodIssue[]): Set<string> {
  const unknown = issues.filter(({ code }) => code === "unrecognized_keys");
  const meant = unknown.flatMap(({ path, message }) =>
    [...message.matchAll(/Did you mean `([^`]+)`/g)].map(([, field]) => [...path, field].join()),
  );
  return new Set(meant);
}

/** Fields that are missing from a list entry because they aren't indented, each with the entry's path. */
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

/** Whether a field that should have other fields below it is empty. */
function isHollow(issue: z.core.$ZodIssue, yaml: Yaml): boolean {
  if (issue.code !== "invalid_type" || !["object", "record"].includes(issue.expected)) return false;
  const { node } = locate(yaml, issue.path);
  return isScalar(node) && node.value === null;
}

function problemAt(file: string, yaml: Yaml, path: readonly PropertyKey[], message: string): Problem {
  return { file, line: locate(yaml, path).line, message: [fieldName(path), message].filter(Boolean).join(" ") };
}

/** The message for a number or boolean instead of text. It quotes the file, since YAML has dropped zeros from the value. */
function unquoted(
  issue: z.core.$ZodIssue,
  node: Node | undefined,
  document: Document.Parsed,
  schema: z.ZodType,
): string | undefined {
  // A specification may be a text or a list.
  const isText = issue.code === "invalid_union" || (issue.code === "invalid_type" && issue.expected === "string");
  if (!isText) return undefined;
  if (isMap(node) && typeof issue.path.at(-1) === "number") return colonProblem(node);
  if (!isScalar(node) || node.value === null || node.source === undefined) return undefined;
  const field = issue.path.at(-1);
  // A product's own message knows the currency's decimals.
  if (field === "price" && issue.path[0] !== "shipping") return undefined;
  // Quotes may not be enough: `NL: 21` must also be a fraction.
  const inQuotes = document.clone();
  inQuotes.setIn(issue.path, node.source);
  const other = schema.safeParse(inQuotes.toJS()).error?.issues.find(({ path }) => path.join() === issue.path.join());
  if (other !== undefined) return other.message;
  const loss = typeof node.value === "number" && String(node.value) !== node.source;
  const why = loss ? `${node.source} would become ${node.value}` : `${node.source} isn't text`;
  return `must be text in quotes: ${why}. Write \`${typeof field === "string" ? `${field}: ` : ""}"${node.source}"\`.`;
}

/** The message about a text in a list that YAML takes for a field, since a colon is in it. */
function colonProblem({ items: [pair, ...others], flow }: YAMLMap): string | undefined {
  const { key, value } = pair ?? {};
  if (flow || others.length > 0 || !isScalar(key) || !isScalar(value)) return undefined;
  const text = `${String(key.source)}: ${value.source ?? ""}`.trim();
  return `is text with a colon, which needs quotes: \`- ${JSON.stringify(text)}\`.`;
}

/** A path in an editor's words: `variants[1].options.Colour` is `variant 2, options, Colour`. */
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

/** What an item of a list is called, by the list's field. */
export const singular: ReadonlyMap<string, string> = new Map([
  ["variants", "variant"],
  ["images", "picture"],
  ["documents", "document"],
  ["formerly", "formerly"],
  ["zones", "zone"],
  ["methods", "method"],
  ["tiers", "tier"],
  ["countries", "country"],
  ["questions", "question"],
  ["warnings", "warning"],
]);

/** Finds placeholders in specifications, picture descriptions and text: one problem of each kind for a page. */
export const findPlaceholders = factOf("placeholders", ({ page: { file }, yaml, text = "", textLine }): Problem[] => {
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
});

const isUnfilled = (value: unknown) => isScalar(value) && value.value === PLACEHOLDER;

const places = (count: number) => (count === 1 ? "" : ` in ${count} places`);

/** Finds values of store.yaml that are still to be written. Warnings, since a shop may be looked at before all is known. */
export const findUnfilled = (file: string, yaml: Yaml): Problem[] =>
  textsOf(yaml.document.toJS(), []).flatMap(({ path, text }) => {
    if (text !== PLACEHOLDER) return [];
    const message = `${fieldName(path)} is still \`?\`. Write it: pages and mails need it.`;
    return { file, line: locate(yaml, path).line, message, isWarning: true as const };
  });

/** Finds `updated` and `added` dates in the future. Warnings, so that a computer with a slow clock can still build the shop. */
export const findFutureDay = factOf("futureDay", ({ page: { file }, yaml }): Problem[] =>
  ["updated", "added"].flatMap((field) => {
    const { node, line } = yaml === undefined ? {} : locate(yaml, [field]);
    const day = isScalar(node) ? String(node.value) : "";
    if (line === undefined || !/^\d{4}-\d\d-\d\d$/.test(day) || day <= lastToday()) return [];
    return { file, line, message: `${field} ${day} is in the future. Check it for a typo.`, isWarning: true };
  }),
);

/** Today in UTC+14, the first time zone to start a day. */
export const lastToday = (): string => new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 10);

// Elements that people copy from web pages. `<M8>`, for example, is a name.
const elements =
  "a abbr article aside audio b blockquote body br button center cite code dd details div dl dt em embed figure font footer form h[1-6] head header hr html i iframe img input kbd label li link main mark meta nav object ol option p pre s script section select small span strike strong style sub summary sup svg table tbody td textarea tfoot th thead title tr u ul video".replaceAll(
    " ",
    "|",
  );
const tag = new RegExp(`</?(?:${elements})(?:[\\s/][^<>]*)?>`, "i");

/**
 * Finds HTML in a file's fields, which are plain text and shown as they are. Warnings, because it may be meant. Answers are
 * Markdown and are checked elsewhere.
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

/**
 * Finds characters that nobody sees, one a line: as they stand in a file, or as escapes in its YAML. Of the syntax's
 * problems it returns those of other lines, since advice on the same line would repeat the character.
 */
export function findUnseen(file: string, text: string, yaml: Yaml | undefined, syntax: readonly Problem[]): Problem[] {
  const unseen = unseenIn(file, text, yaml);
  return [...unseen, ...syntax.filter(({ line }) => !unseen.some((problem) => problem.line === line))];
}

function unseenIn(file: string, text: string, yaml: Yaml | undefined): Problem[] {
  const written = text.split("\n").flatMap((line, index) => {
    const found = findUnseenCharacter(line);
    if (found === undefined) return [];
    const before = line.slice(0, found.index).trim().slice(-20);
    const place = before === "" ? "This line starts with" : `After “${before}” is`;
    return { file, line: index + 1, message: `${place} ${found.what}. Delete it, or type the line again.` };
  });
  if (written.length > 0 || yaml === undefined || !text.includes("\\")) return written;
  return textsOf(yaml.document.toJS(), []).flatMap(({ path, text }) => {
    const found = findUnseenCharacter(text);
    if (found === undefined) return [];
    const message = `${fieldName(path)} has ${found.what}, written with a backslash. Delete both.`;
    return { file, line: locate(yaml, path).line, message };
  });
}

type Text = { path: PropertyKey[]; text: string };

/** Every text in a value, including names that editors choose, such as a specification's. */
function textsOf(value: unknown, path: PropertyKey[]): Text[] {
  if (typeof value === "string") return [{ path, text: value }];
  if (Array.isArray(value)) return value.flatMap((item, index) => textsOf(item, [...path, index]));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => [
    { path: [...path, name], text: name },
    ...textsOf(item, [...path, name]),
  ]);
}
