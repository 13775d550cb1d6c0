import type { Choice, Counter } from "./built-counter.ts";

/** Why a version goes with a chosen one, or doesn't. */
export interface Reason {
  with: Choice;
  text: string;
}

/**
 * Versions of a product that go with what is chosen for the same reasons; those of the first step need none. They may go
 * with one choice and not with another.
 */
export interface Offer {
  summary: string;
  skus: string[];
  reasons: Reason[];
  cautions: Reason[];
}

type Product = Counter["steps"][number]["products"][number];

interface ArrangedStep {
  slug: string;
  title: string;
  /** Undefined if nothing is chosen here that goes with the rest. */
  choice: (Choice & { reasons: Reason[] }) | undefined;
  /** What can be chosen here; empty once something is. */
  offers: Offer[];
  /** What goes with the choice and with none before it, such as cables, by category. */
  extras: { title: string; offers: Offer[] }[];
}

/** A counter with what is chosen, and what can be. */
export interface Arranged {
  steps: ArrangedStep[];
  /** Choices that go with the others. */
  fitting: Choice[];
  /** Choices that nobody says go with the others, such as after another till was chosen. */
  misfits: Choice[];
  /** Pairs of choices that don't go together. */
  cautions: (Reason & { choice: Choice })[];
}

/** Something in an address that isn't a choice. */
export interface AddressFault {
  reason: "unknown" | "several" | "too_many";
  /** The SKU where it can be repeated, or the step's title. */
  name: string;
}

/** More than a counter needs, and less than a basket holds. */
const MAX_CHOICES = 90;

/** Reads the SKUs of an address: what is chosen, in the counter's order, and what is wrong with the rest. */
export function readChoices(counter: Counter, skus: readonly string[]): { choices: Choice[]; faults: AddressFault[] } {
  const titles = new Map(counter.steps.map(({ slug, title }) => [slug, title]));
  const chosen = new Map<string, Choice>();
  const faults: AddressFault[] = [];
  for (const sku of new Set(skus)) {
    const choice = counter.choices.get(sku);
    const title = choice && titles.get(choice.category);
    const isSecond = [...chosen.values()].some(({ category }) => category === choice?.category);
    if (!choice) faults.push({ reason: "unknown", name: /^[!-~]{1,64}$/.test(sku) ? sku : "" });
    else if (title !== undefined && isSecond) faults.push({ reason: "several", name: title });
    else chosen.set(sku, choice);
    if (chosen.size + faults.length < MAX_CHOICES) continue;
    faults.push({ reason: "too_many", name: "" });
    break;
  }
  return { choices: [...counter.choices.values()].filter(({ sku }) => chosen.has(sku)), faults };
}

/** Finds what goes with the choices, from the relations alone. */
export function arrange(counter: Counter, choices: readonly Choice[]): Arranged {
  const fitting: Choice[] = [];
  const reasonsFor = (sku: string, partners: readonly Choice[]) => explain(counter.findReason, sku, partners);
  const reasonsIn = (step: Counter["steps"][number], sku: string) =>
    reasonsFor(
      sku,
      fitting.filter(({ category }) => step.fits.includes(category)),
    );
  for (const [index, step] of counter.steps.entries()) {
    const goes = ({ sku }: Choice) => index === 0 || reasonsIn(step, sku).length > 0;
    fitting.push(...choices.filter((choice) => choice.category === step.slug && goes(choice)).slice(0, 1));
  }
  const devices = [...fitting];
  const isExtra = ({ category }: Choice) => counter.extras.some(({ slug }) => slug === category);
  fitting.push(...choices.filter((each) => isExtra(each) && reasonsFor(each.sku, devices).length > 0));
  const offersOf = (products: readonly Product[], reasonsOf: (sku: string) => Reason[]): Offer[] =>
    products.flatMap(({ summary, skus }) => {
      const relate = (sku: string) => ({
        reasons: reasonsOf(sku),
        cautions: explain(counter.findCaution, sku, fitting),
      });
      const alike = Map.groupBy(skus, (sku) => JSON.stringify(relate(sku)));
      return [...alike.values()].map((group) => ({ summary, skus: group, ...relate(group[0] ?? "") }));
    });
  const extrasOf = (device: Choice) =>
    counter.extras.map(({ title, products }) => {
      const offers = offersOf(products, (sku) => reasonsFor(sku, devices));
      return { title, offers: offers.filter(({ reasons }) => reasons[0]?.with === device) };
    });
  const steps = counter.steps.map((step, index) => {
    const device = devices.find(({ category }) => category === step.slug);
    const offers = device ? [] : offersOf(step.products, (sku) => reasonsIn(step, sku));
    return {
      slug: step.slug,
      title: step.title,
      choice: device && { ...device, reasons: reasonsIn(step, device.sku) },
      offers: offers.filter(({ reasons }) => index === 0 || reasons.length > 0),
      extras: device ? extrasOf(device).filter(({ offers }) => offers.length > 0) : [],
    };
  });
  const misfits = choices.filter((each) => !fitting.includes(each));
  const cautions = [...fitting, ...misfits].flatMap((choice, index, all) =>
    explain(counter.findCaution, choice.sku, all.slice(0, index)).map((caution) => ({ choice, ...caution })),
  );
  return { steps, fitting, misfits, cautions };
}

/** What is found between a version and each of the choices. */
const explain = (find: Counter["findReason"], sku: string, choices: readonly Choice[]): Reason[] =>
  choices.flatMap((choice) => {
    const text = find(sku, choice.sku);
    return text === undefined ? [] : { with: choice, text };
  });
