import fc from "fast-check";
import { byDepth } from "../../../depth.ts";
import { token } from "../../api.ts";
import { type Described, document, type Parameter, type ValueSchema } from "../openapi/openapi-document.ts";
import { ascii, valid, value } from "./fuzz-values.ts";

/** A request for `app.inject`, and the operation that it tests. */
export interface FuzzRequest {
  operationId: string;
  method: "GET" | "POST" | "PATCH";
  url: string;
  headers: Record<string, string>;
  payload: string;
  remoteAddress: string;
}

const METHODS = { get: "GET", post: "POST", patch: "PATCH" } as const;

const isVerb = (verb: string): verb is keyof typeof METHODS => Object.hasOwn(METHODS, verb);

/** The document's operations of the API. nginx serves the static resources. */
export const operations = Object.entries(document.paths).flatMap(([path, described]) =>
  Object.entries(described).flatMap(([verb, operation]) => {
    const method = isVerb(verb) ? METHODS[verb] : undefined;
    if (path.startsWith("/api/") && !method) throw new Error(`There is no generator for ${verb} ${path} yet.`);
    return method && path.startsWith("/api/") ? [{ path, method, operation }] : [];
  }),
);

const encode = (text: string) => encodeURIComponent(text.toWellFormed());

const pathOf = (path: string, parameters: Parameter[]): fc.Arbitrary<string> =>
  fc
    .tuple(...parameters.map(({ name, schema }) => fc.tuple(fc.constant(name), value(schema))))
    .map((values) => values.reduce((url, [name, text]) => url.replace(`{${name}}`, () => encode(text)), path));

function queryOf(parameters: Parameter[]): fc.Arbitrary<string> {
  const known = parameters.map(({ name, schema }) =>
    fc.oneof(
      { weight: 10, arbitrary: fc.constant([]) },
      {
        weight: 10,
        arbitrary: fc.array(
          value(schema).map((text) => `${name}=${encode(text)}`),
          { minLength: 1, maxLength: 1 },
        ),
      },
      { weight: 1, arbitrary: fc.constant([`${name}=1`, `${name}=2`]) },
    ),
  );
  const unknown = fc.oneof(
    { weight: 12, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.constantFrom(["foo=1"], ["__proto__=1"], ["limit[]=3"], ["Limit=3"], ["="], ["%zz"]) },
  );
  return fc.tuple(...known, unknown).map((parts) => parts.flat().join("&"));
}

const credentials = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.constantFrom<Record<string, string>>(
      { authorization: `Bearer ${token}` },
      { "x-ecom-api-token": token },
      { authorization: `bearer ${token}`, "x-ecom-api-token": token },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.oneof(
      fc.constantFrom<Record<string, string>>({}, { authorization: "" }, { authorization: `Basic ${token}` }),
      ascii.map((text) => ({ "x-ecom-api-token": text })),
      ascii.map((text) => ({ authorization: `Bearer ${text}`, "x-ecom-api-token": token })),
    ),
  },
);

/** Header values without control characters, which HTTP parsers refuse before the API sees them. */
const headersOf = (parameters: Parameter[]): fc.Arbitrary<Record<string, string>> =>
  fc
    .tuple(
      ...parameters.map(({ name, schema }) =>
        fc.option(fc.oneof({ weight: 4, arbitrary: valid(schema) }, { weight: 1, arbitrary: ascii })).map((text) => {
          const header: [string, string][] = text === null ? [] : [[name, text]];
          return header;
        }),
      ),
    )
    .map((entries) => Object.fromEntries(entries.flat()));

function jsonOf(schema: ValueSchema): fc.Arbitrary<string> {
  if (schema.type === "object") return objectOf(schema);
  const { items, minItems: minLength = 0 } = schema;
  if (items) return fc.array(jsonOf(items), { minLength, maxLength: 2 }).map((texts) => `[${texts}]`);
  return valid(schema).map((text) => (schema.type === "string" ? JSON.stringify(text) : text));
}

/** With any of the fields that may be left out. */
const objectOf = ({ properties = {}, required = [] }: ValueSchema): fc.Arbitrary<string> =>
  fc
    .subarray(Object.keys(properties).filter((name) => !required.includes(name)))
    .chain((optional) => {
      const chosen = Object.entries(properties).filter(([name]) => [...required, ...optional].includes(name));
      return fc.record(Object.fromEntries(chosen.map(([name, schema]) => [name, jsonOf(schema)])));
    })
    .map((values) => `{${Object.entries(values).map(([name, text]) => `${JSON.stringify(name)}:${text}`)}}`);

/** A body and its type, mostly as the document describes them. */
function bodyOf({ requestBody }: Described): fc.Arbitrary<{ payload: string; type: string | undefined }> {
  const fields = objectOf(requestBody?.content["application/json"]?.schema ?? {});
  const json = (payload: string) => ({ payload, type: "application/json" });
  const without = fc.constant({ payload: "", type: undefined });
  const described = fc.oneof({ weight: requestBody?.required ? 9 : 1, arbitrary: fields.map(json) }, without);
  const foreign = fc.constantFrom("text/xml", "application/json; charset=utf-16", "x", "");
  const odd = fc.oneof(
    fc.json().map(json),
    fc.constantFrom("{", '{"force":"yes"}', '{"__proto__":1}', "[]", "\ufeff{}").map(json),
    { weight: 2, arbitrary: fc.constant(json(`{"a":"${"x".repeat(20_000)}"}`)) },
    { weight: 3, arbitrary: foreign.map((type) => ({ payload: "{}", type })) },
    fc.constantFrom("text/plain", "application/x-www-form-urlencoded").map((type) => ({ payload: "", type })),
  );
  return requestBody ? fc.oneof({ weight: 3, arbitrary: described }, { weight: 1, arbitrary: odd }) : without;
}

/** From each come more requests, and more of them with a wrong token, than the limits allow. */
const ADDRESSES = byDepth({ usual: 3, deep: 12 });

/** A random request for a random operation. */
export const anyRequest: fc.Arbitrary<FuzzRequest> = fc.oneof(
  ...operations.map(({ path, method, operation }) => {
    const parameters = (place: string) => (operation.parameters ?? []).filter((parameter) => parameter.in === place);
    return fc
      .record({
        path: pathOf(path, parameters("path")),
        query: queryOf(parameters("query")),
        headers: headersOf(parameters("header")),
        credential: credentials,
        body: bodyOf(operation),
        address: fc.nat(ADDRESSES - 1),
      })
      .map(({ path: url, query, headers, credential, body: { payload, type }, address }) => ({
        operationId: operation.operationId,
        method,
        url: query ? `${url}?${query}` : url,
        headers: { ...headers, ...credential, ...(type === undefined ? {} : { "content-type": type }) },
        payload,
        remoteAddress: `203.0.113.${address}`,
      }));
  }),
);
