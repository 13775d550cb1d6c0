import { z } from "astro/zod";
import { AVAILABILITIES, type Availability } from "../../api/contract/availability.ts";
import { CONDITIONS, type Condition } from "../../api/contract/conditions.ts";
import { MAX_QUANTITY } from "../../api/contract/order-quantity.ts";
import { SKU } from "../../api/contract/patterns.ts";
import { baseUnit } from "../../api/contract/price-per-unit.ts";
import { categorySlug } from "./category-slug.ts";
import { documents } from "./documents.ts";
import {
  date,
  describeInput,
  describeWrongInput,
  draft,
  editedAs,
  formerly,
  line,
  named,
  names,
  quoted,
  strict,
  summary,
  text,
  title,
} from "./fields.ts";
import { gtin } from "./gtin.ts";
import { makerSlug } from "./maker.ts";
import { price, withDigits } from "./money.ts";
import { productSlug } from "./product-slug.ts";
import { questions } from "./questions.ts";
import { didYouMean } from "./suggest.ts";

/** Specifications as written, by name: one text, or a list. */
export type Specifications = Record<string, string | string[]>;

/** A specification as shown. */
export interface Specification {
  name: string;
  value: string;
}

/** Specifications as shown, lists with commas. */
export const describeValues = (specifications: Specifications): Specification[] =>
  Object.entries(specifications).map(([name, value]) => ({ name, value: [value].flat().join(", ") }));

/**
 * What customers order. `options` is empty for a single variant; `available_from` is the expected date, YYYY-MM-DD, of a
 * pre-order or backorder, null if it isn't known. `few_left` says that these are the last pieces of a counted one, which content/
 * doesn't know. `specifications` are those in which it differs from its product; `image`
 * is the place of its picture among the product's, from 0.
 */
export interface Variant {
  sku: string;
  gtin: string | null;
  barcode: string | null;
  price: string;
  availability: Availability;
  available_from: string | null;
  when_sold_out: WhenSoldOut;
  few_left?: true;
  options: Record<string, string>;
  image: number;
  specifications: Specifications;
  /** Of one piece with its packaging. */
  weight_g: number | null;
  /** Of store.yaml's `tax.classes`; null for the usual rate. */
  tax_class: string | null;
  condition: Condition;
  /** What one piece holds: so many packages of an amount. */
  content: Content | null;
  /** The least pieces in an order, and by how many more it is sold. */
  order_quantity: { least: number; step: number };
}

const WHEN_SOLD_OUT = ["out_of_stock", "backorder"] as const;
type WhenSoldOut = (typeof WHEN_SOLD_OUT)[number];

const whenSoldOut = z.enum(WHEN_SOLD_OUT, {
  error: ({ input }) =>
    `${describeWrongInput(input, "isn't valid.")} Write \`backorder\` if it can be ordered all the same, or delete the line.`,
});

/** A page of more would be too large to load at once. */
const MOST_VARIANTS = 400;
/** The page chooses by `o1` to `o3`. */
const MOST_OPTIONS = 3;

const sku = line('sku: "KES-C2-BK"', 64).regex(new RegExp(SKU), {
  error: ({ input }) =>
    `${quoted(input)} has a space or a letter outside ASCII, which many ERPs can't read. Remove it.`,
});

const availability = z.enum(AVAILABILITIES, {
  error: ({ input }) => {
    const advice = typeof input === "string" ? didYouMean(input, AVAILABILITIES) : ` ${examples.availability}`;
    return `${describeWrongInput(input, `isn't one of ${AVAILABILITIES.join(", ")}.`)}${advice}`;
  },
});

const weight = z
  .int({
    error: ({ input }) =>
      `${describeWrongInput(input, "isn't a weight in grams.")} Write a whole number without a unit: \`weight_g: 850\`.`,
  })
  .min(1, "must be 1 or more. Delete the line if the weight isn't known.")
  .max(10_000_000, "is more than ten tons. Write grams: `weight_g: 850`.");

const pieces = (example: string) =>
  z
    .int({
      error: ({ input }) =>
        `${describeWrongInput(input, "isn't a number of pieces.")} Write a whole number: \`${example}\`.`,
    })
    .min(1, "must be 1 or more.")
    .max(MAX_QUANTITY, `must be ${MAX_QUANTITY} or less, since a basket takes no more.`);

/** In which numbers it is sold: at least so many, and more by so many. */
const orderQuantity = strict({ least: pieces("least: 6").default(1), step: pieces("step: 6").default(1) });

