import { lettersOf, mayBeMeant } from "../../contract/search/tokens.ts";

/** A word that a slip may have meant. */
interface Candidate {
  letters: number;
  /** Read only where the letters don't decide. */
  readWord(): string;
  /** The number of entries that have it. */
  countEntries(): number;
}

/**
 * Finds the most similar of the known words, and of those the most frequent. One letter of a short word may be wrong, two
 * of a word from seven letters on; two letters the wrong way round count as one.
 *
 * @param wordsOf the words of a length that may be meant
 */
export function mend(word: string, wordsOf: (length: number) => Iterable<Candidate>): string | undefined {
  if (!mayBeMeant(word) || word.length > 30) return undefined;
  const most = word.length < 7 ? 1 : 2;
  const letters = lettersOf(word);
  let best: { word: string; distance: number; entries: number } | undefined;
  for (let length = word.length - most; length <= word.length + most; length += 1)
    for (const candidate of wordsOf(length)) {
      // Each wrong letter changes at most two of the 32 bits.
      if (countBits(letters ^ candidate.letters) > 2 * most) continue;
      const similar = candidate.readWord();
      const distance = editDistance(word, similar);
      if (distance > most) continue;
      // A wrong first letter is rare, and one slip is likelier than two.
      const cost = distance + (word[0] === similar[0] ? 0 : 0.5);
      if (best && cost > best.distance) continue;
      const entries = candidate.countEntries();
      if (best && cost === best.distance && entries <= best.entries) continue;
      best = { word: similar, distance: cost, entries };
    }
  return best?.word;
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
