import { expect, test } from "vitest";
import { compileStrictValidator } from "../../../../api/platform/http/input.ts";
import { advisedKeywords } from "../../../../api/platform/http/input-advice.ts";
import { startApi } from "../../api.ts";
import { startPushing } from "../../partners/erp/deliveries.ts";

/** Validates `data` against a schema. Returns each field's advice, or undefined if all are valid. */
async function read(httpPart: string, schema: object, data: unknown): Promise<Record<string, string> | undefined> {
  const read = compileStrictValidator({ schema, method: "POST", url: "/", httpPart });
  const { error } = Object(await read(data));
  const errors: { field: string; detail: string }[] | undefined = error?.errors;
  return errors && Object.fromEntries(errors.map(({ field, detail }) => [field, detail]));
}

const object = (properties: Record<string, object>, more: object = {}) => ({ type: "object", properties, ...more });

/** Values that break each keyword, and the advice for them in a body. */
const FAULTS: [string, object, unknown, string][] = [
  ["type", { type: "boolean" }, "yes", "Write true or false, without quotes."],
  ["type", { type: "string" }, 5, "Write a text, in double quotes."],
  ["type", { type: "string" }, ["a"], "Write a text, in double quotes."],
  ["type", { type: "array" }, {}, "Write a list, in brackets."],
  ["type", { type: "object" }, null, "Write an object, in braces."],
  ["type", { type: "null" }, 0, "Write null."],
  ["type", { type: ["string", "null"] }, 0, "Write a text, in double quotes or null."],
  ["type", { type: "number" }, "5", "Write a number, without quotes."],
  ["type", { type: "number", minimum: 2 }, "5", "Write a number from 2, without quotes."],
  ["type", { type: "integer", minimum: 1, maximum: 5 }, "5", "Write a whole number from 1 to 5, without quotes."],
  ["type", { type: "integer", minimum: 1, maximum: 5 }, 1.5, "Write a whole number from 1 to 5, without quotes."],
  ["minimum", { type: "integer", minimum: 1, maximum: 5 }, 0, "Write a whole number from 1 to 5, without quotes."],
  ["maximum", { type: "number", maximum: 5 }, 6, "Write a number up to 5, without quotes."],
  ["exclusiveMinimum", { type: "number", exclusiveMinimum: 0 }, 0, "Write a number greater than 0."],
  ["exclusiveMaximum", { type: "number", exclusiveMaximum: 9 }, 9, "Write a number less than 9."],
  ["multipleOf", { type: "integer", multipleOf: 12 }, 5, "Write a multiple of 12."],
  ["enum", { type: "string", enum: ["a", "b"] }, "c", 'Write one of "a", "b".'],
  ["const", { const: "a" }, "c", 'Write "a".'],
  ["pattern", { type: "string", pattern: "^a" }, "c", "Write it in the form of `pattern` in openapi.json."],
  ["pattern", { type: "string", pattern: "^a", title: "Begin with a." }, "c", "Begin with a."],
  ["format", { type: "string", format: "email" }, "c", "Write an e-mail address, such as ada@example.com."],
  ["format", { type: "string", format: "ipv4" }, "c", "Write it in the format ipv4."],
  ["minLength", { type: "string", minLength: 2 }, "c", "Write at least 2 characters."],
  ["maxLength", { type: "string", maxLength: 1 }, "cc", "Write at most 1 character."],
  ["minItems", { type: "array", minItems: 1 }, [], "Send at least 1 entry."],
  ["maxItems", { type: "array", maxItems: 2 }, [1, 2, 3], "Send at most 2 entries."],
  ["uniqueItems", { type: "array", uniqueItems: true }, [1, 1], "Send each entry once."],
  ["minProperties", { type: "object", minProperties: 1 }, {}, "Send at least 1 field."],
  ["maxProperties", { type: "object", maxProperties: 1 }, { a: 1, b: 1 }, "Send at most 1 field."],
  ["anyOf", { anyOf: [{ type: "string" }, { type: "null" }] }, 5, "Write one of the forms in openapi.json."],
  ["oneOf", { oneOf: [{ type: "string" }, { type: "null" }] }, 5, "Write one of the forms in openapi.json."],
  ["not", { not: { type: "string" } }, "a", "This value isn't allowed here."],
];

test("every keyword has fitting advice, at the top of a body, nested and in a list", async () => {
  for (const [keyword, schema, value, detail] of FAULTS) {
    const nested = object({ a: object({ list: { type: "array", items: object({ deep: schema }) } }) });
    expect([keyword, await read("body", object({ field: schema }), { field: value })]).toEqual([
      keyword,
      { field: detail },
    ]);
    expect([keyword, await read("body", nested, { a: { list: [{}, { deep: value }] } })]).toEqual([
      keyword,
      { "a.list.1.deep": detail },
    ]);
  }
  const tried = new Set(FAULTS.map(([keyword]) => keyword));
  expect([...advisedKeywords].filter((keyword) => !tried.has(keyword))).toEqual([
    ...["required", "boolean", "additionalProperties"],
  ]);
});

