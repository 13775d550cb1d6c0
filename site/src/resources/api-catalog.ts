import { absoluteUrl, openapiPath, pagePath, productFeedPath } from "../../urls/paths.ts";

/**
 * Writes /.well-known/api-catalog (RFC 9727): a linkset (RFC 9264 §4.2) of the API's entry points, each with its
 * description, documentation and status, and of the catalogue that needs no token.
 */
export function writeApiCatalog(endpoints: readonly { method: string; path: string }[], baseUrl: string): string {
  const link = (path: string, type: string) => [{ href: absoluteUrl(path, baseUrl), type }];
  // Paths with an id are reached from these.
  const entries = endpoints.filter(({ method, path }) => method === "GET" && /^\/api\/[^{]+$/.test(path));
  const describe = (path: string) => ({
    anchor: absoluteUrl(path, baseUrl),
    "service-desc": link(openapiPath, "application/json"),
    "service-doc": link(pagePath("developers"), "text/html"),
  });
  const linkset = [
    ...entries.map(({ path }) => ({ ...describe(path), status: link("/api/erp/status", "application/json") })),
    describe(productFeedPath),
  ];
  return `${JSON.stringify({ linkset }, null, 2)}\n`;
}
