import type { FastifyInstance, FastifyRequest } from "fastify";
import { PageProblem } from "./problem-page.ts";

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Refuses forms that another site has sent, in place of tokens, which static pages can't hold. Browsers say so
 * themselves: by Sec-Fetch-Site, and those that don't send it by Origin, which must be the shop's own as nginx tells it.
 * A request with neither is refused, because only browsers send forms here.
 */
export function requireSameOrigin(scope: FastifyInstance): void {
  scope.addHook("onRequest", async (request) => {
    if (!SAFE_METHODS.has(request.method) && !isSameOrigin(request)) throw new PageProblem("forbidden");
  });
}

function isSameOrigin({ headers, protocol, host }: FastifyRequest): boolean {
  const site = headers["sec-fetch-site"];
  // Before Origin, which is "null" after a page with `Referrer-Policy: no-referrer`.
  if (site === "same-origin") return true;
  // `none` is the person's own doing, such as a reload after a restart; no page can cause it.
  if (site !== undefined && site !== "none") return false;
  return headers.origin !== undefined && headers.origin === `${protocol}://${host}`;
}
