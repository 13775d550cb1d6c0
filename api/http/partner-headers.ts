import { createHash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import type { TSchema } from "typebox";
import packageJson from "../package.json" with { type: "json" };
import { answerHeaders, limitHeaders } from "./problem-schema.ts";

/** Marks every answer of this scope, errors too, as one partner's own: to be kept, but asked for again each time. */
export function keepAnswersPrivate(scope: FastifyInstance): void {
  scope.addHook("onRequest", async (_request, reply) => {
    reply.headers({ "Cache-Control": "private, no-cache", Vary: "Authorization, X-Ecom-Api-Token" });
  });
}

const header = (description: string, example: string) => ({ type: "string", description, example });

/** The headers of a partner's answer, for the document. */
export const partnerHeaders = {
  ...answerHeaders,
  ...limitHeaders,
  "Cache-Control": header("Keep it, but ask again before every use.", "private, no-cache"),
  Vary: header("The answer belongs to the token.", "Authorization, X-Ecom-Api-Token"),
};

export const linkHeader = {
  Link: header(
    'The next page, rel="next", relative to this address; absent on the last page.',
    '<?limit=2&since_id=2>; rel="next"',
  ),
};

export const entityTagHeader = {
  ETag: header("Send it back in If-None-Match to get 304 while nothing has changed.", '"1001-3-5f0d6a3a"'),
};

/** 304, for the `response` of a route with an ETag. */
export const notModified = {
  type: "null",
  description: "Nothing has changed since the ETag in If-None-Match.",
  headers: { ...partnerHeaders, ...entityTagHeader },
};

/** The request header, for the document: any string is welcome, what is no entity tag just never matches. */
export const conditionalRequest = {
  type: "object",
  properties: { "if-none-match": header("The ETag of the copy that you have.", '"1001-3-5f0d6a3a"') },
};

/**
 * Eight digits that differ between two schemas, and between two versions of this service: the part of an entity tag
 * that lets a client see a field which an upgrade added, though nothing that is stored has changed.
 */
export const schemaTag = (schema: TSchema): string =>
  createHash("sha256")
    .update(JSON.stringify([packageJson.version, schema]))
    .digest("hex")
    .slice(0, 8);

/**
 * Whether If-None-Match covers an entity tag (RFC 9110 §13.1.2): `*`, or a list in which one tag is equal by weak
 * comparison, which looks past `W/`. `etag` is a strong tag with its quotes.
 */
export function matchesEntityTag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return [...ifNoneMatch.matchAll(/("[!#-~\x80-\xff]*")/g)].some(([, tag]) => tag === etag);
}
