import { z } from "astro/zod";
import { date, draft, formerly, line, quoted, saysWhatIsWrong, strict, summary, title } from "./fields.ts";
import { gtin } from "./gtin.ts";
import { images } from "./images.ts";
import { price } from "./money.ts";
import { questions } from "./questions.ts";
import { options, specifications, worksWith } from "./specifications.ts";
import { didYouMean } from "./suggest.ts";

/** Whether a variant can be had; the API and the feeds use the same four words. */
export const availabilities = ["in_stock", "preorder", "backorder", "out_of_stock"] as const;
export type Availability = (typeof availabilities)[number];

/**
 * One thing that can be ordered: `gtin` and `barcode` are null where there is none; `options` is empty for a single
 * variant; `available_from` is the day, YYYY-MM-DD, on which what is not there is expected, null where nobody knows.
 */
export interface Variant {
  sku: string;
  gtin: string | null;
  barcode: string | null;
  price: string;
  availability: Availability;
  available_from: string | null;
  options: Record<string, string>;
}

const sku = line('sku: "KES-C2-BK"', 64).regex(/^[!-~]+$/, {
  error: ({ input }) => `${quoted(input)} has a blank or a letter beyond ASCII, which no ERP reads safely.`,
});

const availability = z.enum(availabilities, {
  error: ({ input }) => {
    const advice = typeof input === "string" ? didYouMean(input, availabilities) : ` ${examples.availability}`;
    return `${saysWhatIsWrong(input, `is none of ${availabilities.join(", ")}.`)}${advice}`;
  },
});

/**
 * content/products/<category>/<slug>.md, for prices in one currency, where that is known. A file with one sku on top comes
 * out as one with one variant.
 */
export function productSchema(currency: string | undefined) {
  const identity = {
    sku,
    gtin: gtin.optional(),
    barcode: line('barcode: "0123456789"', 64).optional(),
    price: price(currency),
    availability,
    available_from: date.optional(),
  };
  const variant = strict({ ...identity, options }).superRefine(checkDay);
  const shape = {
    title,
    brand: line("brand: Kestrel", 60),
    summary,
    images,
    ...z.object(identity).partial().shape,
    variants: z
      .array(variant, { error: "must be a list: `- sku: …`." })
      .min(2, "needs two or more; a single one is written without `variants`.")
      .optional(),
    specifications,
    works_with: worksWith,
    questions,
    formerly,
    draft,
    updated: date.optional(),
  };
  return strict(shape)
    .superRefine(checkDay)
    .superRefine(checkVariants, { when: () => true })
    .transform(({ sku, gtin, barcode, price, availability, available_from, variants, ...rest }) => ({
      ...rest,
      variants: (variants ?? [{ sku, gtin, barcode, price, availability, available_from, options: {} }]).map(
        completeVariant,
      ),
    }));
}

/** Only what is not there yet comes on a day. */
function checkDay(
  { availability, available_from }: { availability?: string | undefined; available_from?: string | undefined },
  context: z.core.$RefinementCtx,
) {
  if (available_from === undefined || (availability !== "in_stock" && availability !== "out_of_stock")) return;
  const message = `is for \`preorder\` and \`backorder\`: take the line out, or write one of these as availability.`;
  context.addIssue({ code: "custom", path: ["available_from"], message });
}

/** One sku on top or `variants`, never both; in `variants` the same options everywhere, and no combination twice. */
function checkVariants(product: unknown, context: z.core.$RefinementCtx) {
  const report = (path: (string | number)[], message: string) => context.addIssue({ code: "custom", path, message });
  const { success, data } = loose.safeParse(product);
  if (!success) return;
  for (const field of ["sku", "price", "availability", "gtin", "barcode", "available_from"] as const) {
    const needed = field === "sku" || field === "price" || field === "availability";
    if (data.variants && data[field] !== undefined)
      report([field], "belongs to each of the `variants`: move it there.");
    if (!data.variants && needed && data[field] === undefined) report([field], `is missing. ${examples[field]}`);
  }
  const first = Object.keys(data.variants?.find(({ options }) => options)?.options ?? {});
  const seen = new Map<string, number>();
  for (const [index, { options }] of (data.variants ?? []).entries()) {
    if (options === undefined) continue;
    const at = ["variants", index, "options"];
    if (!sameMembers(first, Object.keys(options)))
      report(at, `must be the same in every variant: ${first.join(", ")}.`);
    const combination = JSON.stringify(first.map((name) => options[name]));
    const twin = seen.get(combination);
    if (twin !== undefined) report(at, `are those of variant ${twin + 1} too: every combination stands once.`);
    seen.set(combination, index);
  }
}

const examples = {
  sku: 'Write `sku: "KES-C2-BK"`, or a list of `variants`.',
  price: 'Write it in quotes, for example `price: "189.00"`.',
  availability: `Write one of ${availabilities.join(", ")}.`,
};

/** As much of a product as the rules across fields need, so that they also run when another field is wrong. */
const loose = z.looseObject({
  variants: z
    .array(z.looseObject({ options: z.record(z.string(), z.unknown()).optional().catch(undefined) }))
    .optional(),
});

function sameMembers(one: string[], other: string[]): boolean {
  return one.length === other.length && one.every((name) => other.includes(name));
}

interface WrittenVariant {
  sku?: string | undefined;
  gtin?: string | undefined;
  barcode?: string | undefined;
  price?: string | undefined;
  availability?: Availability | undefined;
  available_from?: string | undefined;
  options: Record<string, string>;
}

function completeVariant({ sku, price, availability, options, ...optional }: WrittenVariant): Variant {
  // checkVariants has reported what is missing, and zod transforms nothing that was reported.
  if (sku === undefined || price === undefined || availability === undefined) throw new Error("an unchecked variant");
  const { gtin = null, barcode = null, available_from = null } = optional;
  return { sku, gtin, barcode, price, availability, available_from, options };
}
