/**
 * The API's document as the site publishes it: the one server is the base address, the title has the shop's name before
 * it; nothing else is touched.
 *
 * @param text api/openapi.json as it is in the repository
 * @throws when that is no OpenAPI document
 */
export function publishOpenapi(text: string, name: string, baseUrl: string): string {
  const document: unknown = JSON.parse(text);
  if (!isObject(document) || !isObject(document["info"])) throw new Error("api/openapi.json is no OpenAPI document");
  const info = { ...document["info"], title: `${name}: Public resources map` };
  return `${JSON.stringify({ ...document, info, servers: [{ url: baseUrl }] }, null, 2)}\n`;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
