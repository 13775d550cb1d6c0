import Type, { type Static } from "typebox";
import { oneOf, reference, text } from "./schema-types.ts";

const FieldError = Type.Object({
  in: oneOf(["query", "path", "header", "body"], { description: "Where the field was.", example: "query" }),
  field: text(
    "The name of the field, after those that it stands in (`lines.0.sku`); ? for a name that an answer would not repeat; empty for the body as a whole.",
    "limit",
  ),
  detail: text("What to write instead.", "Write a whole number from 1 to 250."),
});
export type FieldError = Static<typeof FieldError>;

export const Problem = Type.Object(
  {
    type: Type.String({
      format: "uri",
      description: "Names the kind of problem, and is the address of its explanation.",
      example: "https://shop.example/developers#bad-request",
    }),
    title: text("The kind of problem in words; the same for every occurrence.", "Bad Request"),
    status: Type.Integer({ description: "The status code of this answer.", example: 400 }),
    detail: text("What happened this time and what to do about it.", "One query parameter is not usable."),
    instance: text("The id of this request, also in X-Request-Id: quote it when you write to us.", "5f0d6a3ab2c14a87"),
    errors: Type.Optional(Type.Array(FieldError, { description: "One entry for each field that is wrong." })),
  },
  { $id: "Problem", description: "An error as RFC 9457 has it." },
);
export type Problem = Static<typeof Problem>;

const requestId = { type: "string", description: "The id of this request." };

/** The headers that every answer has, for the document. */
export const answerHeaders = { "X-Request-Id": requestId } as const;

/** A problem as the answer to one status, for the `response` of a route. */
export const problemResponse = (description: string, headers: Record<string, object> = {}) => ({
  description,
  headers: { ...answerHeaders, ...headers },
  content: { "application/problem+json": { schema: reference("Problem", Problem) } },
});

const retryAfter = { "Retry-After": { type: "integer", description: "Seconds to wait before the next try." } };

/** The headers of an answer that a limit counts, for the document. */
export const limitHeaders = {
  "RateLimit-Policy": {
    type: "string",
    description:
      "The limit: requests (`q`) in so many seconds (`w`), as draft-ietf-httpapi-ratelimit-headers-10 has it. Absent where the limit is lifted.",
    example: '"token";q=120;w=60',
  },
  RateLimit: {
    type: "string",
    description: "Requests that are left (`r`) until the limit begins anew in so many seconds (`t`).",
    example: '"token";r=119;t=60',
  },
} as const;

/** 429, for the `response` of a route with a limit. */
export const tooMany = (description: string) => problemResponse(description, { ...retryAfter, ...limitHeaders });

/** What any route may answer. */
export const commonProblems = {
  400: problemResponse("A parameter is unknown, repeated or not usable; `errors` names each."),
  405: problemResponse("This address has no such method; `Allow` names those that it has.", {
    Allow: { type: "string", description: "The methods of this address.", example: "GET, HEAD" },
  }),
  413: problemResponse("The body is larger than 64 KiB."),
  414: problemResponse("The address is longer than 8 KiB."),
  500: problemResponse("A fault of ours, logged under the id in `instance`."),
  503: problemResponse("The database is away for the moment, or (`not-configured`) no partner token has been set up.", {
    "Retry-After": {
      type: "integer",
      description: "Seconds to wait before the next try; absent when `not-configured`.",
    },
  }),
} as const;

/** What any route behind the token may answer besides. */
export const partnerProblems = {
  401: problemResponse("No token, or a wrong one.", {
    "WWW-Authenticate": { type: "string", enum: ["Bearer"], description: "Send the token as a Bearer token." },
  }),
  429: tooMany("More requests than the token may make in a minute, or too many wrong credentials from one address."),
  ...commonProblems,
} as const;
