/** What was found, by the object that has the candidates: one mistake may be in a thousand files, and each has to be compared with every page. */
const found = new WeakMap<Iterable<string>, Map<string, string | undefined>>();

/**
 * The candidate that a mistyped word was most likely meant to be: at most a third of its letters differ.
 * Undefined when nothing is that near.
 *
 * @param candidates the same each time that the same object is given
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const known = found.get(candidates) ?? new Map<string, string | undefined>();
  found.set(candidates, known);
  if (!known.has(word)) known.set(word, findNearest(word, candidates));
  return known.get(word);
}

function findNearest(word: string, candidates: Iterable<string>): string | undefined {
  const lower = word.toLowerCase();
  let best: string | undefined;
  let fewest = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(lower, candidate.toLowerCase());
    if (distance < fewest) {
      fewest = distance;
      best = candidate;
    }
  }
  return best;
}

/** ` Did you mean …?` with a leading space, or nothing: the tail of a message. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const candidate = nearest(word, candidates);
  return candidate === undefined ? "" : ` Did you mean \`${candidate}\`?`;
}

/** Levenshtein's distance: the least number of letters to insert, delete or replace. */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [row, letter] of [...from].entries()) {
    const current = [row + 1];
    for (let column = 1; column <= to.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (letter === to[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[to.length] ?? 0;
}
