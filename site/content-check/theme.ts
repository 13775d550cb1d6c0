import { existsSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { transform } from "lightningcss";
import { didYouMean } from "../content-schema/suggest.ts";
import { readTextFile } from "./content-files.ts";
import { compareProblems, type Problem } from "./problem.ts";

const FILE = "content/theme.css";

/** Compressed, as browsers get it: what most pages leave of the 14 kB that arrive at once (site/README.md). */
const MOST_BYTES = 1_000;

/** Finds what is wrong with content/theme.css: syntax, other files than those of content/static/, or too many bytes. */
export function findThemeProblems(root: string, files: ReadonlySet<string>): Problem[] {
  if (!existsSync(join(root, FILE))) return [];
  const { text: written, problems: unreadable } = readTextFile(root, FILE);
  if (unreadable.length > 0) return unreadable;
  // An error at the end is on the last line that has something.
  const text = written.trimEnd();
  const read = readTheme(text);
  if ("message" in read) return [{ file: FILE, ...read }];
  const problems = read.uses.flatMap(({ line, ...use }): Problem[] => {
    const message = use.isImport ? IMPORT : urlProblem(use.url, files);
    return message === undefined ? [] : [{ file: FILE, line, message }];
  });
  problems.push(...findOldTricks(text));
  if (read.bytes > MOST_BYTES) {
    const over = `${read.bytes - MOST_BYTES}`;
    const message = `Browsers get ${read.bytes} bytes of this file, compressed, and the limit is ${MOST_BYTES}: page and styles should arrive at once. Take out rules that make ${over} bytes.`;
    problems.push({ file: FILE, line: 1, message });
  }
  return problems.sort(compareProblems);
}

const IMPORT =
  "`@import` would make every page wait for another file. Copy its rules into this one; a font goes into `look` in store.yaml.";

/** Another file that the style sheet names. */
interface Use {
  url: string;
  isImport: boolean;
  line: number;
}

function readTheme(text: string): { uses: Use[]; bytes: number } | { line: number; message: string } {
  try {
    const { code, dependencies } = parse(text);
    if (isValid(`${text}}`)) return { line: text.split("\n").length, message: UNCLOSED };
    const uses = (dependencies ?? []).flatMap((each): Use[] =>
      each.type === "import" || each.type === "url"
        ? [{ url: each.url, isImport: each.type === "import", line: each.loc.start.line }]
        : [],
    );
    const params = { [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT };
    return { uses, bytes: code.length === 0 ? 0 : brotliCompressSync(code, { params }).length };
  } catch (error) {
    const { message = String(error), loc } = error as { message?: string; loc?: { line: number } };
    return {
      line: loc?.line ?? 1,
      message: `This isn't valid CSS: ${message.replace(/\.$/, "")}. Correct or delete the rule.`,
    };
  }
}

const UNCLOSED =
  "The file ends within a rule or a comment, so that browsers may pass over much of it. Close each `{` with `}`, and each `/*` with `*/`.";

function isValid(text: string): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}

const parse = (text: string) =>
  transform({ filename: FILE, code: Buffer.from(text), minify: true, analyzeDependencies: { preserveImports: true } });

function urlProblem(url: string, files: ReadonlySet<string>): string | undefined {
  if (url.startsWith("#") || files.has(url)) return undefined;
  if (/^data:/i.test(url))
    return "A file within this one (`data:`) isn't shown: the shop's Content-Security-Policy refuses it. Put it into content/static/, and write `url(/name.png)`.";
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(url))
    return `\`${url.slice(0, 80)}\` is on another website, which the shop's Content-Security-Policy refuses. Put the file into content/static/, and write \`url(/name.png)\`.`;
  const name = `/${url.replace(/^[./]+/, "")}`;
  const near = files.has(name) ? ` Write \`url(${name})\`.` : didYouMean(name, files);
  return `No file \`${url}\` in content/static/.${near || " Put it there, and begin its address with a slash: `url(/name.png)`."}`;
}

/** What ran scripts in browsers of long ago. */
function findOldTricks(text: string): Problem[] {
  const bare = text.replaceAll(/\/\*[\s\S]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, " "));
  return [...bare.matchAll(/(?<![\w-])(behavior|-moz-binding)\s*:|(?<![\w-])(expression)\s*\(/gi)].map(
    ({ 1: property, 2: name, index }) => ({
      file: FILE,
      line: bare.slice(0, index).split("\n").length,
      message: `\`${property ?? name}\` does nothing in any browser of today. Delete it.`,
    }),
  );
}
