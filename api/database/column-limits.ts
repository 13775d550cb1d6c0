/** Bytes that a TEXT column holds; the JSON columns hold any number, but no text of theirs needs more. */
const TEXT_BYTES = 65_535;

/**
 * Says in words what keeps a text from being stored and shown again as it is; undefined when nothing does. `characters`:
 * as many as its VARCHAR column holds.
 */
export function describeUnstorable(text: string, characters = Number.POSITIVE_INFINITY): string | undefined {
  // Half of a surrogate pair has no UTF-8: the driver would store U+FFFD in its place.
  if (!text.isWellFormed()) return "has half a character in it (a lone surrogate)";
  if (text.length > characters && [...text].length > characters) return `is longer than ${characters} characters`;
  return Buffer.byteLength(text) > TEXT_BYTES ? `is longer than ${TEXT_BYTES} bytes` : undefined;
}
