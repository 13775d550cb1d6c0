import fastJsonStringify, { type Schema } from "fast-json-stringify";
import type { FastifySerializerCompiler } from "fastify";
import type { TSchema } from "typebox";

type Serializer = (data: unknown) => string;

/**
 * Makes the compiler of answers. Each gets only those `shared` schemas that it refers to, and equal ones are compiled
 * once: Fastify's own gives all shared ones to every answer, which took four fifths of the time until the API was ready.
 */
export function makeSerializerCompiler(shared: Record<string, TSchema>): FastifySerializerCompiler<TSchema> {
  const texts = new Map(Object.entries(shared).map(([id, schema]) => [id, JSON.stringify(schema)]));
  const compiled = new Map<string, Serializer>();
  return ({ schema }) => {
    const text = JSON.stringify(schema);
    const known = compiled.get(text);
    if (known) return known;
    const named = new Set<string>();
    findNamed(text, texts, named);
    const schemas = Object.fromEntries([...named].map((id) => [id, copy(shared[id])]));
    const serializer: Serializer = fastJsonStringify(copy(schema), { schema: schemas });
    compiled.set(text, serializer);
    return serializer;
  };
}

/** fast-json-stringify may alter a schema, and its types differ from TypeBox's. */
const copy = (schema: TSchema | undefined) => structuredClone({ ...schema }) as Schema;

/** Adds to `named` the ids of the shared schemas to which a schema's text refers, and of those that they refer to. */
function findNamed(text: string, texts: Map<string, string>, named: Set<string>): void {
  for (const [id, shared] of texts) {
    if (named.has(id) || !text.includes(`"$ref":"${id}#"`)) continue;
    named.add(id);
    findNamed(shared, texts, named);
  }
}
