import { createHash } from "node:crypto";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "astro/zod";
import { putFile } from "./put-file.ts";

/** What is known of a product that was imported. */
const remembered = z.object({
  /** How the export calls it. */
  key: z.string(),
  slug: z.string(),
  /** A hash of what the export said; "" while pictures are missing. */
  source: z.string(),
  /** A hash of the file as it was written. */
  written: z.string(),
  /** Proposed SKUs, by what the export has in their place. */
  skus: z.record(z.string(), z.string()).default({}),
  /** Pictures beside the product's file, by their source. */
  pictures: z.record(z.string(), z.string()).default({}),
});

export type Remembered = z.infer<typeof remembered>;

/** Beside content/: a line of JSON for each product, so that Git shows what changed. */
export const MEMORY_FILE = ".imported.jsonl";

/** A line of it. One that is `begun` is written before the product's file, and again without that afterwards. */
const line = remembered.extend({ begun: z.literal(true).optional() });

/** What imports have done so far. A line that a killed process has left half isn't one. */
export function openMemory(root: string) {
  const file = join(root, MEMORY_FILE);
  const done = new Map<string, Remembered>();
  const begun = new Map<string, Remembered>();
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  for (const each of text.split("\n")) {
    const read = readLine(each);
    if (read === undefined) continue;
    const { begun: isBegun, ...entry } = read;
    (isBegun ? begun : done).set(entry.key, entry);
    if (!isBegun) begun.delete(entry.key);
  }
  const written = new Set([...done.values(), ...begun.values()].map((entry) => `${entry.slug} ${entry.written}`));
  let isWhole = text === "" || text.endsWith("\n");
  const append = (entry: z.infer<typeof line>) => {
    appendFileSync(file, `${isWhole ? "" : "\n"}${JSON.stringify(entry)}\n`);
    isWhole = true;
  };
  return {
    /** What is known of a product whose file has this text, undefined if there is no file. */
    get: (key: string, textOf: (slug: string) => string | undefined): Remembered | undefined => {
      const last = begun.get(key);
      const text = last && textOf(last.slug);
      // Killed between the file and its second line.
      if (last && text !== undefined && hashOf(text) === last.written) {
        done.set(key, last);
        begun.delete(key);
      }
      return done.get(key);
    },
    /** Whether a product's file is as an import has left it. */
    hasWritten: (slug: string, text: string): boolean => written.has(`${slug} ${hashOf(text)}`),
    begin: (entry: Remembered): void => append({ ...entry, begun: true }),
    keep: (entry: Remembered): void => {
      done.set(entry.key, entry);
      begun.delete(entry.key);
      append(entry);
    },
    /** One line for each product, in the order of their keys; what another file's import has begun stays so. */
    tidy: (): void => {
      const all: z.infer<typeof line>[] = [...done.values()];
      for (const entry of begun.values()) all.push({ ...entry, begun: true });
      if (all.length === 0) return;
      const sorted = all.sort((a, b) => (a.key < b.key ? -1 : 1));
      putFile(root, MEMORY_FILE, sorted.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
    },
  };
}

export type Memory = ReturnType<typeof openMemory>;

function readLine(text: string): z.infer<typeof line> | undefined {
  try {
    return line.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

export const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 32);
