import { createHash } from "node:crypto";

const mostCharacters = 50;

/**
 * An id of ASCII characters as Google Merchant Center takes it, of at most 50 characters: a longer one keeps its beginning,
 * and the hash of the whole at its end tells it from others that begin alike.
 *
 * @see https://support.google.com/merchants/answer/6324405 and https://support.google.com/merchants/answer/6324507
 */
export function merchantId(id: string): string {
  if (id.length <= mostCharacters) return id;
  const hash = createHash("sha256").update(id).digest("hex").slice(0, 12);
  return `${id.slice(0, mostCharacters - hash.length - 1)}-${hash}`;
}
