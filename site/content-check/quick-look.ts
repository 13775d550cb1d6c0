import { linkProblem, type Targets } from "./links.ts";

// HTML; what could be a heading with the address of the page's questions, which begins with a q; a heading of level 1 in either style, or one that could jump a level, also within a list or quotation; a picture; a link's definition apart.
const doubtful = /<[a-z/!?]|^[\W\d_]*[q&]|^[\s>*+.)\d-]*(#\s|###|=+\s*$)|!\[|^[\s>*+.)\d-]*\[[^\]]*\]:/im;

/**
 * Whether a .md text can hold no mistake, seen without parsing it: parsing takes a millisecond, which a catalogue of
 * 10,000 products would feel. It may doubt what is right, and never passes what a parser would complain about.
 */
export function isSurelyRight(text: string, path: string, targets: Targets): boolean {
  if (doubtful.test(text)) return false;
  if (targets.baseUrl !== undefined && text.toLowerCase().includes(new URL(targets.baseUrl).host)) return false;
  const urls = text.matchAll(/\]\(\s*([^\s)]*)/g);
  return [...urls].every(([, url = ""]) => !/[\\&]/.test(url) && linkProblem(url, path, targets) === undefined);
}
