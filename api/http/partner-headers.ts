import type { FastifyInstance } from "fastify";
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
