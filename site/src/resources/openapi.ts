import type { Shop } from "../../content-schema/shop.ts";
import { absoluteUrl, pagePath } from "../../urls/paths.ts";

/**
 * The API's document as published: the shop's name before the title, its e-mail address as the contact, its base address as the
 * only server, and its address and currency in examples. Nothing else changes.
 *
 * @param text api/openapi.json as it is in the repository
 * @throws if it isn't an OpenAPI document
 */
export function publishOpenapi(
  text: string,
  { name, base_url, currency, sales_email }: Pick<Shop, "name" | "base_url" | "currency" | "sales_email">,
): string {
  const document: unknown = JSON.parse(text, (key, value) => {
    if (typeof value !== "string" || key !== "example") return value;
    return value === "EUR" ? currency : value.replace(/^https:\/\/shop\.example(?=\/|$)/, base_url);
  });
  if (!isObject(document) || !isObject(document["info"]))
    throw new Error("api/openapi.json isn't an OpenAPI document: run `npm run openapi`");
  const contact = { name, url: absoluteUrl(pagePath("developers"), base_url), email: sales_email };
  const info = { ...document["info"], title: `${name}: Public resources map`, contact };
  return `${JSON.stringify({ ...document, info, servers: [{ url: base_url }] }, null, 2)}\n`;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
