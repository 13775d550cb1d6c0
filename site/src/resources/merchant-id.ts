import { createHash } from "node:crypto";

const maxCharacters = 50;

/**
 * Shortens an ASCII id to the 50 characters that Google Merchant Center accepts: a longer one keeps its beginning and ends with a
 * hash that keeps it unique.
 *
 * @see https://support.google.com/merchants/answer/6324405 and https://support.google.com/merchants/answer/6324507
 */
export function merchantId(id: string): string {
  if (id.length <= maxCharacters) return id;
  const hash = createHash("sha256").update(id).digest("hex").slice(0, 12);
  return `${id.slice(0, maxCharacters - hash.length - 1)}-${hash}`;
}
