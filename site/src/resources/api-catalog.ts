import { absoluteUrl, openapiPath, pagePath } from "../../urls/paths.ts";

/**
 * Writes /.well-known/api-catalog (RFC 9727): a linkset (RFC 9264 §4.2) of the addresses at which the API is entered, each
 * with its description, its documentation and its status.
 */
export function writeApiCatalog(endpoints: readonly { method: string; path: string }[], baseUrl: string): string {
  const link = (path: string, type: string) => [{ href: absoluteUrl(path, baseUrl), type }];
  // What lies below an address with an id in it is found from there.
  const entries = endpoints.filter(({ method, path }) => method === "GET" && /^\/api\/[^{]+$/.test(path));
  const linkset = entries.map(({ path }) => ({
    anchor: absoluteUrl(path, baseUrl),
    "service-desc": link(openapiPath, "application/json"),
    "service-doc": link(pagePath("developers"), "text/html"),
    status: link("/api/erp/status", "application/json"),
  }));
  return `${JSON.stringify({ linkset }, null, 2)}\n`;
}
