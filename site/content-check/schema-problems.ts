import type { z } from "astro/zod";
import { type Document, isScalar, type Node } from "yaml";
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
      const message = `must be indented: it belongs to ${fieldName(owner)}. Begin it below the fields of its own.`;
      return { ...problemAt(file, yaml, [issue.path.at(-1) ?? ""], message) };
    }
    if (misspelt.has(issue.path.join()) && locate(yaml, issue.path).node === undefined) return [];
    if (issue === hollow && issues.some(({ code }) => code === "unrecognized_keys"))
      return problemAt(file, yaml, issue.path, "is empty: indent the lines below it that belong to it by two spaces.");
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
  const why = loss ? `${node.source} would become ${node.value}` : `${node.source} is no text`;
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
