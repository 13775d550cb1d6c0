import { createHash } from "node:crypto";
import type { FastifyPluginAsync } from "fastify";
import type { Db } from "../../platform/database/pool.ts";
import { matchesEntityTag } from "../../platform/http/partner-headers.ts";
import type { OfBuild } from "../../platform/private-pages/builds.ts";
import { markdownPath } from "../../platform/private-pages/filters.ts";
import { findVariant } from "./find.ts";
import { readOffers } from "./offers.ts";
import type { SearchIndex } from "./search-index.ts";
import { readSearch, searchPath, viewSearch } from "./view-search.ts";
import { searchMarkdown, searchPage } from "./views.ts";

interface Options {
  db: Db;
  search: OfBuild<SearchIndex>;
}

/**
 * GET /search?q=: what a search finds, for anyone, in the face that nginx tells in X-Face. It sets no cookie, and
 * answers without the database, too. Anything in the address is answered; without words nginx has a page of its own.
 */
export const searchRoutes: FastifyPluginAsync<Options> = async (app, { db, search }) => {
  app.get("", { schema: { hide: true } }, async (request, reply) => {
    const asked = readSearch(request.url.split("?").slice(1).join("?"));
    const isMarkdown = request.headers["x-face"] === "md";
    if (asked.query === "") return reply.redirect(isMarkdown ? "/search.md" : "/search", 303);
    const index = await search.current();
    const found = asked.isExact ? undefined : findVariant(index, asked.query);
    if (found) {
      // A header is ASCII.
      const { pathname, search: query } = new URL(found.variant.path, index.facts.base_url);
      return reply.redirect((isMarkdown ? markdownPath(pathname) : pathname) + query, 303);
    }
    const view = await viewSearch(index, asked, (skus) => readOffers(db, skus));
    const path = searchPath({ ...asked, page: view.page });
    const twin = markdownPath(path);
    reply.headers({
      "Cache-Control": "public, max-age=0, must-revalidate",
      Link: `<${index.facts.base_url}${path}>; rel="canonical", <${twin}>; rel="alternate"; type="text/markdown"`,
    });
    if (isMarkdown) reply.header("Content-Location", twin);
    return reply.page(isMarkdown ? searchMarkdown : searchPage, view, 200);
  });

  app.addHook("onSend", async (request, reply, payload) => {
    if (reply.statusCode !== 200 || !Buffer.isBuffer(payload)) return payload;
    const etag = `"${createHash("sha256").update(payload).digest("base64url").slice(0, 22)}"`;
    reply.header("ETag", etag);
    if (!matchesEntityTag(request.headers["if-none-match"], etag)) return payload;
    reply.code(304);
    return null;
  });
};
