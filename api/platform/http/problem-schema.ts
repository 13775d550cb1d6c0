import Type, { type Static } from "typebox";
import { oneOf, reference, text } from "./schema-types.ts";

const FieldError = Type.Object({
  in: oneOf(["query", "path", "header", "body"], { description: "Where the field was.", example: "query" }),
  field: text(
    "The path of the field (`lines.0.sku`), with ? for a name that isn't safe to repeat; empty for the whole body.",
    "limit",
  ),
  detail: text("What to write instead.", "Write a whole number from 1 to 250, in digits only."),
});
export type FieldError = Static<typeof FieldError>;

export const Problem = Type.Object(
  {
    type: Type.String({
      format: "uri",
      description: "Identifies the kind of problem and links to its explanation.",
      example: "https://shop.example/developers#bad-request",
    }),
    title: text("The kind of problem in words; the same for every occurrence.", "Bad Request"),
    status: Type.Integer({ description: "The status code of this answer.", example: 400 }),
    detail: text("What happened, and what to do about it.", "Parts of the request are invalid. See `errors` for each."),
    instance: text("The id of this request, also in X-Request-Id. Quote it when you contact us.", "5f0d6a3ab2c14a87"),
    errors: Type.Optional(Type.Array(FieldError, { description: "One entry per invalid field." })),
  },
  { $id: "Problem", description: "An error (RFC 9457)." },
);
export type Problem = Static<typeof Problem>;

const requestId = { type: "string", description: "The id of this request." };

/** The headers of every answer, for openapi.json. */
export const answerHeaders = { "X-Request-Id": requestId } as const;

/** The problem for one status, for the `response` of a route. */
export const problemResponse = (description: string, headers: Record<string, object> = {}) => ({
  description,
  headers: { ...answerHeaders, ...headers },
  content: { "application/problem+json": { schema: reference("Problem", Problem) } },
});

const retryAfter = { "Retry-After": { type: "integer", description: "Seconds to wait before retrying." } };

/** The headers of rate-limited answers, for openapi.json. */
export const limitHeaders = {
  "RateLimit-Policy": {
    type: "string",
    description:
      "The limit: `q` requests per `w` seconds (draft-ietf-httpapi-ratelimit-headers-10). Absent without a limit.",
    example: '"token";q=120;w=60',
  },
  RateLimit: {
    type: "string",
    description: "`r` requests remain until the limit resets in `t` seconds.",
    example: '"token";r=119;t=60',
  },
} as const;

/** 429, for the `response` of a route with a limit. */
export const tooMany = (description: string) => problemResponse(description, { ...retryAfter, ...limitHeaders });

/** Problems of any route. */
export const commonProblems = {
  400: problemResponse("A parameter is unknown, repeated or invalid. See `errors`."),
  405: problemResponse("This URL doesn't support the method. See `Allow`.", {
    Allow: { type: "string", description: "The methods of this URL.", example: "GET, HEAD" },
  }),
  413: problemResponse("The body is larger than 64 KiB."),
  414: problemResponse("The URL is longer than 8 KiB."),
  500: problemResponse("An internal error, logged under the id in `instance`."),
  503: problemResponse("The database is unavailable, or (`not-configured`) no partner token is configured.", {
    "Retry-After": {
      type: "integer",
      description: "Seconds to wait before retrying; absent when `not-configured`.",
    },
  }),
} as const;

/** Further problems of routes that need a token. */
export const partnerProblems = {
  401: problemResponse("The token is missing or invalid.", {
    "WWW-Authenticate": { type: "string", enum: ["Bearer"], description: "Send the token as a Bearer token." },
  }),
  429: tooMany("Too many requests with this token, or too many invalid credentials from your address."),
  ...commonProblems,
} as const;
