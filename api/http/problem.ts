import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { describeOutage } from "../database/outage.ts";
import { requestId } from "./log.ts";
import type { FieldError, Problem } from "./problem-schema.ts";

/** What can go wrong, and its status. Each slug is a heading of the developer page, which explains it. */
export const PROBLEM_STATUS = {
  "bad-request": 400,
  unauthorized: 401,
  "not-found": 404,
  "method-not-allowed": 405,
  conflict: 409,
  "cursor-ahead": 409,
  "payload-too-large": 413,
  "uri-too-long": 414,
  "unsupported-media-type": 415,
  unprocessable: 422,
  "too-many-requests": 429,
  "internal-error": 500,
  "bad-gateway": 502,
  unavailable: 503,
  "not-configured": 503,
} as const;

type ProblemSlug = keyof typeof PROBLEM_STATUS;

interface Extras {
  errors?: FieldError[];
  headers?: Record<string, string>;
  /** Extension members (RFC 9457 §3.2), public too. */
  members?: Record<string, unknown>;
  /** What it comes from, for the log. */
  cause?: unknown;
}

/** An expected failure: thrown anywhere, answered as RFC 9457. `detail` is public, so it never quotes what was sent. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly slug: ProblemSlug;
  readonly status: number;
  readonly errors: FieldError[] | undefined;
  readonly headers: Record<string, string>;
  readonly members: Record<string, unknown>;

  constructor(slug: ProblemSlug, detail: string, { errors, headers = {}, members = {}, cause }: Extras = {}) {
    super(detail, { cause });
    this.slug = slug;
    this.status = PROBLEM_STATUS[slug];
    this.errors = errors;
    this.headers = headers;
    this.members = members;
  }
}

/**
 * Makes the error handler of the app: every error, the framework's own included, answers as application/problem+json
 * (RFC 9457), and what is ours to repair is logged.
 */
export const answerProblems = (baseUrl: string) => (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
  const problem = toApiError(error, request.method);
  if (problem.slug === "internal-error") request.log.error({ err: error }, "a request failed");
  if (problem.slug === "unavailable") request.log.warn(explainUnavailable(error));
  const body = JSON.stringify(describeProblem(problem, request.id, baseUrl));
  return reply
    .code(problem.status)
    .headers({ ...problem.headers, "X-Request-Id": request.id })
    .type("application/problem+json")
    .send(Buffer.from(body)); // to a string Fastify adds a charset, which this type does not have (RFC 8259 §11)
};

function explainUnavailable(error: unknown): string {
  if (error instanceof ApiError) return describeOutage(error.cause) ?? error.message;
  return describeOutage(error) ?? "A request took too long."; // the framework's handlerTimeout
}

/**
 * Makes the handler of bytes that never became a request (RFC 9110 §15.5.1): it answers on the socket and closes it,
 * under nginx's id where the bytes name it.
 */
export const refuseBytes = (baseUrl: string) =>
  function refuse(this: FastifyInstance, error: Unparsed, socket: Socket) {
    if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
    const [, named] = /^x-request-id:[ \t]*([\w.-]+)[ \t]*\r?$/im.exec(String(error.rawPacket ?? "")) ?? [];
    const id = requestId({ headers: named ? { "x-request-id": named } : {}, socket });
    this.log.info({ reqId: id, code: error.code, status: 400 }, "refused what is no request");
    const detail = BYTES_DETAIL.get(error.code ?? "") ?? "This is not a well-formed HTTP request.";
    const body = JSON.stringify(describeProblem(new ApiError("bad-request", detail), id, baseUrl));
    const head = [
      "HTTP/1.1 400 Bad Request",
      "Content-Type: application/problem+json",
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${id}`,
      "Connection: close",
    ];
    socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  };

/** What Node says of bytes that it could not read; rawPacket is the chunk in which they were. */
type Unparsed = Error & { code?: string; rawPacket?: unknown };

const BYTES_DETAIL = new Map([
  ["HPE_HEADER_OVERFLOW", "The request line and the headers together are larger than 16 KiB."],
  ["ERR_HTTP_REQUEST_TIMEOUT", "The request did not arrive in time."],
]);

function describeProblem(
  { slug, status, message, errors, members }: ApiError,
  requestId: string,
  baseUrl: string,
): Problem {
  return {
    type: `${baseUrl}/developers#${slug}`,
    title: STATUS_CODES[status] ?? "Error",
    status,
    detail: message,
    instance: requestId,
    ...(errors === undefined ? {} : { errors }),
    ...members,
  };
}

/** Framework errors keep their status and lose their message, which may quote what was sent. */
function toApiError(error: unknown, method: string): ApiError {
  if (error instanceof ApiError) return error;
  const status = error instanceof Error && "statusCode" in error ? error.statusCode : undefined;
  if (status === 400) return new ApiError("bad-request", "The request is malformed.");
  if (status === 413) return new ApiError("payload-too-large", "The body is larger than this address accepts.");
  if (status === 414) return new ApiError("uri-too-long", "The address is longer than this service reads.");
  if (status === 415) return new ApiError("unsupported-media-type", "Send the body as application/json.");
  // 503 of the framework's is its handlerTimeout: a database that hangs.
  if (describeOutage(error) !== undefined || status === 503) {
    const known =
      method === "GET" || method === "HEAD"
        ? "Try again soon."
        : "What you asked for may or may not have been done: look before you ask again.";
    const detail = `The database behind this address does not answer in time. ${known}`;
    return new ApiError("unavailable", detail, { headers: { "Retry-After": "5" } });
  }
  return new ApiError("internal-error", "Something failed on our side. It is logged under the id in `instance`.");
}
