import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..", "..", "..");
const PAGE = readFileSync(join(ROOT, "site/catalogue-import/README.md"), "utf8");
const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));

/** Small exports of the shapes that the page speaks of, of invented goods. */
export const EXPORTS = join(import.meta.dirname, "..", "..", "fixtures", "exports");

/** The blocks of the page “From your shop to this one” in a language. */
const blocks = (language: string): string[] =>
  Array.from(PAGE.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm")), ([, block = ""]) => block);

/** The commands of the page, as they are typed. */
export const pageCommands = (): string[] =>
  blocks("sh").flatMap((block) =>
    block
      .trim()
      .split("\n")
      .map((line) => line.replace(/ +#.*$/, "")),
  );

/** What Node is given for a command of the page, with other paths in place of the page's. */
export function pageCommand(name: string, paths: Record<string, string>): string[] {
  const [, typed = ""] =
    pageCommands()
      .map((line) => new RegExp(`^npm run ${name} -- (.+)$`).exec(line))
      .find((found) => found !== null) ?? [];
  const [, program = "", given = ""] = /node (?:.* )?(\S+\.ts)(.*)$/.exec(scripts[name] ?? "") ?? [];
  if (typed === "" || program === "") throw new Error(`The page has no command ${name}.`);
  const named = (word: string) => {
    const path = Object.keys(paths).find((each) => word.startsWith(each));
    return path === undefined ? word : word.replace(path, () => paths[path] ?? "");
  };
  return [program, ...given.split(" ").filter(Boolean), ...typed.split(" ").map(named)];
}

/** Writes into a new shop what the page has its owner write before somebody can order. */
export function fillIn(shop: string): void {
  const edit = (file: string, change: (text: string) => string) =>
    writeFileSync(join(shop, file), change(readFileSync(join(shop, file), "utf8")));
  const [lines = ""] = blocks("yaml");
  edit("content/store.yaml", (text) =>
    text.replace("# shipping:\n# payment:\n", () => lines).replaceAll(': "?"', ': "12345"'),
  );
  edit("content/pages/terms.md", (text) =>
    text.replace("draft: true\n", "").replaceAll(/^\?$/gm, "Es gilt das Gesetz."),
  );
}
