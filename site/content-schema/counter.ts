import { z } from "astro/zod";
import { isSlug } from "../../api/contract/patterns.ts";
import { describeInput, named, slugProblem, strict } from "./fields.ts";
import { didYouMean } from "./suggest.ts";

const slug = z
  .string({ error: ({ input }) => `${describeInput(input)} Write the name of a category's file, without \`.md\`.` })
  .refine(isSlug, { error: ({ input }) => slugProblem(String(input)) });

const slugs = (example: string) =>
  z.array(slug, { error: ({ input }) => `${describeInput(input, "a list")} Write \`${example}\`.` });

/** The fields by themselves, so that a mistyped category is reported even where the rules across them are broken. */
export const counterFields = strict({
  /** The category that visitors choose from first. */
  begins_with: slug,
  /** The categories after it, in order, each with those whose chosen products its own must be compatible with. */
  offers: named(slug, slugs("receipt-printers: [pos-terminals]"), "receipt-printers: [pos-terminals]").refine(
    (offers) => Object.keys(offers).length > 0,
    "needs at least one category: `receipt-printers: [pos-terminals]`.",
  ),
  /** Categories such as cables and paper: what is compatible with a chosen product is offered beside it. */
  extras: slugs("extras: [accessories]").default([]),
});

type Counter = z.infer<typeof counterFields>;

/** The page “Build your counter”: which categories visitors choose from, in which order. */
export const counter = counterFields.superRefine(checkOrder);

/** Every category that a counter names, with its place in store.yaml. */
export const categoriesOf = ({
  begins_with,
  offers,
  extras,
}: Counter): { slug: string; path: (string | number)[] }[] => [
  { slug: begins_with, path: ["begins_with"] },
  ...Object.keys(offers).map((slug) => ({ slug, path: ["offers", slug] })),
  ...extras.map((slug, index) => ({ slug, path: ["extras", index] })),
];

/** Refuses categories that are named twice, and those that must fit one which isn't chosen before them. */
function checkOrder(counter: Counter, context: z.core.$RefinementCtx) {
  const seen = new Set<string>();
  for (const { slug, path } of categoriesOf(counter)) {
    if (seen.has(slug))
      context.addIssue({
        code: "custom",
        path,
        message: `${slug} is already in the counter. List each category once.`,
      });
    seen.add(slug);
  }
  const earlier = [counter.begins_with];
  for (const [slug, fits] of Object.entries(counter.offers)) {
    const path = ["offers", slug];
    if (fits.length === 0)
      context.addIssue({ code: "custom", path, message: `is empty. Write \`[${counter.begins_with}]\`.` });
    for (const [index, other] of fits.entries()) {
      if (earlier.includes(other)) continue;
      const message = `${other} isn't chosen before ${slug}.${didYouMean(other, [...earlier])} Write ${earlier.join(", ")}.`;
      context.addIssue({ code: "custom", path: [...path, index], message });
    }
    earlier.push(slug);
  }
}
