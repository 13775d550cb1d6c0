import { createHash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import type { TSchema } from "typebox";
import packageJson from "../../package.json" with { type: "json" };
import { answerHeaders, limitHeaders } from "./problem-schema.ts";

/** Marks every answer of this scope, including errors, as private and to be revalidated. */
export function keepAnswersPrivate(scope: FastifyInstance): void {
  scope.addHook("onRequest", async (_request, reply) => {
    reply.headers({ "Cache-Control": "private, no-cache", Vary: "Authorization, X-Ecom-Api-Token" });
  });
}

const header = (description: string, example: string) => ({ type: "string", description, example });

/** The headers of answers to partners, for openapi.json. */
export const partnerHeaders = {
  ...answerHeaders,
  ...limitHeaders,
  "Cache-Control": header("Revalidate before every use.", "private, no-cache"),
  Vary: header("The answer depends on the token.", "Authorization, X-Ecom-Api-Token"),
};

export const linkHeader = {
  Link: header(
    'The next page, rel="next", relative to this address; absent on the last page.',
    '<?limit=2&since_id=2>; rel="next"',
  ),
};

export const entityTagHeader = {
  ETag: header(
    "Send it in If-None-Match to get 304 while nothing has changed. Weak (`W/`) where the answer is compressed.",
    '"1001-3-5f0d6a3a"',
  ),
};

/** 304, for the `response` of a route with an ETag. */
export const notModified = {
  type: "null",
  description: "Nothing has changed since the ETag in If-None-Match.",
  headers: { ...partnerHeaders, ...entityTagHeader },
};

/** The request header, for openapi.json. Any string is accepted; an invalid entity tag never matches. */
export const conditionalRequest = {
  type: "object",
  properties: { "if-none-match": header("The ETag of your copy.", '"1001-3-5f0d6a3a"') },
};

/**
 * Eight hexadecimal digits that change with the schema and with this service's version, as part of an entity tag: after
 * an upgrade, clients read new fields though nothing stored has changed.
 */
export const schemaTag = (schema: TSchema): string =>
  createHash("sha256")
    .update(JSON.stringify([packageJson.version, schema]))
    .digest("hex")
    .slice(0, 8);

/** The entity tag of an answer, made of what it says. */
export const tagOf = (body: object): string =>
  `"${createHash("sha256").update(JSON.stringify(body)).digest("hex").slice(0, 16)}"`;

/**
 * Whether If-None-Match matches an entity tag (RFC 9110 §13.1.2): `*`, or a list with an equal tag by weak comparison,
 * which ignores `W/`. `etag` is a strong tag with its quotes.
 */
export function matchesEntityTag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return [...ifNoneMatch.matchAll(/("[!#-~\x80-\xff]*")/g)].some(([, tag]) => tag === etag);
}
