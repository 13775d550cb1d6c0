import { z } from "astro/zod";
import { line, saysWhatIsThere, slugPattern } from "./fields.ts";
import { named } from "./named.ts";

const name = z.string().regex(/\D/, "is a number: give it a name.");

/** One text, or a list of short ones where several hold. */
const value = z.union([line("Reads: 1D and 2D codes", 200), z.array(line("USB", 60)).min(1, "is an empty list.")], {
  error: ({ input }) =>
    Array.isArray(input)
      ? "must be a list of texts, such as `[USB, Bluetooth]`. Put what begins with a digit in quotes."
      : `${saysWhatIsThere(input)} Write a text, or a list of texts in brackets: \`[USB, Bluetooth]\`.`,
});

const slug = z
  .string()
  .regex(slugPattern, "is no product. Write the name of its file, without folder and .md: `kestrel-c2`.");

/** What a product is, in the order in which it is shown. */
export const specifications = named(name, value, "Reads: 1D and 2D codes");

/** What tells a variant from the others. */
export const options = named(name, line("Colour: Black", 200), "Colour: Black");

/** The slugs of products that go with it, and why. One of the two files says it, for both. */
export const worksWith = named(
  slug,
  line("pellcott-r80: 24 V drawer port, one cable", 120),
  "kestrel-c2: reads its codes",
).default({});
