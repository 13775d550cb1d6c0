import type { Shop } from "../../content-schema/shop.ts";

/**
 * The API's document as the site publishes it: the shop's name before the title, the base address as its one server, and
 * address and currency of the shop in its examples; nothing else is touched.
 *
 * @param text api/openapi.json as it is in the repository
 * @throws when that is no OpenAPI document
 */
export function publishOpenapi(
  text: string,
  { name, base_url, currency }: Pick<Shop, "name" | "base_url" | "currency">,
): string {
  const document: unknown = JSON.parse(text, (key, value) => {
    if (typeof value !== "string" || key !== "example") return value;
    return value === "EUR" ? currency : value.replace(/^https:\/\/shop\.example(?=\/|$)/, base_url);
  });
  if (!isObject(document) || !isObject(document["info"])) throw new Error("api/openapi.json is no OpenAPI document");
  const info = { ...document["info"], title: `${name}: Public resources map` };
  return `${JSON.stringify({ ...document, info, servers: [{ url: base_url }] }, null, 2)}\n`;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
