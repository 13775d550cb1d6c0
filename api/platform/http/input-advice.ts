import type { FieldError } from "./problem-schema.ts";

interface Wrong {
  where: FieldError["in"];
  /** The validator's parameters, in Ajv's terms. */
  params: Params;
  /** Whether the value is a list because a parameter was repeated. */
  repeated: boolean;
  /** The value's schema. */
  schema: { title?: unknown; type?: unknown; minimum?: unknown; maximum?: unknown };
}

interface Params {
  limit?: number;
  multipleOf?: number;
  format?: string;
  allowedValues?: unknown[];
  allowedValue?: unknown;
  type?: string | string[];
}

const ONE_FORM = "Write one of the forms in openapi.json.";

/**
 * What to write instead, for every keyword in a request's schema; a test checks all routes. Never quotes the input. A
 * schema's `title` replaces it where the keyword alone says too little.
 */
const ADVICE: Readonly<Record<string, (wrong: Wrong) => string>> = {
  type,
  enum: ({ params }) => `Write one of ${list(params.allowedValues ?? [])}.`,
  const: ({ params }) => `Write ${list([params.allowedValue])}.`,
  pattern: () => "Write it in the form of `pattern` in openapi.json.",
  format: ({ params }) => FORMATS[params.format ?? ""] ?? `Write it in the format ${params.format}.`,
  minLength: ({ params }) => `Write at least ${count(params.limit, "character")}.`,
  maxLength: ({ params }) => `Write at most ${count(params.limit, "character")}.`,
  minimum: number,
  maximum: number,
  exclusiveMinimum: ({ params }) => `Write a number greater than ${params.limit}.`,
  exclusiveMaximum: ({ params }) => `Write a number less than ${params.limit}.`,
  multipleOf: ({ params }) => `Write a multiple of ${params.multipleOf}.`,
  minItems: ({ params }) => `Send at least ${count(params.limit, "entry", "entries")}.`,
  maxItems: ({ params }) => `Send at most ${count(params.limit, "entry", "entries")}.`,
  uniqueItems: () => "Send each entry once.",
  minProperties: ({ params }) => `Send at least ${count(params.limit, "field")}.`,
  maxProperties: ({ params }) => `Send at most ${count(params.limit, "field")}.`,
  required: ({ where }) => `This ${noun(where)} is required.`,
  anyOf: () => ONE_FORM,
  oneOf: () => ONE_FORM,
  not: () => "This value isn't allowed here.",
  boolean: ({ where }) => `This ${noun(where)} doesn't exist here. Remove it.`,
};

/** Keywords with advice. `additionalProperties` is reported as `boolean`, the schema `false` of each unknown field. */
export const advisedKeywords: ReadonlySet<string> = new Set([...Object.keys(ADVICE), "additionalProperties"]);

/** One sentence on what to write instead. */
export function adviceFor(keyword: string, wrong: Wrong): string {
  const { title } = wrong.schema;
  if (typeof title === "string" && keyword !== "required" && !wrong.repeated) return title;
  return ADVICE[keyword]?.(wrong) ?? "This value isn't valid. See openapi.json for what is expected.";
}

const noun = (where: FieldError["in"]) =>
  ({ query: "parameter", path: "parameter", header: "header", body: "field" })[where];

const list = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).join(", ");

const count = (limit = 0, one: string, many = `${one}s`) => `${limit} ${limit === 1 ? one : many}`;

function number({ schema, where, params: { type } }: Wrong): string {
  const whole = schema.type === "integer" || type === "integer";
  const { minimum = whole && where !== "body" ? 0 : undefined, maximum = whole ? Number.MAX_SAFE_INTEGER : undefined } =
    schema;
  const from = minimum === undefined ? "" : ` from ${minimum}`;
  const to = maximum === undefined ? "" : `${from === "" ? " up" : ""} to ${maximum}`;
  return `Write a ${whole ? "whole " : ""}number${from}${to}${where === "body" ? ", without quotes" : ", in digits only"}.`;
}

const KINDS: Readonly<Record<string, string>> = {
  string: "a text, in double quotes",
  boolean: "true or false, without quotes",
  object: "an object, in braces",
  array: "a list, in brackets",
  null: "null",
};

function type(wrong: Wrong): string {
  if (wrong.repeated) return `Send this ${noun(wrong.where)} once.`;
  const kinds = [wrong.params.type ?? []].flat();
  if (kinds.every((kind) => kind === "integer" || kind === "number")) return number(wrong);
  if (wrong.where !== "body" && kinds.includes("boolean")) return "Write true or false.";
  return `Write ${kinds.map((kind) => KINDS[kind] ?? "a number, without quotes").join(" or ")}.`;
}

const FORMATS: Readonly<Record<string, string>> = {
  "date-time": "Write an RFC 3339 time, such as 2026-10-18T08:13:02.004Z.",
  date: "Write an RFC 3339 date, such as 2026-10-18.",
  email: "Write an e-mail address, such as ada@example.com.",
  uri: "Write an absolute address, such as https://shop.example/path.",
  uuid: "Write a UUID, such as 8e03978e-40d5-43dd-bc93-6894a57f9324.",
};
