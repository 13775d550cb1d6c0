import {
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
} from "yaml";
import { ContentError } from "../content-schema/content-error.ts";
import { formatProblem, type Problem } from "./problem.ts";
import {
  findConflicts,
  findLayoutProblem,
  findTextProblems,
  fixSlips,
  lineOfFirstTab,
  referenceProblem,
  yamlProblem,
} from "./yaml-problems.ts";

/** Parsed YAML; `firstLine` is the line of the file where it starts. */
export interface Yaml {
  document: Document.Parsed;
  lines: LineCounter;
  firstLine: number;
}

export interface ParsedPage {
  /** Undefined when it can't be read. */
  yaml: Yaml | undefined;
  /** Undefined when the front matter's end is missing. */
  body: string | undefined;
  /** The line of the file where the body starts. */
  bodyLine: number;
  problems: Problem[];
}

/**
 * A page's fields and text for the build, which reads them by the check's parser: of two, one would refuse what the other
 * takes, or read another value.
 *
 * @throws ContentError where the check finds an error too
 */
export function readPage(file: string, text: string): { data: Record<string, unknown>; body: string } {
  const { yaml, body, problems } = parsePage(file, text);
  if (yaml === undefined || body === undefined) throw new ContentError(problems.map(formatProblem).join("\n"));
  return { data: yaml.document.toJS() ?? {}, body: body.trim() };
}

/** Splits a page's file into front matter and body, and parses the front matter. */
export function parsePage(file: string, written: string): ParsedPage {
  const text = withLineFeeds(written);
  const lines = text.split("\n");
  const end = lines.findIndex((line, index) => index > 0 && /^---\s*$/.test(line));
  const nothing = { yaml: undefined, body: undefined, bodyLine: 1 };
  const conflicts = findConflicts(text);
  if (conflicts.length > 0) return { ...nothing, problems: conflicts.map((problem) => ({ file, ...problem })) };
  if (!/^---\s*$/.test(lines[0] ?? ""))
    return {
      ...nothing,
      problems: [{ file, line: 1, message: "The first line must be `---`, with the fields below it." }],
    };
  if (end === -1)
    return {
      ...nothing,
      problems: [{ file, line: 1, message: "The fields must end with a second line `---`." }],
    };
  const { yaml, problems } = parseYaml(file, lines.slice(1, end).join("\n"), 2);
  return {
    yaml,
    problems: [...problems, ...findCutOff(file, yaml, lines, problems)],
    body: lines.slice(end + 1).join("\n"),
    bodyLine: end + 2,
  };
}

/**
 * Finds texts that end where ` #` begins a comment, one a line. Doubts, because a comment may be meant; what is written as
 * programs read it, such as `in_stock`, 850 or a file's name, can only have a comment.
 */
function findCutOff(
  file: string,
  yaml: Yaml | undefined,
  lines: readonly string[],
  known: readonly Problem[],
): Problem[] {
  const found: Problem[] = [];
  visit(yaml?.document ?? null, {
    Scalar(_, { type, value, range, source }) {
      if (yaml === undefined || type !== "PLAIN" || typeof value !== "string" || !isWords(value)) return;
      const { line, col } = yaml.lines.linePos(range?.[1] ?? 0);
      const [, comment] = /^\s+(#.*\S)/.exec(lines[line + yaml.firstLine - 2]?.slice(col - 1) ?? "") ?? [];
      const at = line + yaml.firstLine - 1;
      if (comment === undefined || /^#+$/.test(comment) || known.some((problem) => problem.line === at)) return;
      const message = `\` #\` starts a comment, so \`${comment}\` isn't read. If it belongs to the text, use quotes: \`"${source} ${comment}"\`.`;
      found.push({ file, line: at, message, isWarning: true });
    },
  });
  return found;
}

const isWords = (text: string) => !/^(?:[a-z0-9._:/-]+|[A-Z]{2})$/.test(text);

/** Any system's text with `\n` line ends, and without the byte order mark of some editors. */
export const withLineFeeds = (text: string): string => text.replace(/^\uFEFF/, "").replaceAll(/\r\n?/g, "\n");

/** Parses YAML and explains syntax errors in an editor's words. */
export function parseYaml(
  file: string,
  text: string,
  firstLine: number,
): { yaml: Yaml | undefined; problems: Problem[] } {
  const conflicts = findConflicts(text);
  if (conflicts.length > 0) return { yaml: undefined, problems: conflicts.map((problem) => ({ file, ...problem })) };
  const lines = new LineCounter();
  const document = parseDocument(fixSlips(text), { lineCounter: lines, prettyErrors: false });
  const problems = findTextProblems(text).map(({ line, message }) => ({ file, line: line + firstLine - 1, message }));
  const firstTab = lineOfFirstTab(text);
  const layout = document.errors.length > 0 && problems.length === 0 ? findLayoutProblem(text) : undefined;
  if (layout) return { yaml: undefined, problems: [{ file, ...layout, line: layout.line + firstLine - 1 }] };
  for (const error of document.errors) {
    const { line } = lines.linePos(error.pos[0]);
    const written = text.split("\n")[line - 1] ?? "";
    // One error a line, and none after a tab: the others only follow from it.
    if (problems.some((problem) => problem.line === line + firstLine - 1)) continue;
    if (line > firstTab) break;
    problems.push({ file, line: line + firstLine - 1, message: yamlProblem(error, written) });
    // After a line that isn't a field, or an open bracket or quote, the parser's other errors only follow from it.
    if (!written.includes(":") || error.code === "BAD_INDENT" || error.code === "MISSING_CHAR") break;
  }
  if (document.errors.length > 0) return { yaml: undefined, problems };
  const references = findReferences(document);
  for (const offset of references) {
    const { line } = lines.linePos(offset);
    const message = referenceProblem(text.split("\n")[line - 1] ?? "");
    if (!problems.some((problem) => problem.line === line + firstLine - 1))
      problems.push({ file, line: line + firstLine - 1, message });
  }
  return { yaml: references.length > 0 ? undefined : { document, lines, firstLine }, problems };
}

/** Where YAML has anchors, aliases, tags, keys that aren't text, or a version of its own: nobody writes them in content on purpose. */
function findReferences(document: Document.Parsed): number[] {
  const found = document.directives.yaml.explicit === true ? [0] : [];
  visit(document, (_, node) => {
    if (isPair(node)) {
      if (!isScalar(node.key)) found.push((node.key as Node | null)?.range?.[0] ?? 0);
    } else if (isAlias(node) || (isNode(node) && (node.anchor !== undefined || node.tag !== undefined)))
      found.push(node.range?.[0] ?? 0);
  });
  return found;
}

/** The node at a path of keys and indexes, and the file's line of its key. A missing node has its parent's line. */
export function locate(
  { document, lines, firstLine }: Yaml,
  path: readonly PropertyKey[],
): { node: Node | undefined; line: number } {
  let node: unknown = document.contents;
  let line = Math.max(1, firstLine - 1);
  const lineAt = (offset: number | undefined) => lines.linePos(offset ?? 0).line + firstLine - 1;
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
      if (pair === undefined) return { node: undefined, line };
      line = isScalar(pair.key) ? lineAt(pair.key.range?.[0]) : line;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(step)];
      line = isNode(node) ? lineAt(node.range?.[0]) : line;
    }
  }
  return { node: isNode(node) ? node : undefined, line };
}

function isNode(value: unknown): value is Node {
  return isScalar(value) || isMap(value) || isSeq(value);
}