/** How people write units that have one spelling, by which prices are compared (api/contract/price-per-unit.ts). */
const UNIT_NAMES: Readonly<Record<string, string>> = {
  ...{ gr: "g", gram: "g", grams: "g", gramm: "g", kilogram: "kg", kilograms: "kg", kilogramm: "kg" },
  ...{ kilo: "kg", kilos: "kg", kgs: "kg" },
  ...{ liter: "l", litre: "l", litres: "l", liters: "l", ltr: "l", milliliter: "ml", millilitre: "ml" },
  ...{
    meter: "m",
    metre: "m",
    meters: "m",
    metres: "m",
    mtr: "m",
    m2: "m²",
    qm: "m²",
    sqm: "m²",
    m3: "m³",
    cbm: "m³",
    cm2: "cm²",
  },
  ...{ pc: "piece", pcs: "piece", pieces: "piece", stk: "Stück" },
};
const UNITS = ["mg", "g", "kg", "ml", "cl", "dl", "l", "mm", "cm", "m", "cm²", "m²", "m³", "piece", "Stück"];

/** The spelling of a unit that is written otherwise: `l` for `L` and `Litre`. */
function spellUnit(unit: string): string | undefined {
  if (UNITS.includes(unit)) return undefined;
  const plain = unit.toLowerCase().replaceAll(/[\s^]|\.$/g, "");
  return UNIT_NAMES[plain] ?? UNITS.find((known) => known.toLowerCase() === plain);
}

/** For the price of a unit. */
const content = strict({
  amount: text('amount: "0.75"').regex(/^(?=.*[1-9])(0|[1-9]\d{0,5})(\.\d{1,3})?$/, {
    error: ({ input }) =>
      `${quoted(input)} isn't an amount above 0. Write digits and a point, in quotes: \`amount: "0.75"\`.`,
  }),
  unit: line("unit: l", 12)
    .refine((unit) => !/^\d/.test(unit), {
      error: ({ input }) => {
        const unit = String(input).replace(/^[\d.,\s]+/, "");
        return `${quoted(input)} begins with a number. Write the number as \`amount\`, and here the unit alone: \`unit: ${spellUnit(unit) ?? (unit || "l")}\`.`;
      },
      abort: true,
    })
    .refine((unit) => spellUnit(unit) === undefined, {
      error: ({ input }) => {
        const unit = spellUnit(String(input)) ?? "";
        return `${quoted(input)} isn't how this unit is written. Write \`${unit}\`, so that pages say the price per ${baseUnit(unit)}.`;
      },
    }),
  /** Packages of this amount in one piece. */
  pieces: pieces("pieces: 6").default(1),
});

type Content = z.infer<typeof content>;

const condition = z.enum(CONDITIONS, {
  error: ({ input }) => `${describeWrongInput(input, `isn't one of ${CONDITIONS.join(", ")}.`)}`,
});

/** A class of store.yaml's `tax.classes`. */
const taxClass = line("tax_class: reduced", 64);

/** A product's pictures by their path relative to its file, the main one first. */
const images = z
  .array(
    strict({
      src: editedAs("picture", text("src: ./kestrel-c2.svg")),
      alt: line("alt: The scanner in its cradle, seen from the left", 250),
    }),
    {
      error: ({ input }) =>
        input == null
          ? `${describeInput(input)} Write a list: \`- src: ./kestrel-c2.svg\` and below it \`alt: …\`.`
          : "must be a list. Write a dash before each picture, `- src: …`, and `alt: …` below it.",
    },
  )
  .min(1, "needs at least one picture.");

const specificationName = z
  .string()
  .regex(/^(?!\s)[^\n]+(?<!\s)$/, {
    error: "isn't a name. Write one on one line, without blanks in front and behind.",
    abort: true,
  })
  .regex(/\D/, "is a number: give it a name.");

/** One text, or a list of short ones. */
const specificationValue = z.union(
  [line("Reads: 1D and 2D codes", 200), z.array(line("USB", 60)).min(1, "is an empty list.")],
  {
    error: ({ input }) =>
      Array.isArray(input)
        ? "must be a list of texts, such as `[USB, Bluetooth]`. Use quotes for text that starts with a digit."
        : `${describeInput(input)} Write a text, or a list of texts in brackets: \`[USB, Bluetooth]\`.`,
  },
);

/** Shown in this order. */
const specifications = named(specificationName, specificationValue, "Reads: 1D and 2D codes");

/** What makes a variant different from the others. */
const options = named(specificationName, line("Colour: Black", 200), "Colour: Black");

/** Why two products don't fit. Only the page of the file that says so shows a relation that is `one_way`. */
const misfit = strict({
  reason: line("pellcott-r80: 24 V drawer port, one cable", 120),
  one_way: z.boolean({ error: "must be `true`. Delete the line if both pages should show it." }).default(false),
});

/**
 * Why they fit. `with` is the slug of a third one without which they don't; `versions` are the SKUs of those that fit, of
 * either product: a product without any of them fits in all its versions.
 */
