import type { FastifySchemaCompiler } from "fastify";
import type { TProperties, TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { ApiError } from "./problem.ts";
import type { FieldError } from "./problem-schema.ts";

const WHERE: Record<string, FieldError["in"]> = {
  querystring: "query",
  params: "path",
  headers: "header",
  body: "body",
};

/** Unknown names that an answer may repeat: at most 31 characters, where a token has 32 or more (env.ts). */
const HARMLESS_NAME = /^[A-Za-z_][\w.[\]-]{0,30}$/;

/**
 * Reads query and path parameters without coercion: an integer is `^(0|[1-9][0-9]{0,15})$` and at most 2^53 - 1, nothing
 * else becomes one, and a parameter that the schema does not know, or that comes twice, is refused (Ajv's coercion
 * takes 0x10, 1e2 and 2^53 + 1 for numbers they are not). Answers 400 naming every bad field.
 */
export const readStrictly: FastifySchemaCompiler<TSchema> = ({ schema, httpPart = "" }) => {
  const validator = Compile(schema);
  const properties = "properties" in schema && isRecord<TSchema>(schema.properties) ? schema.properties : {};
  return (data: unknown) => {
    const value = isRecord(data) ? readIntegers(data, properties) : data;
    if (validator.Check(value)) return { value };
    const names = validator.Errors(value).flatMap(({ instancePath, params }) => nameFields(instancePath, params));
    const errors = [...new Set(names)].map((field) => ({
      in: WHERE[httpPart] ?? "body",
      field: Object.hasOwn(properties, field) || HARMLESS_NAME.test(field) ? field : "?",
      detail: advise(field, properties, data),
    }));
    return {
      error: new ApiError("bad-request", "Parts of the request are not usable; `errors` names each.", { errors }),
    };
  };
};

const isRecord = <T>(value: unknown): value is Record<string, T> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function readIntegers(data: Record<string, unknown>, properties: TProperties): Record<string, unknown> {
  const entries = Object.entries(data).map(([name, value]) => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const integer = property && "type" in property && property.type === "integer";
    return [name, integer ? readInteger(value) : value];
  });
  return Object.fromEntries(entries);
}

/** The number that a decimal string says, when a double holds it exactly; otherwise the value unchanged. */
function readInteger(value: unknown): unknown {
  const number = typeof value === "string" && /^(0|[1-9][0-9]{0,15})$/.test(value) ? Number(value) : undefined;
  return Number.isSafeInteger(number) ? number : value;
}

/** `/limit` for a bad or unknown value; missing fields stand in the parameters of the error at their parent. */
function nameFields(instancePath: string, params: object): string[] {
  const { requiredProperties = [] }: { requiredProperties?: string[] } = params;
  return instancePath ? [instancePath.slice(1).replaceAll("~1", "/").replaceAll("~0", "~")] : requiredProperties;
}

function advise(field: string, properties: TProperties, data: unknown): string {
  const property = Object.hasOwn(properties, field) ? properties[field] : undefined;
  if (!property) return "There is no such parameter here; leave it out.";
  if (isRecord(data) && Array.isArray(data[field])) return "Send this parameter once.";
  const {
    minimum = 0,
    maximum = Number.MAX_SAFE_INTEGER,
    title,
  }: { minimum?: number; maximum?: number; title?: string } = property;
  return title ?? `Write a whole number from ${minimum} to ${maximum}, in digits only.`;
}
