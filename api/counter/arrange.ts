import type { Choice, Counter } from "./built-counter.ts";

/** Why a product goes with a chosen one. */
export interface Reason {
  with: Choice;
  text: string;
}

/** A product that goes with what is chosen; those of the first step need no reason. */
export interface Offer {
  summary: string;
  skus: string[];
  reasons: Reason[];
}

interface ArrangedStep {
  slug: string;
  title: string;
  /** Undefined if nothing is chosen here that goes with the rest. */
  choice: (Choice & { reasons: Reason[] }) | undefined;
  /** What can be chosen here; empty once something is. */
  offers: Offer[];
  /** What goes with the choice and with none before it, such as cables, by category. */
  extras: { slug: string; title: string; offers: Offer[] }[];
}

/** A counter with what is chosen, and what can be. */
export interface Arranged {
  steps: ArrangedStep[];
  /** Choices that go with the others. */
  fitting: Choice[];
  /** Choices that nobody says go with the others, such as after another till was chosen. */
  misfits: Choice[];
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
  const reasonsFor = (product: string, partners: readonly Choice[]): Reason[] =>
    partners.flatMap((partner) => {
      const text = counter.findReason(product, partner.product);
      return text === undefined ? [] : { with: partner, text };
    });
  const chosenSteps = counter.steps.map((step, index) => {
    const partners = fitting.filter(({ category }) => step.fits.includes(category));
    const reasonsOf = (product: string) => reasonsFor(product, partners);
    const goes = (product: string) => index === 0 || reasonsOf(product).length > 0;
    const choice = choices.find(({ category, product }) => category === step.slug && goes(product));
    if (choice) fitting.push(choice);
    const offered = choice ? [] : step.products.filter(({ slug }) => goes(slug));
    return {
      slug: step.slug,
      title: step.title,
      choice: choice && { ...choice, reasons: reasonsOf(choice.product) },
      offers: offered.map(({ slug, summary, skus }) => ({ summary, skus, reasons: reasonsOf(slug) })),
    };
  });
  const devices = [...fitting];
  const extrasOf = (device: Choice) =>
    counter.extras.map(({ slug, title, products }) => ({
      slug,
      title,
      offers: products.flatMap(({ slug: product, summary, skus }) => {
        const reasons = reasonsFor(product, devices);
        return reasons[0]?.with === device ? { summary, skus, reasons } : [];
      }),
    }));
  const steps = chosenSteps.map((step) => {
    const device = devices.find(({ category }) => category === step.slug);
    return { ...step, extras: device ? extrasOf(device).filter(({ offers }) => offers.length > 0) : [] };
  });
  const isExtra = ({ category }: Choice) => counter.extras.some(({ slug }) => slug === category);
  fitting.push(...choices.filter((each) => isExtra(each) && reasonsFor(each.product, devices).length > 0));
  return { steps, fitting, misfits: choices.filter((each) => !fitting.includes(each)) };
}
