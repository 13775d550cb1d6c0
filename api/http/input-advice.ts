import type { FieldError } from "./problem-schema.ts";

interface Wrong {
  where: FieldError["in"];
  /** What the validator says of the fault, in Ajv's terms. */
  params: Params;
  /** Whether it is a list where one value is asked, as a parameter is that came twice. */
  repeated: boolean;
  /** What is asked of the value. */
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

const ONE_FORM = "Write one of the forms that openapi.json gives for this value.";

/**
 * What to write instead, for every keyword that a request's schema may have: a test goes through the schemas of all
 * routes. None quotes what was sent. `title` of a schema says it better where a pattern alone would say nothing.
 */
const ADVICE: Readonly<Record<string, (wrong: Wrong) => string>> = {
  type,
  enum: ({ params }) => `Write one of ${list(params.allowedValues ?? [])}.`,
  const: ({ params }) => `Write ${list([params.allowedValue])}.`,
  pattern: () => "Write it in the form that openapi.json gives under `pattern`.",
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
  required: ({ where }) => `This ${noun(where)} is missing; it is required.`,
  anyOf: () => ONE_FORM,
  oneOf: () => ONE_FORM,
  not: () => "This value isn't allowed here.",
  boolean: ({ where }) => `There is no such ${noun(where)} here; leave it out.`,
};

/** Which faults have advice; `additionalProperties` shows as `boolean`, the schema false of each unknown field. */
export const advisedKeywords: ReadonlySet<string> = new Set([...Object.keys(ADVICE), "additionalProperties"]);

/** One sentence that says what to write instead. */
export function adviceFor(keyword: string, wrong: Wrong): string {
  const { title } = wrong.schema;
  if (typeof title === "string" && keyword !== "required" && !wrong.repeated) return title;
  return ADVICE[keyword]?.(wrong) ?? "This value isn't usable; openapi.json says what is asked.";
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
  "date-time": "Write a time as RFC 3339 has it, such as 2026-10-18T08:13:02.004Z.",
  date: "Write a day as RFC 3339 has it, such as 2026-10-18.",
  email: "Write an e-mail address, such as ada@example.com.",
  uri: "Write an absolute address, such as https://shop.example/path.",
  uuid: "Write a UUID, such as 8e03978e-40d5-43dd-bc93-6894a57f9324.",
};
