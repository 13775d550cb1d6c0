import { Ajv, type AnySchema, type ValidateFunction } from "ajv";
import { default as addFormats } from "ajv-formats";
import { type Described, document } from "./openapi-document.ts";

export interface Answer {
  statusCode: number;
  payload: string;
  headers: Record<string, unknown>;
}

const HEADERS = ["link", "etag", "cache-control", "vary", "www-authenticate", "retry-after", "idempotent-replayed"];

/**
 * Returns a function that checks an answer strictly against the document: its status, type and body, and the headers
 * of a success. The function throws an error with the difference, or returns the operation and the status.
 */
export function makeValidator(): (operation: Described, answer: Answer) => string {
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const components: AnySchema = { $id: "openapi", components: closed(document.components) };
  ajv.addSchema(components);
  const compiled = new Map<object, ValidateFunction>();
  const compile = (schema: object) => {
    const known = compiled.get(schema);
    const check = known ?? ajv.compile(JSON.parse(JSON.stringify(closed(schema)).replaceAll('"#/', '"openapi#/')));
    compiled.set(schema, check);
    return check;
  };
  return (operation, { statusCode, payload, headers }) => {
    const where = `${operation.operationId} ${statusCode}`;
    const described = operation.responses[statusCode];
    if (!described) throw new Error(`${where} is not described: ${payload}`);
    if (typeof headers["x-request-id"] !== "string") throw new Error(`${where} has no X-Request-Id.`);
    const names = Object.keys(described.headers ?? {}).map((name) => name.toLowerCase());
    const unnamed = HEADERS.filter((name) => statusCode < 400 && name in headers && !names.includes(name));
    if (unnamed.length > 0) throw new Error(`${where} has headers that are not described: ${unnamed}`);
    if (statusCode === 304) return where;
    const [type = ""] = String(headers["content-type"]).split(";");
    const schema = described.content?.[type]?.schema;
    if (!schema) throw new Error(`${where} is of a type that is not described: ${type}`);
    const check = compile(schema);
    if (!check(JSON.parse(payload))) throw new Error(`${where}: ${JSON.stringify(check.errors)}\n${payload}`);
    return where;
  };
}

/** A copy of the schema in which objects can have only the properties it names. */
function closed(schema: object): object {
  const entries = Object.entries(schema).map(([key, value]) => [
    key,
    typeof value === "object" && value ? closed(value) : value,
  ]);
  const copy = Array.isArray(schema) ? entries.map(([, value]) => value) : Object.fromEntries(entries);
  return "properties" in copy && "type" in copy ? { additionalProperties: false, ...copy } : copy;
}