const relation = strict({
  ...misfit.shape,
  with: productSlug.optional(),
  versions: z.array(sku, { error: "must be a list of SKUs: `[KES-C2-BK, KES-C2-WH]`." }).default([]),
});

/**
 * The slugs of other products, and why they fit or don't: a reason alone, or a group of fields. One of the two files is
 * enough for both pages. A union would report a reason that is too long as one of another type.
 */
const related = <Shape extends typeof misfit.shape>(inDetail: z.ZodObject<Shape>) =>
  named(
    productSlug,
    editedAs(
      inDetail,
      z.unknown().transform((written, context) => {
        const isGroup = typeof written === "object" && written !== null;
        const { data, error } = inDetail.safeParse(isGroup ? written : { reason: written });
        for (const issue of error?.issues ?? [])
          context.issues.push({ ...issue, ...(!isGroup && { path: [] }), input: written } as z.core.$ZodRawIssue);
        return data ?? z.NEVER;
      }),
    ),
    "kestrel-c2: reads its codes",
  ).default({});

/**
 * content/products/<category>/<slug>.md. Without a currency, decimals of prices aren't checked. A product without `variants`
 * becomes one with a single variant.
 */
export function productSchema(currency: string | undefined) {
  const identity = {
    sku,
    gtin: gtin.optional(),
    barcode: line('barcode: "0123456789"', 64).optional(),
    price: price(currency),
    availability,
    available_from: date.optional(),
    when_sold_out: whenSoldOut.optional(),
  };
  const image = editedAs("picture", text("image: ./kestrel-c2-white.svg")).optional();
  const own = {
    ...{ options, image, specifications: specifications.optional() },
    ...{ weight_g: weight.optional(), content: content.optional() },
  };
  const variant = strict({ ...identity, ...own }).superRefine(checkDay);
  const shape = {
    title,
    brand: line("brand: Kestrel", 60),
    summary,
    images,
    ...z.object(identity).partial().shape,
    variants: z
      .array(variant, { error: "must be a list: `- sku: …`." })
      .min(2, "needs two or more. Write a single one without `variants`.")
      .max(
        MOST_VARIANTS,
        `has more than ${MOST_VARIANTS}. Divide the product into several, such as one for each material.`,
      )
      .optional(),
    specifications: specifications.default({}),
    weight_g: weight.optional(),
    content: content.optional(),
    tax_class: taxClass.optional(),
    condition: condition.default("new"),
    order_quantity: orderQuantity.prefault({}),
    /** The slug of who makes it. */
    maker: makerSlug.optional(),
    /** What whoever uses it must know to be safe. */
    warnings: z
      .array(line('- "Hot surface: let the print head cool down before you touch it."', 500), {
        error: ({ input }) => `${describeInput(input, "a list")} Write a dash before each warning: \`- Hot surface.\`.`,
      })
      .max(20, "has more than 20 warnings. Put the rest into the manual.")
      .default([]),
    works_with: related(relation),
    does_not_work_with: related(misfit),
    /** The slugs of products that the text names as another choice, and that aren't related to it otherwise. */
    alternatives: z.array(productSlug, { error: "must be a list of products: `[kestrel-c2]`." }).default([]),
    /** Other categories that list it too; that of its folder stays its own. */
    also_in: z
      .array(categorySlug, {
        error: ({ input }) => `${describeInput(input, "a list")} Write \`also_in: [label-printers]\`.`,
      })
      .default([]),
    documents,
    /** Other names, which the search finds too. */
    also_called: names("also_called: [till roll, thermal paper]").default([]),
    questions,
    formerly,
    draft,
    /** The day on which the shop began to sell it; the home page shows the newest. */
    added: date.optional(),
    updated: date.optional(),
  };
  return strict(shape)
    .superRefine(checkDay)
    .superRefine(checkVariants, { when: () => true })
    .transform(({ sku, gtin, barcode, price, availability, available_from, when_sold_out, variants, ...fields }) => {
      const { weight_g, content, tax_class, condition, order_quantity, ...rest } = fields;
      const ofAll = { when_sold_out, weight_g, content, tax_class, condition, order_quantity };
      return {
        ...rest,
        variants: (variants ?? [{ sku, gtin, barcode, price, availability, available_from, options: {} }]).map(
          ({ image, options, ...variant }: WrittenVariant, _, [first]) => ({
            ...completeVariant({ ...ofAll, ...variant, options: inOrder(options, first?.options) }, currency),
            image: image === undefined ? 0 : rest.images.findIndex(({ src }) => src === image),
          }),
        ),
      };
    });
}

/** The options as the first variant has them, since a variant is called by its values: `Black / M`. */
const inOrder = (options: Variant["options"], first: Variant["options"] = {}): Variant["options"] => ({
  ...first,
  ...options,
});

