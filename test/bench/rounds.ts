/** Measurements per side. */
export const ROUNDS = 5;

/**
 * Measures all sides in turn, so that other load falls on all of them. A different side begins each round. Returns each
 * side's figures in the order of the rounds.
 */
export async function interleave<Name extends string, Figure>(
  sides: Readonly<Record<Name, () => Promise<Figure>>>,
  rounds = ROUNDS,
): Promise<Record<Name, Figure[]>> {
  const names = Object.keys(sides) as Name[];
  const figures = Object.fromEntries(names.map((name) => [name, [] as Figure[]])) as Record<Name, Figure[]>;
  for (let round = 0; round < rounds; round += 1) {
    for (let place = 0; place < names.length; place += 1) {
      const name = names[(round + place) % names.length] as Name;
      figures[name][round] = await sides[name]();
    }
  }
  return figures;
}
