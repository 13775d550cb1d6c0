/**
 * Whether If-None-Match covers an entity tag (RFC 9110 §13.1.2): `*`, or a list in which one tag is equal by weak
 * comparison, which looks past `W/`. `etag` is a strong tag with its quotes.
 */
export function matchesEntityTag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return [...ifNoneMatch.matchAll(/("[!#-~\x80-\xff]*")/g)].some(([, tag]) => tag === etag);
}
