/** Finds the word that was probably meant. */
export type Mend = (word: string) => string | undefined;

interface Candidate {
  word: string;
  letters: number;
  /** The number of pages that have it. */
  pages: number;
}

/** Shorter words are too similar to each other. */
const SHORTEST = 4;

/**
 * Returns a function that finds the most similar of the known words, and of those the most frequent. One letter of a
 * short word may be wrong, two of a word from seven letters on; two letters the wrong way round count as one.
 */
export function makeMend(known: Iterable<[word: string, pages: number]>): Mend {
  const byLength = new Map<number, Candidate[]>();
  for (const [word, pages] of known) {
    if (word.length < SHORTEST || !/^\p{L}+$/u.test(word)) continue;
    const alike = byLength.get(word.length) ?? [];
    byLength.set(word.length, alike);
    alike.push({ word, letters: lettersOf(word), pages });
  }
  return (word) => {
    if (word.length < SHORTEST || word.length > 30 || !/^\p{L}+$/u.test(word)) return undefined;
    const most = word.length < 7 ? 1 : 2;
    const letters = lettersOf(word);
    let best: { word: string; distance: number; pages: number } | undefined;
    for (let length = word.length - most; length <= word.length + most; length += 1)
      for (const candidate of byLength.get(length) ?? []) {
        // Each wrong letter changes at most two of the 32 bits.
        if (countBits(letters ^ candidate.letters) > 2 * most) continue;
        const distance = editDistance(word, candidate.word);
        if (distance > most) continue;
        // A wrong first letter is rare, and one slip is likelier than two.
        const cost = distance + (word[0] === candidate.word[0] ? 0 : 0.5);
        if (best && (cost > best.distance || (cost === best.distance && candidate.pages <= best.pages))) continue;
        best = { word: candidate.word, distance: cost, pages: candidate.pages };
      }
    return best?.word;
  };
}

/** A bit for each letter that occurs. */
function lettersOf(word: string): number {
  let letters = 0;
  for (let index = 0; index < word.length; index += 1) letters |= 1 << (word.charCodeAt(index) & 31);
  return letters;
}

function countBits(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}

/** The Damerau-Levenshtein distance, without edits inside swapped pairs. */
function editDistance(from: string, to: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = at(previous, column - 1) + (from[row - 1] === to[column - 1] ? 0 : 1);
      let fewest = Math.min(replaced, at(previous, column) + 1, at(current, column - 1) + 1);
      if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1])
        fewest = Math.min(fewest, at(before, column - 2) + 1);
      current.push(fewest);
    }
    before = previous;
    previous = current;
  }
  return at(previous, to.length);
}

const at = (row: readonly number[], column: number) => row[column] ?? 0;
