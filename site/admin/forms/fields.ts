import { z } from "astro/zod";
import { pictureTypes } from "../../content-check/content-files.ts";
import { editingOf } from "../../content-schema/fields.ts";

// What editors can write into a file, read from the schema that checks it: the form in the browser, the reader and the
// writer of files all follow it.

/** The value of a field, or of a list's item. */
export type Kind =
  | { kind: "line"; longest: number | undefined }
  | { kind: "paragraphs" | "document" | "product" | "category" | "amount" | "measure" | "date" | "boolean" | "integer" }
  /** A picture of one of these types, by the ending of its name. */
  | { kind: "picture"; types: readonly string[] }
  | { kind: "choice"; options: readonly string[] }
  /** A list of texts; with `orText`, a single one may be written without a list. */
  | { kind: "texts"; orText: boolean; item: Kind }
  | { kind: "list"; item: Kind }
  /** Fields; with `short`, this one alone may be written without the group. */
  | { kind: "group"; fields: readonly Field[]; short: string | undefined }
  /** Names that the editor chooses, in order, each with a value. */
  | { kind: "named"; key: Kind; value: Kind };

export type Field = Kind & { name: string; required: boolean };

/** The fields of a file, by its schema. */
export function fieldsOf(schema: z.ZodType): Field[] {
  const { inner } = unwrap(schema);
  if (!(inner instanceof z.ZodObject)) throw new Error("Files consist of fields.");
  return Object.entries(inner.shape).map(([name, field]) => {
    const { inner, required } = unwrap(field as z.ZodType);
    return { name, required, ...kindOf(inner) };
  });
}

/** The schema of what is written, without its defaults and what becomes of it. */
function unwrap(schema: z.ZodType): { inner: z.ZodType; required: boolean } {
  let [inner, required] = [schema, true];
  for (;;) {
    if (editingOf(inner) !== undefined) return { inner, required };
    if (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault || inner instanceof z.ZodPrefault) {
      required = false;
      inner = inner.unwrap() as z.ZodType;
    } else if (inner instanceof z.ZodPipe) {
      const { in: before, out: after } = inner as z.ZodPipe<z.ZodType, z.ZodType>;
      const isOpaque = before instanceof z.ZodTransform || before instanceof z.ZodUnknown;
      inner = isOpaque ? after : before;
    } else return { inner, required };
  }
}

function kindOf(schema: z.ZodType): Kind {
  const { inner } = unwrap(schema);
  const as = editingOf(inner);
  if (as === "picture")
    return { kind: as, types: pictureTypes.filter((type) => inner.safeParse(`./picture.${type}`).success) };
  if (typeof as === "string") return { kind: as };
  if (as !== undefined) {
    const fields = fieldsOf(as);
    return { kind: "group", fields, short: fields[0]?.name };
  }
  if (inner instanceof z.ZodObject) return { kind: "group", fields: fieldsOf(inner), short: undefined };
  if (inner instanceof z.ZodBoolean) return { kind: "boolean" };
  if (inner instanceof z.ZodNumber) return { kind: "integer" };
  if (inner instanceof z.ZodEnum) return { kind: "choice", options: inner.options.map(String) };
  if (inner instanceof z.ZodLiteral) return { kind: "choice", options: [...inner.values].map(String) };
  if (inner instanceof z.ZodISODate) return { kind: "date" };
  if (inner instanceof z.ZodRecord)
    return { kind: "named", key: kindOf(inner.keyType as z.ZodType), value: kindOf(inner.valueType as z.ZodType) };
  if (inner instanceof z.ZodArray) return listOf(kindOf(inner.element as z.ZodType));
  if (inner instanceof z.ZodUnion) {
    const list = inner.options.find((option) => option instanceof z.ZodArray);
    if (list) return { ...listOf(kindOf(list.element as z.ZodType)), orText: true } as Kind;
  }
  return { kind: "line", longest: inner instanceof z.ZodString ? (inner.maxLength ?? undefined) : undefined };
}

const listOf = (item: Kind): Kind =>
  item.kind === "line" || item.kind === "product" || item.kind === "category"
    ? { kind: "texts", orText: false, item }
    : { kind: "list", item };
