import { git } from "../content/git.ts";

/** A line of a file's difference. */
export interface Line {
  kind: "added" | "removed" | "kept";
  text: string;
}

const KINDS: Readonly<Record<string, Line["kind"]>> = { "+": "added", "-": "removed", " ": "kept", "@": "kept" };

/**
 * The lines in which two trees or commits differ, by the file's path in the second or, if it was deleted, in the first, with
 * two lines around each. A file that isn't a text has none.
 */
export async function readDifferences(repository: string, before: string, after: string): Promise<Map<string, Line[]>> {
  const args = ["diff", "--no-color", "--no-ext-diff", "-M70%", "-U2", "--no-prefix", before, after, "--", "content"];
  const files = (await git(repository, args)).toString().split(/^diff --git .*\n/m);
  return new Map(files.slice(1).map(parseFile));
}

function parseFile(text: string): [path: string, lines: Line[]] {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => line.startsWith("@@"));
  const head = start === -1 ? lines : lines.slice(0, start);
  const nameAfter = (mark: string) => head.find((line) => line.startsWith(mark))?.slice(mark.length);
  const names = [nameAfter("+++ "), nameAfter("--- "), nameAfter("rename to ")];
  const path = names.find((name) => name !== undefined && name !== "/dev/null") ?? "";
  const body = start === -1 ? [] : lines.slice(start, -1);
  return [
    path.replace(/\t$/, ""),
    body.flatMap((line) => {
      const kind = KINDS[line.charAt(0)];
      if (kind === undefined) return [];
      return { kind, text: line.startsWith("@@") ? "…" : line.slice(1) };
    }),
  ];
}
