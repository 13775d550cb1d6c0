import { createHash } from "node:crypto";
import { SKU } from "../../api/contract/patterns.ts";

const allowed = new RegExp(SKU);
const LONGEST = 64;

/** Whether a text can be a SKU here. */
export const isSku = (text: string): boolean => allowed.test(text) && text.length <= LONGEST;

/** A text in ASCII with hyphens for all else; undefined if letters would be lost. */
function inAscii(text: string): string | undefined {
  const plain = text.normalize("NFKD").replaceAll(/\p{M}/gu, "").replaceAll("ß", "ss").replaceAll("ø", "o");
  if (/[^\P{L}a-z]/iu.test(plain)) return undefined;
  const words = plain.match(/[\w.+/]+/g) ?? [];
  return words.length === 0 ? undefined : words.join("-");
}

/** The same letters for the same text, where it has none in ASCII. */
const digest = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 8).toUpperCase();

/**
 * A SKU for a version that has none, or one that isn't allowed. It depends on nothing but what is given, so that it is the
 * same in the next run.
 *
 * @param isFree whether nothing else has it
 */
export function proposeSku(
  { written, slug, values }: { written: string; slug: string; values: readonly string[] },
  isFree: (sku: string) => boolean,
): string {
  const own = written === "" ? undefined : inAscii(written);
  const ofProduct = (inAscii(slug) ?? `P-${digest(slug)}`).toUpperCase().slice(0, 36).replace(/-+$/, "");
  const ofVersion = values.map((value) => (inAscii(value) ?? digest(value)).toUpperCase().slice(0, 12));
  const base = (own ?? [ofProduct, ...ofVersion].join("-")).slice(0, LONGEST - 4).replace(/-+$/, "");
  for (let count = 1; ; count += 1) {
    const sku = count === 1 ? base : `${base}-${count}`;
    if (isFree(sku)) return sku;
  }
}
