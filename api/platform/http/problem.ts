import type { Socket } from "node:net";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { describeOutage } from "../database/outage.ts";
import { requestId } from "../monitoring/log.ts";
import type { FieldError, Problem } from "./problem-schema.ts";

// Not imported, for which Node would load all that this module can export, its own undici too: 13 MB.
const { STATUS_CODES } = process.getBuiltinModule("node:http");

/** Every kind of problem and its status. Each slug is a heading on the developer page. */
export const PROBLEM_STATUS = {
  "bad-request": 400,
  unauthorized: 401,
  "not-found": 404,
  "method-not-allowed": 405,
  conflict: 409,
  "cursor-ahead": 409,
  "not-owned": 409,
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
  /** For the log. */
  cause?: unknown;
}

/** An expected failure, answered as RFC 9457. `detail` is public and never quotes the request. */
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
 * Makes the app's error handler: every error, including the framework's, is answered as application/problem+json (RFC
 * 9457), and bugs are logged.
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
    .send(Buffer.from(body)); // for a string Fastify would add a charset, which JSON types don't have (RFC 8259 §11)
};

function explainUnavailable(error: unknown): string {
  if (error instanceof ApiError) return describeOutage(error.cause) ?? error.message;
  return describeOutage(error) ?? "A request took too long."; // the framework's handlerTimeout
}

/**
 * Makes the handler of malformed requests (RFC 9110 §15.5.1): it answers on the socket and closes it, with nginx's
 * request id if the bytes contain it.
 */
export const refuseBytes = (baseUrl: string) =>
  function refuse(this: FastifyInstance, error: Unparsed, socket: Socket) {
    if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
    const [, named] = /^x-request-id:[ \t]*([\w.-]+)[ \t]*\r?$/im.exec(String(error.rawPacket ?? "")) ?? [];
    const id = requestId({ headers: named ? { "x-request-id": named } : {}, socket });
    this.log.info({ reqId: id, code: error.code, status: 400 }, "refused a malformed request");
    const detail = BYTES_DETAIL.get(error.code ?? "") ?? "The HTTP request is malformed.";
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

/** Node's parser error; rawPacket is the chunk that it failed on. */
type Unparsed = Error & { code?: string; rawPacket?: unknown };

const BYTES_DETAIL = new Map([
  ["HPE_HEADER_OVERFLOW", "The request line and headers are larger than 16 KiB."],
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

/** Framework errors keep their status but not their message, which may quote the request. */
function toApiError(error: unknown, method: string): ApiError {
  if (error instanceof ApiError) return error;
  const status = error instanceof Error && "statusCode" in error ? error.statusCode : undefined;
  if (status === 400) return new ApiError("bad-request", "The request is malformed.");
  if (status === 413) return new ApiError("payload-too-large", "The body is too large for this URL.");
  if (status === 414) return new ApiError("uri-too-long", "The URL is too long.");
  if (status === 415) return new ApiError("unsupported-media-type", "Send the body as application/json.");
  // The framework's 503 is its handlerTimeout: the database hangs.
  if (describeOutage(error) !== undefined || status === 503) {
    const known =
      method === "GET" || method === "HEAD"
        ? "Try again in a few seconds."
        : "The request may or may not have taken effect: check before you retry.";
    const detail = `The database can't answer right now. ${known}`;
    return new ApiError("unavailable", detail, { headers: { "Retry-After": "5" } });
  }
  return new ApiError(
    "internal-error",
    "Something failed on our side. Quote the id in `instance` when you contact us.",
  );
}
