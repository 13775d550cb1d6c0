import { absoluteUrl, openapiPath, pagePath } from "../../urls/paths.ts";

/**
 * Writes /.well-known/api-catalog (RFC 9727): a linkset (RFC 9264 §4.2) of the API's entry points, each with its
 * description, documentation and status.
 */
export function writeApiCatalog(endpoints: readonly { method: string; path: string }[], baseUrl: string): string {
  const link = (path: string, type: string) => [{ href: absoluteUrl(path, baseUrl), type }];
  // Paths with an id are reached from these.
  const entries = endpoints.filter(({ method, path }) => method === "GET" && /^\/api\/[^{]+$/.test(path));
  const linkset = entries.map(({ path }) => ({
    anchor: absoluteUrl(path, baseUrl),
    "service-desc": link(openapiPath, "application/json"),
    "service-doc": link(pagePath("developers"), "text/html"),
    status: link("/api/erp/status", "application/json"),
  }));
  return `${JSON.stringify({ linkset }, null, 2)}\n`;
}
