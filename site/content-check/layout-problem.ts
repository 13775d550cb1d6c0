import type { TextProblem } from "./yaml-problems.ts";

/** Fields or list entries below each other; `names` are the fields so far. */
interface Level {
  column: number;
  isList: boolean;
  names: string[];
  /** Where it begins. */
  line: number;
  text: string;
}

/**
 * The first line of some YAML whose indentation or missing dash makes it unreadable, with what to write. Only for YAML that
 * a parser refuses: the parser names the place where it gave up, and this what an editor would have to change.
 */
export function findLayoutProblem(yaml: string): TextProblem | undefined {
  let levels: Level[] = [{ column: 0, isList: false, names: [], line: 1, text: "" }];
  // Whether the line above is a field without a value, so that deeper ones may follow.
  let isOpen = false;
  let textColumn = Number.POSITIVE_INFINITY;
  // The last field that ended groups of fields by being further to the left than they are.
  let outdent: { name: string; line: number; column: number; ended: readonly Level[] } | undefined;
  for (const [index, text] of yaml.split("\n").entries()) {
    const [, blanks = "", dash = "", rest = ""] = /^( *)((?:- +)?)(.*)$/.exec(text) ?? [];
    const column = blanks.length;
    if (rest === "" || rest.startsWith("#") || column > textColumn) continue;
    const [, name, value] = /^([^\s"'[{#-][^:]*|"[^"]*"|'[^']*'):(?:\s+(.*))?$/.exec(rest) ?? [];
    if (name === undefined && dash === "") {
      // Deeper than its field it goes on with the text above; otherwise it is no field, which is the mistake.
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

/** What to do about a line that stands below nothing; `levels` were open above it, and `inner` of these are as far to the left. */
function wrongPlace(
  { column, isEntry, line, what }: { column: number; isEntry: boolean; line: number; what: string },
  levels: readonly Level[],
  inner: readonly Level[],
): TextProblem | undefined {
  const columns = levels.filter(({ isList }) => isList === isEntry).map((level) => level.column);
  // An entry below fields that stand where the first entry should.
  const first = levels[inner.length];
  if (isEntry && columns.length === 0)
    return first && { line: first.line, message: missingDash(column, first.text.trim()) };
  const right = columns.reduce((best, each) => (Math.abs(each - column) <= Math.abs(best - column) ? each : best));
  return { line, message: wrongIndent(what, column, right) };
}

/** Whether a field ended a group that it belongs to: within a list's entry, or with a name that no field of ours has. */
const isMisplaced = (name: string, ended: Level) => ended.column > 2 || !/^[a-z_]+$/.test(name);

const wrongIndent = (what: string, has: number, needs: number) =>
  `Wrong indent: ${what} has ${spaces(has) || "no indent"}, and needs ${spaces(needs) || "none"}.`;

const missingDash = (column: number, field: string) =>
  `A dash is missing where an entry of the list begins: write \`${" ".repeat(column)}- ${field}\`.`;

const spaces = (count: number) => (count === 0 ? "" : `${count} ${count === 1 ? "space" : "spaces"}`);
