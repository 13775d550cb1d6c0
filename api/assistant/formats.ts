import type { Tool } from "./answers/tool.ts";

export const FORMATS = ["openai", "anthropic", "json-schema"] as const;
export type Format = (typeof FORMATS)[number];

/**
 * What both vendors take in strict schemas. Neither takes lengths, and Anthropic takes no limits of numbers and lists:
 * descriptions say those, and every call is checked against the whole schema.
 */
const TAKEN = [
  "type",
  "description",
  "enum",
  "const",
  "anyOf",
  "items",
  "properties",
  "required",
  "additionalProperties",
];

/** Describes tools as a vendor's API takes them, or with their whole schemas, examples and effects. */
export const describeTools = (tools: readonly Tool[], format: Format): object[] => tools.map(DESCRIBE[format]);

const DESCRIBE: Readonly<Record<Format, (tool: Tool) => object>> = {
  openai: ({ name, description, arguments: schema }) => {
    return { type: "function", name, description, parameters: narrow(schema), strict: true };
  },
  anthropic: ({ name, description, arguments: schema }) => {
    return { name, description, input_schema: narrow(schema), strict: true };
  },
  "json-schema": ({ name, description, arguments: schema, example, writes }) => {
    return { name, description, arguments: schema, example, writes };
  },
};

/** The schema with the keywords of TAKEN alone; below `properties` all names are kept. */
function narrow(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(narrow);
  if (!isRecord(schema)) return schema;
  const kept = Object.entries(schema).filter(([keyword]) => TAKEN.includes(keyword));
  return Object.fromEntries(
    kept.map(([keyword, value]) => [
      keyword,
      keyword === "properties" && isRecord(value)
        ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, narrow(each)]))
        : narrow(value),
    ]),
  );
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
