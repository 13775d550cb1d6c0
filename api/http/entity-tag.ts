import { createHash } from "node:crypto";
import type { TSchema } from "typebox";
import packageJson from "../package.json" with { type: "json" };

/**
 * Eight digits that differ between two schemas, and between two versions of this service: the part of an entity tag
 * that lets a client see a field which an upgrade added, though nothing that is stored has changed.
 */
export const schemaTag = (schema: TSchema): string =>
  createHash("sha256")
    .update(JSON.stringify([packageJson.version, schema]))
    .digest("hex")
    .slice(0, 8);

/**
 * Whether If-None-Match covers an entity tag (RFC 9110 §13.1.2): `*`, or a list in which one tag is equal by weak
 * comparison, which looks past `W/`. `etag` is a strong tag with its quotes.
 */
export function matchesEntityTag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return [...ifNoneMatch.matchAll(/("[!#-~\x80-\xff]*")/g)].some(([, tag]) => tag === etag);
}
