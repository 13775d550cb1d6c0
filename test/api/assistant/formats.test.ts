import { expect, test } from "vitest";
import { describeTools, FORMATS } from "../../../api/assistant/formats.ts";
import { tools } from "../../../api/assistant/tools.ts";
import { assistantToken, startAssistant } from "./assistant-shop.ts";

type Schema = Record<string, unknown>;
type Definition = { name: string; description: string; parameters?: Schema; input_schema?: Schema };

/** Every schema in a schema, itself first. */
function schemasIn(schema: Schema): Schema[] {
  const { properties = {}, items, anyOf = [] } = schema as { properties?: Schema; items?: Schema; anyOf?: Schema[] };
  const inner = [...(Object.values(properties) as Schema[]), ...(items ? [items] : []), ...anyOf];
  return [schema, ...inner.flatMap(schemasIn)];
}

/** Keywords that strict schemas of both vendors take (platform.openai.com, "Supported schemas"; platform.claude.com, "JSON Schema limitations"). */
const TAKEN = /^(type|description|enum|const|anyOf|items|properties|required|additionalProperties)$/;

test.each(["openai", "anthropic"] as const)(
  "fault 15: every definition keeps to the rules of %s for strict tools",
  (format) => {
    const definitions = describeTools(tools, format) as Definition[];
    expect(definitions).toHaveLength(tools.length);
    expect(new Set(definitions.map(({ name }) => name)).size).toBe(tools.length);
    const all = definitions.flatMap(({ name, description, ...rest }) => {
      expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      expect(description.length).toBeGreaterThan(20);
      expect(description.length).toBeLessThanOrEqual(1_024);
      expect(rest).toMatchObject({ strict: true, ...(format === "openai" && { type: "function" }) });
      const schema = (format === "openai" ? rest.parameters : rest.input_schema) ?? {};
      expect(schema).toMatchObject({ type: "object" });
      return schemasIn(schema);
    });
    for (const schema of all) {
      for (const keyword of Object.keys(schema)) expect(keyword).toMatch(TAKEN);
      expect("type" in schema || "anyOf" in schema).toBe(true);
      if (schema["type"] !== "object") continue;
      expect(schema["additionalProperties"]).toBe(false);
      expect(schema["required"]).toEqual(Object.keys(schema["properties"] as Schema));
    }
    // Anthropic takes 20 strict tools and 16 parameters with a union in one request.
    expect(definitions.length).toBeLessThanOrEqual(20);
    expect(all.filter((schema) => "anyOf" in schema || Array.isArray(schema["type"])).length).toBeLessThanOrEqual(16);
  },
);

test("the definitions are answered in each format, and another format is refused with those that exist", async () => {
  const { app } = await startAssistant();
  const get = (query: string) =>
    app.inject({
      method: "GET",
      url: `/api/assistant/tools${query}`,
      headers: { authorization: `Bearer ${assistantToken}` },
    });
  for (const format of FORMATS)
    expect((await get(`?format=${format}`)).json()).toEqual(
      JSON.parse(JSON.stringify({ tools: describeTools(tools, format) })),
    );
  expect((await get("?format=mcp")).json().errors[0].detail).toBe('Write one of "openai", "anthropic", "json-schema".');
  expect((await get("")).statusCode).toBe(400);
});
