import { z } from "astro/zod";
import { DAY_MS } from "../../api/contract/duration.ts";
import { isSlug, MAX_SLUG_BYTES, utf8Length } from "../../api/contract/patterns.ts";
import { didYouMean } from "./suggest.ts";

// A message is the rest of a sentence that starts with the field's name: "content/pages/about.md:2: title is missing. …"

/** How editors write a text in /admin, where its type doesn't say so. */
export type Editing =
  /** A file beside the entry's own. */
  | "picture"
  | "document"
  /** The slug of a product or category. */
  | "product"
  | "category"
  /** An amount in the shop's currency. */
  | "amount"
  /** Grams, pieces or an amount, as the field `by` beside its list says. */
  | "measure"
  /** Several lines. */
  | "paragraphs"
  /** Either a text or a group of these fields, whose first field is that text. */
  | z.ZodType;

const editings = new WeakMap<z.ZodType, Editing>();

/** The same schema, which /admin edits in this way. */
export function editedAs<Schema extends z.ZodType>(editing: Editing, schema: Schema): Schema {
  editings.set(schema, editing);
  return schema;
}

/** How /admin edits a schema; undefined where its type says so. */
export const editingOf = (schema: z.ZodType): Editing | undefined => editings.get(schema);

/** Any text. `example` is a whole line for the message. */
export const text = (example: string) =>
  z.string({ error: ({ input }) => `${describeInput(input)} Write, for example, \`${example}\`.` });

/** Text on one line, 1 to `longest` characters. `example` is a whole line for the message. */
export function line(example: string, longest = 160) {
  return text(example)
    .trim()
    .min(1, { error: `is empty. Write, for example, \`${example}\`.`, abort: true })
    .max(longest, {
      error: ({ input }) => `has ${String(input).length} characters, and the limit is ${longest}. Shorten it.`,
    })
    .refine((text) => !text.includes("\n"), "must fit on one line.")
    .refine((text) => !/^[“”„].*[“”]$/.test(text), {
      error: ({ input }) =>
        `is in curly quotes, which would be printed. Use straight quotes: \`"${String(input).slice(1, -1)}"\`.`,
    });
}

const titleLine = (example: string) => line(example, 100);
/** As long as a search result shows. */
const summaryLine = (example: string) => line(example, 160);

/** The title of a product's or category's page, of links to it and of its search result. */
export const title = titleLine("title: Kestrel C2 cordless 2D scanner");

/** One sentence for lists, search engines and agents. */
export const summary = summaryLine("summary: Reads 1D and 2D codes, 12 hours on a charge.");

/** A date, `YYYY-MM-DD`. */
export const date = z.iso.date({
  error: ({ input }) => `${describeWrongInput(input, "isn't a valid date.")} ${dayAdvice(input)}`,
});

/** `20.11.2026` or `2026/11/20` in the right form; otherwise what the form is. */
function dayAdvice(input: unknown): string {
  const [, day = "", month = "", year] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(String(input)) ?? [];
  const [, ...parts] = /^(\d{4})[/. -](\d{1,2})[/. -](\d{1,2})$/.exec(String(input)) ?? [];
  const right = (year === undefined ? parts : [year, month, day]).map((part) => part.padStart(2, "0")).join("-");
  return z.iso.date().safeParse(right).success ? `Write \`${right}\`.` : "Write it as `2026-11-20`: year-month-day.";
}

/** The line with former slugs, in quotes, since some would be numbers without. */
export const writeFormerly = (slugs: readonly string[]): string =>
  `formerly: [${slugs.map((slug) => `"${slug}"`).join(", ")}]`;

/** Former slugs of a page, whose URLs redirect to it permanently. */
export const formerly = z
  .array(z.string().refine(isSlug, { error: ({ input }) => slugProblem(String(input)) }), {
    error: ({ input }) =>
      typeof input === "string" && isSlug(input)
        ? `must be a list: write \`${writeFormerly([input])}\`.`
        : "must be a list, for example `formerly: [kestrel-c1-cordless]`.",
  })
  .default([]);

/** A draft is shown by `npm run dev` and left out of builds. */
export const draft = z
  .boolean({
    error: ({ input }) => `must be \`true\`; you wrote ${quoted(input)}. Delete the line to publish the page.`,
  })
  .default(false);