const variantFields = ["sku", "price", "availability", "gtin", "barcode", "available_from"] as const;

/** Whether a product's field belongs to each of its variants, if it has any. */
export const isVariantField = (name: string): boolean => variantFields.some((field) => field === name);

/** Allows an expected date for pre-orders and backorders only. */
function checkDay(
  { availability, available_from }: { availability?: string | undefined; available_from?: string | undefined },
  context: z.core.$RefinementCtx,
) {
  if (available_from === undefined || (availability !== "in_stock" && availability !== "out_of_stock")) return;
  const message = `is for \`preorder\` and \`backorder\` only. Delete the line, or change the availability to one of these.`;
  context.addIssue({ code: "custom", path: ["available_from"], message });
}

/** Checks for either one SKU or `variants`, the same options in each variant, and each combination of them once. */
function checkVariants(product: unknown, context: z.core.$RefinementCtx) {
  const report = (path: (string | number)[], message: string) => context.addIssue({ code: "custom", path, message });
  const { success, data } = loose.safeParse(product);
  if (!success) return;
  for (const field of variantFields) {
    const needed = field === "sku" || field === "price" || field === "availability";
    if (data.variants && data[field] !== undefined) report([field], aboveVersions(field, data.variants));
    if (!data.variants && needed && data[field] === undefined) report([field], `is missing. ${examples[field]}`);
  }
  const first = Object.keys(data.variants?.find(({ options }) => options)?.options ?? {});
  const seen = new Map<string, number>();
  for (const [index, { options, image }] of (data.variants ?? []).entries()) {
    const sources = data.images?.map(({ src }) => src);
    if (image !== undefined && sources?.includes(image) === false)
      report(["variants", index, "image"], `must be one of the pictures in \`images\`: ${sources.join(", ")}.`);
    if (options === undefined) continue;
    const at = ["variants", index, "options"];
    if (Object.keys(options).length > MOST_OPTIONS)
      report(at, `has more than ${MOST_OPTIONS}. Write two of them as one, or divide the product into several.`);
    else if (!sameMembers(first, Object.keys(options)))
      report(at, `must be the same in every variant: ${first.join(", ")}.`);
    const combination = JSON.stringify(first.map((name) => options[name]));
    const twin = seen.get(combination);
    if (twin !== undefined)
      report(at, `are the same as those of variant ${twin + 1}. Each variant needs its own combination.`);
    seen.set(combination, index);
  }
}

/** What to do with a field that stands above the versions. An editor in /admin sees it as one of the product's own. */
function aboveVersions(field: string, versions: readonly Record<string, unknown>[]): string {
  const isInEach = versions.every((version) => version[field] !== undefined && version[field] !== "");
  return isInEach
    ? "is filled in above the versions (`variants`), and each of them has its own. Empty it above: only the versions' count."
    : "is filled in above the versions (`variants`). Empty it there, and write it into the versions that it belongs to.";
}

const examples = {
  sku: 'Write `sku: "KES-C2-BK"`, or a list of `variants`.',
  price: 'Write it in quotes, for example `price: "189.00"`.',
  availability: `Write one of ${AVAILABILITIES.join(", ")}.`,
};

/** What the rules across fields need, so that they also run when another field is wrong. */
const loose = z.looseObject({
  variants: z
    .array(
      z.looseObject({
        options: z.record(z.string(), z.unknown()).optional().catch(undefined),
        image: z.string().optional().catch(undefined),
      }),
    )
    .optional(),
  images: z
    .array(z.looseObject({ src: z.string() }))
    .optional()
    .catch(undefined),
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
  when_sold_out?: WhenSoldOut | undefined;
  options: Record<string, string>;
  image?: string | undefined;
  specifications?: Specifications | undefined;
  weight_g?: number | undefined;
  content?: Content | undefined;
}

/** What a product's file says of all its variants. */
interface OfAll {
  tax_class?: string | undefined;
  condition: Condition;
  order_quantity: Variant["order_quantity"];
}

function completeVariant(
  { sku, price: written, availability, options, condition, order_quantity, ...optional }: WrittenVariant & OfAll,
  currency: string | undefined,
): Omit<Variant, "image"> {
  // zod doesn't transform what checkVariants has reported.
  if (sku === undefined || written === undefined || availability === undefined) throw new Error("an unchecked variant");
  const price = currency === undefined ? written : withDigits(written, currency);
  const {
    gtin = null,
    barcode = null,
    available_from = null,
    when_sold_out = "out_of_stock",
    specifications = {},
    weight_g = null,
    tax_class = null,
    content = null,
  } = optional;
  return {
    ...{ sku, gtin, barcode, price, availability, available_from, when_sold_out, options, specifications },
    ...{ weight_g, tax_class, condition, content, order_quantity },
  };
}
