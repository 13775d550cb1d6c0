/** How often each side is measured. */
export const ROUNDS = 5;

/**
 * Measures all sides in turn, again and again: what else the machine does falls on all of them. Who begins changes from
 * round to round. Returns each side's figures in the order of the rounds.
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
