import { promisify } from "node:util";
import { gzip } from "node:zlib";
import cookie from "@fastify/cookie";
import formbody from "@fastify/formbody";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Static, TSchema } from "typebox";
import { guardUnknownPaths } from "../http/unknown-paths.ts";
import { isMarkdown, type PrivatePage } from "./page.ts";
import { answerWithPage } from "./problem-page.ts";
import { requireSameOrigin } from "./same-origin.ts";
import type { Templates } from "./templates.ts";

declare module "fastify" {
  interface FastifyReply {
    /** Answers with a private page. Only in the scope of `servePages`. */
    page<View extends TSchema>(page: PrivatePage<View>, view: Static<View>, status: number): Promise<FastifyReply>;
  }
}

/** nginx passes these to the API, with everything below them; and /admin, which is for those who work in the shop. */
export const PRIVATE_PATHS = ["/cart", "/checkout", "/account", "/buy", "/counter", "/search"] as const;

const BODY_LIMIT = 65_536; // as nginx has it

/** nginx compresses answers of these statuses alone (ngx_http_gzip_module), so a form with errors comes compressed. */
const COMPRESSED_BY_NGINX: readonly number[] = [200, 403, 404];

const compress = promisify(gzip);

interface Served {
  /** Also what is unknown below these gets a page. */
  paths: readonly string[];
  answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<unknown>;
  /** What every page's frame shows of who has asked. */
  given(request: FastifyRequest): Promise<object>;
}

const forPeople: Served = {
  paths: PRIVATE_PATHS,
  answerError: (error, request, reply) => answerWithPage(error, request, reply),
  given: async () => ({}),
};

/**
 * Makes this scope answer people instead of programs: forms instead of JSON, a session's cookie, and a page for every
 * error. Forms from other sites are refused.
 */
export function servePages(
  scope: FastifyInstance,
  templates: Templates,
  { paths, answerError, given }: Served = forPeople,
): void {
  scope.removeAllContentTypeParsers();
  scope.register(formbody, { bodyLimit: BODY_LIMIT });
  scope.register(cookie);
  scope.decorateReply("page", async function (this: FastifyReply, page, view, status) {
    const text = await templates.render(page, view, await given(this.request));
    const type = isMarkdown(page.template) ? "text/markdown" : "text/html";
    this.code(status).type(`${type}; charset=utf-8`);
    if (COMPRESSED_BY_NGINX.includes(status) || !/\bgzip\b(?!;q=0)/.test(this.request.headers["accept-encoding"] ?? ""))
      return this.send(text);
    return this.header("Content-Encoding", "gzip").send(await compress(text));
  });
  scope.addHook("onRequest", async (_request, reply) => {
    reply.header("Cache-Control", "no-store");
  });
  requireSameOrigin(scope);
  scope.setErrorHandler(answerError);
  for (const prefix of paths) scope.register(guardUnknownPaths, { prefix });
}
