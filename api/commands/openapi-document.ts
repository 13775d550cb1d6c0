import { buildApp } from "../app.ts";
import { openDatabase } from "../platform/database/pool.ts";
import { staticResources } from "../platform/openapi/static-resources.ts";

/** openapi.json as text: the routes' schemas and the static resources. Same code, same bytes; needs no database. */
export async function emitDocument(): Promise<string> {
  const nowhere = { host: "127.0.0.1", port: 1, user: "", password: "", database: "", socketPath: undefined };
  const db = openDatabase(nowhere);
  const app = buildApp({ db, baseUrl: "https://shop.example", pullTokens: [], rateLimitPerMinute: 0 });
  try {
    await app.ready();
    const { paths, ...document } = app.swagger();
    const whole = withoutReferencesIntoLists({ ...document, paths: { ...staticResources, ...paths } });
    return `${JSON.stringify(whole, null, 2)}\n`;
  } finally {
    await app.close();
    await db.destroy();
  }
}

/** A copy in which what a reference finds within a list stands in its place: openapi-typescript makes a wrong type of those. */
function withoutReferencesIntoLists<Document extends object>(document: Document): Document {
  const find = (reference: string) =>
    reference
      .split("/")
      .slice(1)
      .reduce<unknown>((place, name) => (place as Record<string, unknown>)[name], document);
  return JSON.parse(JSON.stringify(document), (_name, value) =>
    typeof value?.$ref === "string" && value.$ref.includes("/items/") ? find(value.$ref) : value,
  );
}
