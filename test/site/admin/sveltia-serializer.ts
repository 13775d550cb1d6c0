import { parse, stringify } from "yaml";
import { printForm } from "../../../site/admin/forms/form-text.ts";
import { type FileFormat, readFile } from "../../../site/admin/forms/writer.ts";

/**
 * What Sveltia's own serializer makes of a file in which nothing was changed: every text trimmed, every string in YAML's
 * plainest style, a blank line above the text, and emphasis by underscores.
 */
export function saveUnchanged(format: FileFormat, file: string): string {
  const shown = printForm(format, readFile(format, file)).trim();
  const [, head = "", body = ""] =
    format.body === "none" ? [shown, shown] : (/^---\n([\s\S]*?)\n---(?:\n([\s\S]*))?$/.exec(shown) ?? []);
  const yaml = stringify(trimAll(parse(head)), null, {
    indent: 2,
    indentSeq: true,
    lineWidth: 0,
    defaultKeyType: "PLAIN",
    defaultStringType: "PLAIN",
    singleQuote: true,
  }).trim();
  if (format.body === "none") return `${yaml}\n`;
  const text = format.body === "markdown" ? rewriteEmphasis(body.trim()) : body.trim();
  return `---\n${yaml}\n---\n${text === "" ? "" : `\n${text}\n`}`;
}

function trimAll(value: unknown): unknown {
  if (typeof value === "string") return value.trim();
  if (Array.isArray(value)) return value.map(trimAll);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, trimAll(each)]));
}

/** Outside code, in which asterisks are only asterisks. */
const rewriteEmphasis = (text: string) =>
  text.replaceAll(
    /(```[\s\S]*?```|`[^`\n]*`)|(?<![\w*\\])\*(?![\s*])([^*\n`]+?)(?<![\s*\\])\*(?![\w*])/g,
    (all, code, words) => (code === undefined ? `_${words}_` : all),
  );
