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
    return `${JSON.stringify({ ...document, paths: { ...staticResources, ...paths } }, null, 2)}\n`;
  } finally {
    await app.close();
    await db.destroy();
  }
}
