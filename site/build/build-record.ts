import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** In a build's folder, so that it is deleted with it; nginx doesn't serve dot files. Its time is when it was last found current. */
export const RECORD = ".built-from";

/** A route's path, such as `/products/tavrel-pip`, and the key of what it shows; null for a route without one. */
export type RouteKeys = Record<string, string | null>;

/** What a complete build was made from: parts of its BuildInput, and its pages. */
export interface BuildRecord {
  whole: string;
  code: string;
  redirects: string;
  keys: RouteKeys;
  /** The commit of CONTENT_REPOSITORY; none without one. */
  content?: string | undefined;
  /** The hash of its stock facts (stock-facts.ts); none in a build of an earlier version. */
  facts?: string | undefined;
}

/** Reads the record of the build in a folder; undefined if there is none, or one of an earlier version. */
export function readRecord(folder: string): BuildRecord | undefined {
  const file = join(folder, RECORD);
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  return text.startsWith("{") ? JSON.parse(text) : undefined;
}

/** Records what a build was made from, once it is complete. */
export function writeRecord(folder: string, { whole, code, redirects, keys, content, facts }: BuildRecord): void {
  writeFileSync(join(folder, RECORD), JSON.stringify({ whole, code, redirects, keys, content, facts }));
}
