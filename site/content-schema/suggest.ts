/** A cache by the object of candidates, because a thousand files may have the same typo. */
const found = new WeakMap<Iterable<string>, Map<string, string | undefined>>();

/**
 * The candidate most similar to a mistyped word: at most a third of its letters differ.
 * Undefined when none is that similar.
 *
 * @param candidates results are cached by this object, so it must not change
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

/** ` Did you mean …?` with a leading space for the end of a message, or "". */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const candidate = nearest(word, candidates);
  return candidate === undefined ? "" : ` Did you mean \`${candidate}\`?`;
}

/** The Levenshtein distance. */
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
