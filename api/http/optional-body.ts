import type { FastifyInstance, FastifyRequest } from "fastify";
import { ApiError } from "./problem.ts";

/**
 * Lets the routes of this scope be called without a body: one of zero length counts as none whatever its type says,
 * and any other must be application/json. Fastify alone refuses an empty one of most types.
 */
export function takeOptionalJson(scope: FastifyInstance): void {
  // Out of Fastify's sight, so that each body comes to the one parser below; the raw lines keep the type.
  scope.addHook("onRequest", async ({ raw }) => {
    delete raw.headers["content-type"];
  });
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", { parseAs: "buffer" }, async ({ raw }: FastifyRequest, body: Buffer) => {
    if (body.length === 0) return undefined;
    if (!/^(identity)?$/i.test(raw.headers["content-encoding"] ?? ""))
      throw new ApiError("unsupported-media-type", "Send the body as it is, without a Content-Encoding.", {
        headers: { "Accept-Encoding": "identity" }, // RFC 9110 §15.5.16
      });
    if (!/^application\/json[ \t]*(;|$)/i.test(sentType(raw)))
      throw new ApiError("unsupported-media-type", "Send the body as application/json.");
    return parseJson(body);
  });
  scope.addHook("preValidation", async (request) => {
    if (request.body === undefined) request.body = {};
  });
}

const sentType = ({ rawHeaders }: FastifyRequest["raw"]) =>
  rawHeaders.find((_value, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === "content-type") ?? "";

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw new ApiError("bad-request", "The body is not JSON.");
  }
}
