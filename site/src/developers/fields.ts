import { z } from "astro/zod";
import text from "../../../api/openapi.json?raw";
import { findObject } from "../../content-schema/api-objects.ts";
import { words } from "../words/words.ts";

const { types } = words.developers;

// The parts of a schema that the tables show.
const schema = z.object({
  type: z.string().optional(),
  format: z.string().optional(),
  pattern: z.string().optional(),
  nullable: z.boolean().default(false),
  description: z.string().default(""),
  // OpenAPI 3.0.3 has null in a nullable enumeration; the type says it.
  enum: z
    .array(z.string().nullable())
    .transform((values) => values.filter((value) => value !== null))
    .optional(),
  required: z.array(z.string()).default([]),
  $ref: z.string().optional(),
  get properties() {
    return z.record(z.string(), schema).optional();
  },
  get items() {
    return schema.optional();
  },
});
type Schema = z.infer<typeof schema>;

const document = z.object({ components: z.object({ schemas: z.record(z.string(), schema) }) });
const { schemas } = document.parse(JSON.parse(text)).components;

/** A field of an API object. `type` is in words; `values` are the allowed values, empty if `meaning` mentions them all. */
export interface Field {
  name: string;
  type: string;
  values: readonly string[];
  meaning: string;
}

/**
 * The fields of an object of api/openapi.json, in its order.
 *
 * @param path a schema, or a path into it, also through lists: `Order`, `Order.lines.tax_lines`
 * @throws if the path doesn't lead to an object
 */
export function readFields(path: string): Field[] {
  const { properties, required = [] } = findObject<Schema>(schemas, path) ?? {};
  if (properties === undefined) throw new Error(`<Fields of="${path}" />: api/openapi.json has no such object`);
  return Object.entries(properties).map(([name, field]) => ({
    name,
    type: required.includes(name) ? describeType(field) : types.notAlways({ type: describeType(field) }),
    values: field.enum?.every((value) => field.description.includes(`\`${value}\``)) ? [] : (field.enum ?? []),
    // The page says this once for all times.
    meaning: field.description.replace(/ ?RFC 3339 in UTC with milliseconds\.$/, ""),
  }));
}

function describeType(field: Schema): string {
  const type = describeValue(field);
  return field.nullable ? types.orNull({ type }) : type;
}

function describeValue({ type = "object", format, pattern, items }: Schema): string {
  if (format === "date-time") return types.time;
  if (format === "uri") return types.address;
  if (type === "array") return types.list({ type: items?.type ?? "object" });
  // Amounts and rates: strings with the pattern of a decimal number.
  return pattern !== undefined && new RegExp(pattern).test("0.5") ? types.decimal : type;
}