test("missing and unknown fields are named with their path", async () => {
  const inner = object({ city: { type: "string" } }, { required: ["city"], additionalProperties: false });
  const schema = object({ address: inner, id: { type: "integer" } }, { required: ["id"], additionalProperties: false });
  const missing = "This field is required.";
  const unknown = "This field doesn't exist here. Remove it.";
  expect(await read("body", schema, { address: {} })).toEqual({ id: missing, "address.city": missing });
  expect(await read("body", schema, { id: 1, address: { city: "x", town: 1, "a/b": 1 }, colour: 1 })).toEqual({
    "address.town": unknown,
    "address.?": unknown,
    colour: unknown,
  });
  expect(await read("querystring", schema, { id: "1", colour: "1" })).toEqual({
    colour: "This parameter doesn't exist here. Remove it.",
  });
  expect(await read("querystring", schema, {})).toEqual({ id: "This parameter is required." });
  expect(await read("headers", schema, {})).toEqual({ id: "This header is required." });
});

test("in query and path, integers are read from digits, advice doesn't mention quotes, and repeated parameters are refused", async () => {
  const schema = object({
    n: { type: "integer", maximum: 9 },
    b: { type: "boolean" },
    s: { type: "string", title: "Write s." },
  });
  for (const part of ["querystring", "params"]) {
    expect(await read(part, schema, { n: "7" })).toBe(undefined);
    expect(await read(part, schema, { n: "12", b: "yes" })).toEqual({
      n: "Write a whole number from 0 to 9, in digits only.",
      b: "Write true or false.",
    });
  }
  expect(await read("querystring", schema, { n: ["7", "7"], s: ["a", "a"] })).toEqual({
    n: "Send this parameter once.",
    s: "Send this parameter once.",
  });
  expect(await read("body", schema, { n: "7" })).toEqual({ n: "Write a whole number up to 9, without quotes." });
});

test("a push with an invalid body or key says what is wrong", async () => {
  const { app, push } = await startPushing();
  const send = async (payload: string) => {
    const headers = {
      authorization: "Bearer a-partner-token-of-thirty-two-letters",
      "content-type": "application/json",
    };
    return (await app.inject({ method: "POST", url: "/api/erp/orders/1/push", headers, payload })).json().errors;
  };
  const whole = [{ in: "body", field: "", detail: "Write an object, in braces." }];
  for (const body of ["null", "[]", "true", '"force"', "5"]) expect([body, await send(body)]).toEqual([body, whole]);
  for (const force of ['"yes"', "1", "null", "[true]"])
    expect([force, await send(`{"force":${force}}`)]).toEqual([
      force,
      [{ in: "body", field: "force", detail: "Write true or false, without quotes." }],
    ]);
  expect(await send('{"Force":true}')).toEqual([
    { in: "body", field: "Force", detail: "This field doesn't exist here. Remove it." },
  ]);
  const key = await push(1, {}, { "idempotency-key": "two words" });
  expect(key.json().errors).toEqual([
    {
      in: "header",
      field: "idempotency-key",
      detail: "Write 1 to 255 visible ASCII characters, in double quotes or without.",
    },
  ]);
});

/** Keywords that a value can't break. */
const UNBREAKABLE = new Set(["title", "description", "example", "default", "nullable", "properties", "items", "$id"]);

function* listKeywords(schema: object): Generator<string> {
  for (const [name, value] of Object.entries(schema)) {
    if (!UNBREAKABLE.has(name)) yield name;
    const within =
      name === "properties"
        ? Object.values(value)
        : ["items", "anyOf", "oneOf", "not"].includes(name)
          ? [value].flat()
          : [];
    for (const inner of within) yield* listKeywords(Object(inner));
  }
}

test("every keyword that a route uses has advice", async () => {
  const { app } = await startApi();
  const seen = new Set<string>();
  app.addHook("onRoute", ({ schema = {} }) => {
    for (const part of [schema.body, schema.querystring, schema.params, schema.headers])
      for (const keyword of listKeywords(JSON.parse(JSON.stringify(part ?? {})))) seen.add(keyword);
  });
  await app.ready();
  expect([...seen].filter((keyword) => !advisedKeywords.has(keyword))).toEqual([]);
  expect([...seen].sort()).toEqual(
    expect.arrayContaining(["additionalProperties", "maximum", "minimum", "pattern", "type"]),
  );
  expect([...listKeywords(object({ a: { contains: {} } }))]).toContain("contains"); // a new keyword would be found
});
