import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..");
const read = (file: string) => readFileSync(join(ROOT, file), "utf8");
const names = (text: string, pattern: RegExp) =>
  [...new Set([...text.matchAll(pattern)].map((match) => match.slice(1).find(Boolean)))].sort();

/** Read from the environment, but not our settings; shop-command.ts sets NO_SHOP and PROVIDED_SETTINGS. */
const FOREIGN = ["PATH", "INIT_CWD", "LISTEN_FDS", "LISTEN_PID", "NO_SHOP", "PROVIDED_SETTINGS"];

function settingsInCode(): (string | undefined)[] {
  const files = globSync(["api/**/*.ts", "nginx/**/*.ts", "site/**/*.ts"], {
    cwd: ROOT,
    exclude: (path) => /node_modules|dist|\.builds|\.cache|\.astro/.test(path),
  });
  const code = files.map(read).join("\n");
  // Written as `source["NAME"]`, or as a field of a process's settings schema.
  const found = names(
    code,
    /(?:source|values|env)\[["']([A-Z][A-Z_]+)["']\]|process\.env\.([A-Z][A-Z_]+)|^ {2}([A-Z][A-Z_]+): Type\./gm,
  );
  return found.filter((name) => !FOREIGN.includes(name ?? ""));
}

test("a search of the code finds exactly the settings that .env.example lists", () => {
  expect(settingsInCode()).toEqual(names(read(".env.example"), /^([A-Z_]+)=/gm));
});

test(".env.example explains each setting, and says what holds without it", () => {
  const [, ...paragraphs] = read(".env.example").trim().split("\n\n");
  const unexplained = paragraphs.filter((paragraph) => !/^# .*\bDefault\b/s.test(paragraph.split(/^[A-Z]/m)[0] ?? ""));
  expect(unexplained).toEqual([]);
});
