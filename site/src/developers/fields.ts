import { z } from "astro/zod";
import text from "../../../api/openapi.json?raw";
import { words } from "../words/words.ts";

const { types } = words.developers;

// As much of a schema as the tables show.
const schema = z.object({
  type: z.string().optional(),
  format: z.string().optional(),
  pattern: z.string().optional(),
  nullable: z.boolean().default(false),
  description: z.string().default(""),
  enum: z.array(z.string()).optional(),
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

/** A field of an object of the API. `type` is in words; `values` are the only ones there are, unless `meaning` has them all. */
export interface Field {
  name: string;
  type: string;
  values: readonly string[];
  meaning: string;
}

/**
 * The fields of an object of api/openapi.json, in its order.
 *
 * @param path a schema and the way down from it, through lists too: `Order`, `Order.lines.tax_lines`
 * @throws when there is no such object
 */
export function readFields(path: string): Field[] {
  const [name = "", ...steps] = path.split(".");
  const found = steps.reduce((at, step) => resolve(at)?.properties?.[step], schemas[name]);
  const { properties, required = [] } = resolve(found) ?? {};
  if (properties === undefined) throw new Error(`<Fields of="${path}" />: api/openapi.json has no such object`);
  return Object.entries(properties).map(([name, field]) => ({
    name,
    type: required.includes(name) ? describeType(field) : types.notAlways(describeType(field)),
    values: field.enum?.every((value) => field.description.includes(`\`${value}\``)) ? [] : (field.enum ?? []),
    // Said of every time; the page says it once.
    meaning: field.description.replace(/ ?RFC 3339 in UTC with milliseconds\.$/, ""),
  }));
}

/** The object itself: of a list, what it lists; of a reference, what it refers to. */
function resolve(field: Schema | undefined): Schema | undefined {
  if (field?.items !== undefined) return resolve(field.items);
  return field?.$ref === undefined ? field : schemas[field.$ref.split("/").at(-1) ?? ""];
}

function describeType(field: Schema): string {
  const type = describeValue(field);
  return field.nullable ? types.orNull(type) : type;
}

function describeValue({ type = "object", format, pattern, items }: Schema): string {
  if (format === "date-time") return types.time;
  if (format === "uri") return types.address;
  if (type === "array") return types.list(items?.type ?? "object");
  // Amounts and rates: strings that must look like a decimal number.
  return pattern !== undefined && new RegExp(pattern).test("0.5") ? types.decimal : type;
}
