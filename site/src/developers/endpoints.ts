import { z } from "astro/zod";
import text from "../../../api/openapi.json?raw";
import { words } from "../words/words.ts";

const { types } = words.developers;

const parameter = z.object({
  name: z.string(),
  in: z.string(),
  required: z.boolean().default(false),
  description: z.string().default(""),
  schema: z.record(z.string(), z.unknown()).default({}),
});

const security = z.array(z.record(z.string(), z.unknown()));

const body = z.object({
  content: z.record(
    z.string(),
    z.object({
      schema: z.object({
        properties: z.record(z.string(), z.looseObject({ description: z.string().default("") })).default({}),
        required: z.array(z.string()).default([]),
      }),
    }),
  ),
});

const operation = z.object({
  operationId: z.string(),
  summary: z.string().default(""),
  description: z.string().default(""),
  parameters: z.array(parameter).default([]),
  requestBody: body.optional(),
  security: security.optional(),
});

const methods = ["get", "post", "put", "patch", "delete"] as const;
const pathItem = z.object(Object.fromEntries(methods.map((method) => [method, operation.optional()])));

// The parts of an OpenAPI 3.0 document that the tables show; api/ validates the rest.
const document = z.object({ paths: z.record(z.string(), pathItem), security: security.default([]) });

/** One operation of the API. `parameters` includes the fields of its body; `type` is in words, such as `integer, 1 to 250, default 50`. */
export interface Endpoint {
  id: string;
  method: string;
  path: string;
  isPublic: boolean;
  summary: string;
  description: string;
  parameters: { name: string; place: string; required: boolean; type: string; description: string }[];
}

/** The endpoints of api/openapi.json, in its order. */
export function readEndpoints(): Endpoint[] {
  const { paths, security } = document.parse(JSON.parse(text));
  return Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const found = item[method];
      if (found === undefined) return [];
      const { operationId: id, summary, description, parameters, requestBody } = found;
      return {
        ...{ id, path, summary, description },
        method: method.toUpperCase(),
        isPublic: (found.security ?? security).length === 0,
        parameters: [...parameters, ...fieldsOf(requestBody)].map(({ in: place, schema, ...rest }) => ({
          ...rest,
          place,
          type: describeType(schema),
        })),
      };
    }),
  );
}

function fieldsOf(requestBody: z.infer<typeof body> | undefined): z.infer<typeof parameter>[] {
  const { properties = {}, required = [] } = Object.values(requestBody?.content ?? {})[0]?.schema ?? {};
  return Object.entries(properties).map(([name, { description, ...schema }]) => {
    return { name, in: "body", required: required.includes(name), description, schema };
  });
}

function describeType(schema: Record<string, unknown>): string {
  const { type, format, minimum, maximum, default: defaultValue, enum: values } = schema;
  const parts = [format === undefined ? type : `${type} (${format})`];
  if (Array.isArray(values)) parts.push(types.oneOf({ values: values.join(", ") }));
  const isOpen = maximum === undefined || maximum === Number.MAX_SAFE_INTEGER;
  if (minimum !== undefined && !isOpen) parts.push(types.between({ least: String(minimum), most: String(maximum) }));
  else if (minimum !== undefined) parts.push(types.atLeast({ least: String(minimum) }));
  else if (!isOpen) parts.push(types.atMost({ most: String(maximum) }));
  if (defaultValue !== undefined) parts.push(types.default({ value: String(defaultValue) }));
  return parts.filter((part) => part !== undefined).join(", ");
}
