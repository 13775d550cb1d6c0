import { readFileSync } from "node:fs";
import { join } from "node:path";

const README = join(import.meta.dirname, "..", "..", "..", "content", "README.md");

/** What content/README.md says of each field of a product or category, by the field's name; none without the file. */
export function readHints(): ReadonlyMap<string, string> {
  let text: string;
  try {
    text = readFileSync(README, "utf8");
  } catch {
    return new Map();
  }
  const found = text.matchAll(
    /^(?:\| (?<names>`[^|]+) \| (?<row>[^|]+) \|(?:[^|\n]+\|)?|- `(?<name>\w+)`: (?<item>.+))$/gm,
  );
  const hints = new Map<string, string>();
  for (const { groups } of found) {
    const names = groups?.["name"] === undefined ? (groups?.["names"]?.match(/\w+/g) ?? []) : [groups["name"]];
    const hint = asPlainText(groups?.["row"] ?? groups?.["item"] ?? "");
    for (const name of names) if (!hints.has(name)) hints.set(name, hint);
  }
  return hints;
}

/** Without the Markdown that a form would show as signs, the words that only lead on in the README, and the lines of a file. */
const asPlainText = (text: string): string =>
  text
    .replaceAll(/[:,]? see \[?(?:below|above)\]?(?:\([^)]*\))?/g, "")
    .replaceAll(/\[([^\]]+)\]\(#[^)]*\)/g, "$1")
    .replaceAll(/`/g, "")
    .replaceAll(/\b(leave) (?:the line|it) out/gi, "$1 it empty")
    .trim();
