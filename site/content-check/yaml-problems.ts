import type { YAMLParseError } from "yaml";

export interface TextProblem {
  /** Of the YAML, from 1. */
  line: number;
  message: string;
}

/** Finds slips that YAML accepts, or reports in words that don't help an editor. */
export function findTextProblems(yaml: string): TextProblem[] {
  const isText = findBlockTexts(yaml);
  return yaml.split("\n").flatMap((text, index) => {
    const message = isText[index] ? undefined : slip(text);
    return message === undefined ? [] : [{ line: index + 1, message }];
  });
}

/** For each line of some YAML, whether it is text below a field that ends in `|` or `>` (YAML 1.2.2, 8.1). */
function findBlockTexts(yaml: string): boolean[] {
  // The column of the field above; its text is indented further.
  let column: number | undefined;
  return yaml.split("\n").map((line) => {
    const isBlank = line.trim() === "";
    if (column !== undefined && (isBlank || line.search(/[^ ]/) > column)) return true;
    if (!isBlank) column = blockField.exec(line)?.[1]?.length;
    return false;
  });
}

const blockField = /^( *(?:- +)*?)(?:- +|[^\s#[{-][^:]*: +)[|>][-+1-9]{0,2}(?: +#.*| *)$/;

const tabInFront = /^ *\t/;

/** The first line that is indented by a tab, from 1; Infinity without one. */
export function lineOfFirstTab(yaml: string): number {
  const isText = findBlockTexts(yaml);
  const index = yaml.split("\n").findIndex((line, index) => !isText[index] && tabInFront.test(line));
  return index === -1 ? Number.POSITIVE_INFINITY : index + 1;
}

/** The same YAML with spaces after dashes and straight quotes, so that the parser's other errors are real. */
export function fixSlips(yaml: string): string {
  const isText = findBlockTexts(yaml);
  const lines = yaml.split("\n");
  return lines.map((line, index) => (isText[index] ? line : straightenQuotes(spaceDash(line)))).join("\n");
}

const spaceDash = (line: string) => line.replace(/^(\s*)-(?=[a-z_]+: )/, "$1- ");

function straightenQuotes(line: string): string {
  const [, front, value = "", end = ""] = curly.exec(line) ?? [];
  if (front === undefined) return line;
  return front + (/^(?:true|false)$/.test(value) ? value : `"${value}"`) + end;
}

// A value in a word processor's quotes, on one side or both.
const curly =
  /^(\s*(?:- +)?[^\s:"'#][^:]*: +|\s*- +)(?:[“”„‟«»‹›‘’‚](?=.*["'“”„‟«»‹›‘’]\s*$)|"(?=[^"]*[“”‟»]\s*$))([^"“”„‟«»]*?)["'“”„‟«»‹›‘’](\s*)$/;

/** The message about a value in curly quotes; undefined without them. */
function curlyProblem(line: string): string | undefined {
  const straight = straightenQuotes(line);
  return straight === line ? undefined : `These quotes are curly. Use straight quotes: \`${straight.trim()}\`.`;
}

const conflictStart = /^<{7}(?: |$)/;
const conflictMiddle = /^={7}$/;
const conflictEnd = /^>{7}(?: |$)/;

/** Finds merge conflicts outside code: git's three marks, in their order. */
export function findConflicts(text: string): TextProblem[] {
  const lines = text.split("\n");
  const next = (mark: RegExp, from: number) => lines.findIndex((line, index) => index > from && mark.test(line));
  let fence: string | undefined;
  return lines.flatMap((line, index) => {
    const [, sign] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence === undefined) fence = sign;
    else if (sign?.startsWith(fence) && line.trim() === sign) fence = undefined;
    if (fence !== undefined || !conflictStart.test(line)) return [];
    const middle = next(conflictMiddle, index);
    const end = middle === -1 ? -1 : next(conflictEnd, middle);
    if (end === -1) return [];
    const message = `Two people changed the same lines, and git kept both versions (a merge conflict) in lines ${index + 1} to ${end + 1}. Keep what is right, and delete the rest with the lines that begin with <<<<<<<, ======= and >>>>>>>.`;
    return { line: index + 1, message };
  });
}

function slip(line: string): string | undefined {
  if (tabInFront.test(line)) return "This line starts with a tab. Use spaces.";
  if (/^[\s-]*[^:"'#]+:[\u00a0\u2007\u202f]|^ *[\u00a0\u2007\u202f]/.test(line))
    return "This line has a special space, pasted from Word or a website. Delete it and type a normal one.";
  const curly = curlyProblem(line);
  if (curly !== undefined) return curly;
  const spaced = spaceDash(line);
  if (spaced !== line) return `A space is missing after the dash: write \`${spaced}\`.`;
  const unspaced = /^(\s*(?:- )?)([a-z_]+):(?![\s/])(.+)$/.exec(line);
  if (unspaced) return `A space is missing after the colon: write \`${unspaced[2]}: ${unspaced[3]}\`.`;
  const [, name, colour] = /^[^"'#]*?(\w+): +(#[0-9a-f]{6})\b/i.exec(line) ?? [];
  if (colour) return `\`#\` starts a comment, so the value is empty. Write \`${name}: "${colour}"\`.`;
  const [, key, value] = /^\s*(?:- )?([^:#"'[{]+): +(.*)$/.exec(line) ?? [];
  if (key === undefined || value === undefined) return undefined;
  // A real comment has a space after #.
  if (/^[^"'[{#][^"']* #\S/.test(value)) {
    return `\` #\` starts a comment, so only \`${value.replace(/ #.*/, "")}\` remains. Write \`${key}: ${inQuotes(value)}\`.`;
  }
  return undefined;
}

/** A parser's error in an editor's words. `line` is the text of its line. */
export function yamlProblem(error: YAMLParseError, line: string): string {
  const [, key, value = ""] = /^\s*(?:- )?([^:]+): +(.*)$/.exec(line) ?? [];
  const isColon = error.code === "BLOCK_AS_IMPLICIT_KEY" || /Nested mappings/.test(error.message);
  if (key !== undefined && isColon && value.includes(":"))
    return `Text with a colon needs quotes: \`${key}: ${inQuotes(value)}\`.`;
  if (key !== undefined && /^'.*'.+'?$/.test(value)) {
    return `The text ends at the apostrophe. Use double quotes: \`${key}: "${value.replace(/^'|'$/g, "")}"\`.`;
  }
  if (error.code === "DUPLICATE_KEY")
    return `The field ${key ?? line.trim().replace(/:$/, "")} is here twice. Keep one.`;
  if (error.code === "MISSING_CHAR" && /quote/.test(error.message)) return "The closing quote is missing.";
  if (error.code === "MISSING_CHAR" || error.code === "BAD_INDENT") {
    return "A bracket is open here or above. Close every [ with ], and every { with }.";
  }
  if (error.code === "BAD_SCALAR_START" && key !== undefined)
    return `Text that starts with \`${value[0]}\` needs quotes: \`${key}: ${inQuotes(value)}\`.`;
  if (key === undefined)
    return "This line isn't a `field: value`. Add the colon and a space, or put quotes around a long text.";
  return "This line can't be read. Compare its indent, quotes and brackets with another file.";
}

/** The message about an anchor, an alias or a tag, which an editor means as text. */
export function referenceProblem(line: string): string {
  const [, lead = "", value = ""] = /^\s*((?:- )?(?:[^:&*!]+: +)?)([&*!].*)$/.exec(line) ?? [];
  const [mark = "", rest = ""] = [/^\S+/.exec(value)?.[0], value.replace(/^\S+\s+/, "")];
  const isField = !lead.includes(":") && /^[^:"'[{|>]+:(?: |$)/.test(rest);
  if (isField || /^[[{|>"']/.test(rest))
    return `\`${mark}\` means something else in front of a ${isField ? "field" : "value"}. Write \`${lead}${rest}\`.`;
  if (value === "") return "This line can't be read. Put quotes around text with one of & * ! ? % in front.";
  return `Text that starts with \`${value[0]}\` needs quotes: \`${lead}${inQuotes(value)}\`.`;
}

const inQuotes = (value: string) => JSON.stringify(value.trim());

/** Fields or list entries with the same indent; `names` are the fields so far. */
interface Level {
  column: number;
  isList: boolean;
  names: string[];
  /** The line where it starts. */
  line: number;
  text: string;
}

/**
 * The first line whose indent or missing dash makes some YAML unreadable, with what to write. Only for YAML that a parser
 * rejects: the parser reports where it gave up, and this what to change.
 */
export function findLayoutProblem(yaml: string): TextProblem | undefined {
  let levels: Level[] = [{ column: 0, isList: false, names: [], line: 1, text: "" }];
  // Whether the line above is a field without a value, which others may be indented below.
  let isOpen = false;
  let textColumn = Number.POSITIVE_INFINITY;
  // The last field to the left of the group above it, and the groups that it ended.
  let outdent: { name: string; line: number; column: number; ended: readonly Level[] } | undefined;
  for (const [index, text] of yaml.split("\n").entries()) {
    const [, blanks = "", dash = "", rest = ""] = /^( *)((?:- +)?)(.*)$/.exec(text) ?? [];
    const column = blanks.length;
    if (rest === "" || rest.startsWith("#") || column > textColumn) continue;
    const [, name, value] = /^([^\s"'[{#-][^:]*|"[^"]*"|'[^']*'):(?:\s+(.*))?$/.exec(rest) ?? [];
    if (name === undefined && dash === "") {
      // Indented further, it continues the text above. Otherwise it isn't a field, which is another error.
      if (column > (levels.at(-1)?.column ?? 0)) continue;
      return undefined;
    }
    const line = index + 1;
    const inner = levels.filter((level) => level.column <= column);
    const top = inner.at(-1);
    const isEntry = dash !== "";
    if (top?.column !== column || top.isList !== isEntry) {
      if (!isOpen || (isEntry ? column < (top?.column ?? 0) : column === top?.column)) {
        const right = isEntry
          ? undefined
          : outdent?.ended.findLast((level) => !level.isList && level.column === column);
        if (outdent && right && isMisplaced(outdent.name, right))
          return { line: outdent.line, message: wrongIndent(`\`${outdent.name}\``, outdent.column, right.column) };
        return wrongPlace({ column, isEntry, line, what: isEntry ? "The dash" : `\`${name}\`` }, levels, inner);
      }
      inner.push({ column, isList: isEntry, names: [], line, text });
      outdent = undefined;
    }
    if (name !== undefined) {
      const fields = isEntry ? undefined : inner.at(-1);
      if (fields?.names[0] === name && inner.at(-2)?.isList)
        return { line, message: missingDash(fields.column - 2, rest) };
      if (fields) fields.names.push(name);
      else inner.push({ column: column + dash.length, isList: false, names: [name], line, text });
    }
    const ended = levels.filter((level) => level.column > column);
    if (name !== undefined && !isEntry && ended.length > 0) outdent = { name, line, column, ended };
    levels = inner;
    isOpen = name !== undefined && /^(?:$|#|[|>][-+\d]*\s*$)/.test(value ?? "");
    textColumn = /^[|>]/.test(value ?? "") ? column : Number.POSITIVE_INFINITY;
  }
  return undefined;
}

/** The message about a line with a wrong indent; `levels` were open above it, and `inner` are those that it doesn't end. */
function wrongPlace(
  { column, isEntry, line, what }: { column: number; isEntry: boolean; line: number; what: string },
  levels: readonly Level[],
  inner: readonly Level[],
): TextProblem | undefined {
  const columns = levels.filter(({ isList }) => isList === isEntry).map((level) => level.column);
  // An entry below fields that should be the first entry.
  const first = levels[inner.length];
  if (isEntry && columns.length === 0)
    return first && { line: first.line, message: missingDash(column, first.text.trim()) };
  const right = columns.reduce((best, each) => (Math.abs(each - column) <= Math.abs(best - column) ? each : best));
  return { line, message: wrongIndent(what, column, right) };
}

/** Whether a field ended the group that it belongs to: a list entry, or names that an editor chose. */
const isMisplaced = (name: string, ended: Level) => ended.column > 2 || !/^[a-z_]+$/.test(name);

const wrongIndent = (what: string, has: number, needs: number) =>
  `Wrong indent: ${what} has ${spaces(has) || "no indent"}, and needs ${spaces(needs) || "none"}.`;

const missingDash = (column: number, field: string) =>
  `A dash is missing at the start of a list entry. Write \`${" ".repeat(column)}- ${field}\`.`;

const spaces = (count: number) => (count === 0 ? "" : `${count} ${count === 1 ? "space" : "spaces"}`);
