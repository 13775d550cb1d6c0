import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, inject, test } from "vitest";

/** Pictures and compressed twins have no text of their own. */
const NO_TEXT = /\.(br|gz|avif|webp|png|jpe?g|woff2|ico)$/;

test("nothing public speaks of the assistant's tools or of the editors' pages, except the lines of robots.txt that forbid their addresses", async () => {
  const dist = inject("dist");
  const files = (await readdir(dist, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !NO_TEXT.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    // What the API and the next build read, and what the editors' own pages load.
    .filter((file) => !/^(?:\.|admin\/)/.test(file.slice(dist.length + 1)));
  expect(files.length).toBeGreaterThan(100);
  const lines: string[] = [];
  for (const file of files) {
    const text = await readFile(file, "utf8");
    for (const line of text.split("\n"))
      if (/api\/(assistant|admin)|"\/admin|assistant-identity|start_verification|hand_over/i.test(line))
        lines.push(`${file.slice(dist.length + 1)}: ${line.trim().slice(0, 200)}`);
  }
  expect([...new Set(lines)].sort()).toEqual([
    "robots.txt: Disallow: /api/admin",
    "robots.txt: Disallow: /api/assistant",
  ]);
});