/** Short texts, such as names of specifications. `example` is a whole line for the message. */
export const names = (example: string) =>
  z.array(line(example, 60), { error: ({ input }) => `${describeInput(input, "a list")} Write \`${example}\`.` });

/** The fields of every guide and page. */
export const pageFields = {
  title: titleLine("title: How to choose a receipt printer"),
  summary: summaryLine("summary: What width, speed and connection a till needs."),
  updated: date,
  formerly,
  draft,
};

/**
 * An object that rejects unknown fields, so that a typo isn't lost silently. Its message has one line for each; `former`
 * says what replaced a field that it once had.
 */
export function strict<Shape extends z.core.$ZodLooseShape>(shape: Shape, former: Record<string, string> = {}) {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== "unrecognized_keys")
        return `${describeInput(issue.input, "a group of fields")} Indent these fields below it: ${known.join(", ")}.`;
      const keys: readonly string[] = issue.keys;
      return keys.map((key) => `${key} ${former[key] ?? `isn't a known field.${suggestField(key, known)}`}`).join("\n");
    },
  });
}

/** Why a text can't be a slug: a whole sentence. */
export function slugProblem(text: string): string {
  const bytes = utf8Length(text);
  if (bytes > MAX_SLUG_BYTES)
    return `${quoted(`${text.slice(0, 20)}…`)} has ${bytes} bytes, of which an address takes ${MAX_SLUG_BYTES}. Shorten it.`;
  if (isSlug(text.normalize("NFC")))
    return `${quoted(text)} has letters and their accents apart, as some Macs write them. Type it again: \`${text.normalize("NFC")}\`.`;
  return `${quoted(text)} can't be part of a URL. Use lowercase letters, digits and single hyphens: \`${slugOf(text) ?? "kestrel-c2"}\`.`;
}

/** A text as a slug: `Kestrel C2` is `kestrel-c2`. Undefined without letters and digits. */
export function slugOf(text: string): string | undefined {
  const words =
    text
      .normalize("NFC")
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{Nd}]+/gu) ?? [];
  const slug = words.join("-").normalize("NFC");
  return isSlug(slug) ? slug : undefined;
}

/** A value in a message. */
export function quoted(value: unknown): string {
  return value === undefined ? "nothing" : JSON.stringify(value);
}

function suggestField(key: string, known: readonly string[]): string {
  return didYouMean(key, known) || ` The fields are: ${known.join(", ")}.`;
}

/** Says that a value is missing or empty, or isn't what was `wanted`: the rest of a sentence. */
export function describeInput(input: unknown, wanted = "text"): string {
  if (input === undefined) return "is missing.";
  if (input === null) return "is empty.";
  return `is ${Array.isArray(input) ? "a list" : quoted(input)}, not ${wanted}.`;
}

/** Says that a value is missing or empty, or quotes it with the `complaint`: the rest of a sentence. */
export const describeWrongInput = (input: unknown, complaint: string): string =>
  input == null ? describeInput(input) : `${quoted(input)} ${complaint}`;

/** Names that an editor chooses, each with a value: specifications, options. `example` is a whole line for the message. */
export const named = <Value extends z.ZodType>(name: z.ZodString, value: Value, example: string) =>
  z
    .unknown()
    .superRefine(refusePrototype)
    .pipe(
      z.record(name, value, {
        error: ({ input }) =>
          `${describeInput(input, "names with values")} Write \`${example}\` below it, indented and without a hyphen.`,
      }),
    );

/** Rejects `__proto__`, which zod ignores and Astro can't store. */
function refusePrototype(names: unknown, context: z.core.$RefinementCtx) {
  if (typeof names !== "object" || names === null || !Object.hasOwn(names, "__proto__")) return;
  context.addIssue({ code: "custom", path: ["__proto__"], message: "can't be used as a name. Choose another one." });
}

/**
 * Whether a content file has `draft: true` among its fields. Found without parsing, so that a draft with a syntax error counts
 * too.
 */
export function isDraft(text: string): boolean {
  const [, fields = ""] = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)(?:^---[ \t]*\r?$|$(?![\s\S]))/m.exec(text) ?? [];
  return /^draft:[ \t]*true[ \t]*(?:#.*)?\r?$/m.test(fields);
}

/** How many days are left until a date ends, in UTC: 0 on the day itself, negative after it. */
export const daysLeft = (day: string, now: Date): number => Math.ceil((Date.parse(day) - now.getTime()) / DAY_MS);
