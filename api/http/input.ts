import type { FastifyInstance, FastifyRequest, FastifySchemaCompiler } from "fastify";
import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { adviceFor } from "./input-advice.ts";
import { ApiError } from "./problem.ts";
import type { FieldError } from "./problem-schema.ts";

const WHERE: Record<string, FieldError["in"]> = {
  querystring: "query",
  params: "path",
  headers: "header",
  body: "body",
};

/** Unknown names that an answer may repeat: at most 31 characters, where a token has 32 or more (env.ts). */
const REPEATABLE_NAME = /^[A-Za-z_][\w.[\]-]{0,30}$/;

/**
 * Reads query and path parameters without coercion: an integer is `^(0|[1-9][0-9]{0,15})$` and at most 2^53 - 1, nothing
 * else becomes one, and a parameter that the schema does not know, or that comes twice, is refused (Ajv's coercion
 * takes 0x10, 1e2 and 2^53 + 1 for numbers they are not). Of a body nothing is read as anything else. Answers 400 naming
 * every bad field.
 */
export const compileStrictValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart = "" }) => {
  const validator = Compile(schema);
  const where = WHERE[httpPart] ?? "body";
  return (data: unknown) => {
    const value = where !== "body" && isRecord(data) ? readIntegers(data, schema) : data;
    if (validator.Check(value)) return { value };
    const faults = validator.Errors(value).flatMap((error) => describeFaults({ schema, where, value }, error));
    // One word about each field, the last: of several forms that it may have, the first faults are about each of them.
    const errors = [...new Map(faults.map((fault) => [fault.field, fault])).values()];
    return {
      error: new ApiError("bad-request", "Parts of the request are not usable; `errors` names each.", { errors }),
    };
  };
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function readIntegers(data: Record<string, unknown>, schema: TSchema): Record<string, unknown> {
  const entries = Object.entries(data).map(([name, value]) => {
    const integer = schemaAt(schema, [name])?.["type"] === "integer";
    return [name, integer ? readInteger(value) : value];
  });
  return Object.fromEntries(entries);
}

/** The number that a decimal string says, when a double holds it exactly; otherwise the value unchanged. */
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

/** The fields that one fault is about, usually one: missing ones are named at their parent. */
function describeFaults({ schema, where, value }: Read, { keyword, instancePath, params }: Fault): FieldError[] {
  const place = instancePath
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  const { requiredProperties }: { requiredProperties?: string[] } = params;
  const places =
    keyword === "required" && requiredProperties ? requiredProperties.map((name) => [...place, name]) : [place];
  // Each unknown field has a fault of its own, beside this one about all of them.
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

/** `lines.0.sku`; `?` for each part that is no name of ours and no name that an answer may repeat. */
function nameField(schema: TSchema, path: readonly string[]): string {
  return path
    .map((part, index) => (schemaAt(schema, path.slice(0, index + 1)) || REPEATABLE_NAME.test(part) ? part : "?"))
    .join(".");
}

/** What the schema says of a value within its own; undefined where it says nothing. */
function schemaAt(schema: unknown, path: readonly string[]): Record<string, unknown> | undefined {
  if (!isRecord(schema)) return undefined;
  const [name, ...rest] = path;
  if (name === undefined) return schema;
  const { properties, items } = schema;
  if (isRecord(properties) && Object.hasOwn(properties, name)) return schemaAt(properties[name], rest);
  return /^[0-9]+$/.test(name) ? schemaAt(items, rest) : undefined;
}

/**
 * Lets the routes of this scope be called without a body: one of zero length counts as none whatever its type says,
 * and any other must be application/json. Fastify alone refuses an empty one of most types.
 */
export function acceptOptionalJson(scope: FastifyInstance): void {
  // Out of Fastify's sight, so that each body comes to the one parser below; the raw lines keep the type.
  scope.addHook("onRequest", async ({ raw }) => {
    delete raw.headers["content-type"];
  });
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", { parseAs: "buffer" }, async ({ raw }: FastifyRequest, body: Buffer) => {
    if (body.length === 0) return undefined;
    if (!/^(identity)?$/i.test(raw.headers["content-encoding"] ?? ""))
      throw new ApiError("unsupported-media-type", "Send the body as it is, without a Content-Encoding.", {
        headers: { "Accept-Encoding": "identity" }, // RFC 9110 §15.5.16
      });
    if (!/^application\/json[ \t]*(;|$)/i.test(sentType(raw)))
      throw new ApiError("unsupported-media-type", "Send the body as application/json.");
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
    throw new ApiError("bad-request", "The body is not JSON.");
  }
}
