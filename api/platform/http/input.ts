import type { FastifyInstance, FastifyRequest, FastifySchemaCompiler } from "fastify";
import type { TSchema } from "typebox";
import { Compile } from "typebox/schema";
import { adviceFor } from "./input-advice.ts";
import { ApiError } from "./problem.ts";
import type { FieldError } from "./problem-schema.ts";

const WHERE: Record<string, FieldError["in"]> = {
  querystring: "query",
  params: "path",
  headers: "header",
  body: "body",
};

/** Unknown names that an answer may repeat: at most 31 characters, since a token has at least 32 (env.ts). */
const REPEATABLE_NAME = /^[A-Za-z_][\w.[\]-]{0,30}$/;

/**
 * Validates requests without Ajv's coercion, which accepts 0x10, 1e2 and 2^53 + 1. In query and path, an integer is
 * `^(0|[1-9][0-9]{0,15})$` up to 2^53 - 1, and unknown or repeated parameters are refused. Bodies aren't converted.
 * Answers 400 naming every invalid field.
 */
export const compileStrictValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart = "" }) => {
  const validator = Compile(withNull(schema));
  const where = WHERE[httpPart] ?? "body";
  return (data: unknown) => {
    const value = where !== "body" && isRecord(data) ? readIntegers(data, schema) : data;
    if (validator.Check(value)) return { value };
    const faults = validator.Errors(value)[1].flatMap((error) => describeFaults({ schema, where, value }, error));
    // One entry per field, the last: for a field with several forms, the errors before it are about each form.
    const errors = [...new Map(faults.map((fault) => [fault.field, fault])).values()];
    return {
      error: new ApiError("bad-request", "Parts of the request are invalid. See `errors` for each.", { errors }),
    };
  };
};

/** OpenAPI 3.0 says `nullable` where JSON Schema lists null among the types. */
const withNull = (schema: TSchema): TSchema =>
  JSON.parse(JSON.stringify(schema), (_name, value) =>
    value?.nullable === true && typeof value.type === "string" ? { ...value, type: [value.type, "null"] } : value,
  );

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function readIntegers(data: Record<string, unknown>, schema: TSchema): Record<string, unknown> {
  const entries = Object.entries(data).map(([name, value]) => {
    const integer = schemaAt(schema, [name])?.["type"] === "integer";
    return [name, integer ? readInteger(value) : value];
  });
  return Object.fromEntries(entries);
}

/** The number in a decimal string if a double holds it exactly; otherwise the value unchanged. */
function readInteger(value: unknown): unknown {
  const number = typeof value === "string" && /^(0|[1-9][0-9]{0,15})$/.test(value) ? Number(value) : undefined;
  return Number.isSafeInteger(number) ? number : value;
}

interface Read {
  schema: TSchema;
  where: FieldError["in"];
  value: unknown;
}

interface Fault {
  keyword: string;
  /** A JSON pointer (RFC 6901) to the value. */
  instancePath: string;
  params: object;
}

/** The fields that an error is about, usually one; missing fields are reported at their parent. */
function describeFaults({ schema, where, value }: Read, { keyword, instancePath, params }: Fault): FieldError[] {
  const place = instancePath
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  const { requiredProperties }: { requiredProperties?: string[] } = params;
  const places =
    keyword === "required" && requiredProperties ? requiredProperties.map((name) => [...place, name]) : [place];
  // Each unknown field has its own error besides this one about all of them.
  if (keyword === "additionalProperties") return [];
  return places.map((path) => ({
    in: where,
    field: nameField(schema, path),
    detail: adviceFor(keyword, {
      ...{ where, params, schema: schemaAt(schema, path) ?? {} },
      repeated: where !== "body" && isRecord(value) && Array.isArray(value[path[0] ?? ""]),
    }),
  }));
}

/** `lines.0.sku`; a part that is neither in the schema nor safe to repeat becomes `?`. */
function nameField(schema: TSchema, path: readonly string[]): string {
  return path
    .map((part, index) => (schemaAt(schema, path.slice(0, index + 1)) || REPEATABLE_NAME.test(part) ? part : "?"))
    .join(".");
}

/** The schema of a nested value, or undefined. */
function schemaAt(schema: unknown, path: readonly string[]): Record<string, unknown> | undefined {
  if (!isRecord(schema)) return undefined;
  const [name, ...rest] = path;
  if (name === undefined) return schema;
  const { properties, items } = schema;
  if (isRecord(properties) && Object.hasOwn(properties, name)) return schemaAt(properties[name], rest);
  return /^[0-9]+$/.test(name) ? schemaAt(items, rest) : undefined;
}

/**
 * Makes the body optional in this scope: an empty one counts as none whatever its Content-Type, and any other must be
 * of one of `types`. Fastify by itself refuses an empty body of most types.
 */
export function acceptOptionalJson(scope: FastifyInstance, types: readonly string[] = ["application/json"]): void {
  // Hidden from Fastify, so that every body reaches the parser below; rawHeaders keeps the type.
  scope.addHook("onRequest", async ({ raw }) => {
    delete raw.headers["content-type"];
  });
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", { parseAs: "buffer" }, async ({ raw }: FastifyRequest, body: Buffer) => {
    if (body.length === 0) return undefined;
    if (!/^(identity)?$/i.test(raw.headers["content-encoding"] ?? ""))
      throw new ApiError("unsupported-media-type", "Send the body uncompressed, without Content-Encoding.", {
        headers: { "Accept-Encoding": "identity" }, // RFC 9110 §15.5.16
      });
    if (!types.includes(sentType(raw).split(";", 1)[0]?.trim().toLowerCase() ?? ""))
      throw new ApiError("unsupported-media-type", `Send the body as ${types.join(" or ")}.`);
    return parseJson(body);
  });
  scope.addHook("preValidation", async (request) => {
    if (request.body === undefined) request.body = {};
  });
}

const sentType = ({ rawHeaders }: FastifyRequest["raw"]) =>
  rawHeaders.find((_value, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === "content-type") ?? "";

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw new ApiError("bad-request", "The body isn't valid JSON.");
  }
}
