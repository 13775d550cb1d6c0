import type { Variant } from "../../content-schema/product.ts";
import { compareVersions } from "./offer.ts";
import { isSize } from "./option-property.ts";

/** How many values of an option the style sheet has a rule for (styles/product/version-rules.css). */
const MAX_OPTION_VALUES = 60;

/** A page has a line for each combination of values, up to so many. */
const MAX_COMBINATIONS = 250;

/** An option as it is chosen: its values in the order in which they first appear. */
export interface Choice {
  name: string;
  values: string[];
  /** The value that is chosen beforehand; undefined if the customer has to. */
  chosen: string | undefined;
}

/**
 * The options of two or more versions. A size is never chosen beforehand; the others begin with the version that can be had
 * soonest, and of these the cheapest.
 */
export function choicesOf(variants: readonly Variant[]): Choice[] {
  const [best] = variants.toSorted(compareVersions);
  return Object.keys(best?.options ?? {}).map((name) => {
    const values = [...new Set(variants.map(({ options }) => options[name] ?? ""))];
    const isGuess = isSize(name) && values.length > 1;
    return { name, values, chosen: isGuess ? undefined : best?.options[name] };
  });
}

/** Whether the style sheet can hide the lines of other versions than the chosen one. */
export const hasRules = (choices: readonly Choice[]): boolean =>
  choices.every(({ values }) => values.length <= MAX_OPTION_VALUES);

/** Whether there is a line for each combination. Otherwise the API says what the chosen one costs, or which is nearest. */
export const isShownByChoice = (choices: readonly Choice[]): boolean =>
  hasRules(choices) && choices.reduce((product, { values }) => product * values.length, 1) <= MAX_COMBINATIONS;

/** The combinations of values that no version has. */
export function combinationsNotMade(variants: readonly Variant[], choices: readonly Choice[]): Variant["options"][] {
  const made = new Set(variants.map(({ options }) => keyOf(options, choices)));
  const all = choices.reduce<Variant["options"][]>(
    (before, { name, values }) => before.flatMap((options) => values.map((value) => ({ ...options, [name]: value }))),
    [{}],
  );
  return all.filter((options) => !made.has(keyOf(options, choices)));
}

const keyOf = (options: Variant["options"], choices: readonly Choice[]) =>
  JSON.stringify(choices.map(({ name }) => options[name]));

/**
 * By what an element is shown with a choice: the places of these options' values, counted from 1, such as `data-o1="3"`. CSS hides
 * it while others are chosen.
 */
export function shownWith(options: Variant["options"], choices: readonly Choice[]): Record<string, number> {
  const places = choices.map(({ name, values }, index) => [
    `data-o${index + 1}`,
    values.indexOf(options[name] ?? "") + 1,
  ]);
  return Object.fromEntries(places.filter(([, place]) => place !== 0));
}

/** A fact, the versions that have it, and the options that it follows from. */
export interface ChosenFact<Fact> {
  fact: Fact;
  variants: Variant[];
  options: Variant["options"];
}

/**
 * A fact of each version by the fewest options from which it follows: a picture by colour alone if it is the same in all sizes. One
 * without options if all versions have the same.
 *
 * @param factOf a text or a number
 */
export function factsByChoice<Fact extends string | number>(
  variants: readonly Variant[],
  choices: readonly Choice[],
  factOf: (variant: Variant) => Fact,
): ChosenFact<Fact>[] {
  for (const some of subsetsOf(choices)) {
    const groups = [...Map.groupBy(variants, ({ options }) => keyOf(options, some)).values()];
    const facts = groups.flatMap((group): ChosenFact<Fact>[] => {
      const [fact, ...others] = new Set(group.map(factOf));
      const options = Object.fromEntries(some.map(({ name }) => [name, group[0]?.options[name] ?? ""]));
      return fact === undefined || others.length > 0 ? [] : [{ fact, variants: group, options }];
    });
    if (facts.length === groups.length) return facts;
  }
  return [];
}

/** All sets of some options, the smallest first. */
const subsetsOf = (choices: readonly Choice[]): Choice[][] =>
  Array.from({ length: 2 ** choices.length }, (_, bits) =>
    choices.filter((_choice, place) => (bits >> place) & 1),
  ).sort((a, b) => a.length - b.length);
