import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..");
const read = (file: string) => readFileSync(join(ROOT, file), "utf8");
const names = (text: string, pattern: RegExp) =>
  [...new Set([...text.matchAll(pattern)].map((match) => match.slice(1).find(Boolean)))].sort();

/** Names that are read from the environment but are no settings of ours. */
const FOREIGN = ["PATH"];

function settingsInCode(): (string | undefined)[] {
  const files = globSync(["api/**/*.ts", "nginx/**/*.ts", "site/{src,publish,markdown-face,content-check}/**/*.ts"], {
    cwd: ROOT,
    exclude: (path) => path.includes("node_modules"),
  });
  const code = files.map(read).join("\n");
  // As `source["NAME"]`, or as a field of the schema that all of a process's settings are read by.
  const found = names(
    code,
    /(?:source|values|env)\[["']([A-Z][A-Z_]+)["']\]|process\.env\.([A-Z][A-Z_]+)|^ {2}([A-Z][A-Z_]+): Type\./gm,
  );
  return found.filter((name) => !FOREIGN.includes(name ?? ""));
}

test("the code reads the settings that .env.example lists, and no others", () => {
  expect(settingsInCode()).toEqual(names(read(".env.example"), /^([A-Z_]+)=/gm));
});

test("the README's table lists the settings of .env.example", () => {
  const rows = read("README.md")
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) => line.split("|")[1] ?? "")
    .join("\n");
  expect(names(rows, /`([A-Z_]+)`/g)).toEqual(names(read(".env.example"), /^([A-Z_]+)=/gm));
});
