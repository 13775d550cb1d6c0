import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join(import.meta.dirname, "../../../site/src/developers/pages");

const files = ["", "-loop", "-webhook", "-payments", "-fulfillments", "-acts", "-fields"].map(
  (name) => `developers${name}`,
);

/** The sources of the developer page and of the pages below it. */
export const page = files.map((file) => readFileSync(join(FOLDER, `${file}.mdx`), "utf8")).join("\n");

/** The text below a heading, up to the next of its level or above. Throws if the heading is missing. */
export function sectionOf(heading: string): string {
  const lines = page.split("\n");
  const first = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, "") === heading);
  if (first === -1) throw new Error(`The developer page has no heading "${heading}"`);
  const level = lines[first]?.indexOf(" ") ?? 0;
  const after = lines.slice(first + 1);
  const end = after.findIndex((line) => new RegExp(`^#{1,${level}} `).test(line));
  return after.slice(0, end === -1 ? undefined : end).join("\n");
}

/** The first code block of a language below a heading. Throws if it is missing. */
export function codeOf(heading: string, language: string): string {
  const code = new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, "m").exec(sectionOf(heading))?.[1];
  if (code === undefined) throw new Error(`No ${language} below "${heading}"`);
  return code;
}

/** The rows of the first table below a heading, without its header, as Markdown. */
export function tableOf(heading: string): string[][] {
  const lines = sectionOf(heading).split("\n");
  const table = lines.slice(lines.findIndex((line) => line.startsWith("|")));
  const end = table.findIndex((line) => !line.startsWith("|"));
  const rows = table.slice(2, end === -1 ? undefined : end);
  return rows.map((row) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** Whether a program is installed. */
export const isInstalled = (program: string) => spawnSync("which", [program]).status === 0;
