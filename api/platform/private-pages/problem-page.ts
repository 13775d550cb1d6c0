import type { FastifyReply, FastifyRequest } from "fastify";
import Type, { type Static } from "typebox";
import { describeOutage } from "../database/outage.ts";
import { ApiError } from "../http/problem.ts";

/** Every problem that has a page, and its status. The words are `problem.<kind>`, with `_` for `-`. */
const STATUS = {
  "bad-request": 400,
  "cookies-off": 400,
  forbidden: 403,
  "not-found": 404,
  "method-not-allowed": 405,
  "payload-too-large": 413,
  "uri-too-long": 414,
  "too-many-requests": 429,
  "internal-error": 500,
  unavailable: 503,
} as const;
type ProblemKind = keyof typeof STATUS;

interface Extras {
  headers?: Record<string, string>;
  /** For the log. */
  cause?: unknown;
}

/** An expected failure of a private page, which people get as a page in words. */
export class PageProblem extends Error {
  override readonly name = "PageProblem";
  readonly kind: ProblemKind;
  readonly headers: Record<string, string>;

  constructor(kind: ProblemKind, { headers = {}, cause }: Extras = {}) {
    super(`A private page answered ${kind}.`, { cause });
    this.kind = kind;
    this.headers = headers;
  }
}

export const problemPage = {
  template: "problem",
  view: Type.Object({
    /** Keys of words. */
    title_word: Type.String(),
    text_word: Type.String(),
    /** The request's id, where the shop's log may explain more. */
    reference: Type.Union([Type.String(), Type.Null()]),
  }),
};

export const problemMarkdown = { template: "problem.md", view: problemPage.view };

/**
 * The error handler of the private pages, in the face that nginx says the client wants, or by one page alone. It never
 * repeats what was sent.
 */
export async function answerWithPage(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  page = request.headers["x-face"] === "md" ? problemMarkdown : problemPage,
): Promise<unknown> {
  const { kind, headers, cause } = toPageProblem(error);
  if (kind === "internal-error") request.log.error({ err: error }, "a private page failed");
  if (kind === "unavailable") request.log.warn(explain(cause ?? error));
  const status = STATUS[kind];
  const word = `problem.${kind.replaceAll("-", "_")}`;
  const view: Static<typeof problemPage.view> = {
    title_word: `${word}.title`,
    text_word: `${word}.text`,
    reference: status >= 500 ? request.id : null,
  };
  reply.headers(headers);
  try {
    return await reply.page(page, view, status);
  } catch (failure) {
    // A PageProblem means that there are no templates, which their log says once.
    if (!(failure instanceof PageProblem)) request.log.error({ err: failure }, "the page of a problem failed");
    // Without templates there are no words; nginx/conf/api-errors.conf has the same sentence.
    const text = "The shop can't answer right now. Please try again in a few seconds.\n";
    return reply.code(503).header("Retry-After", "5").type("text/plain; charset=utf-8").send(text);
  }
}

function toPageProblem(error: unknown): PageProblem {
  if (error instanceof PageProblem) return error;
  const { statusCode = 500 }: { statusCode?: number } = Object(error);
  const status = error instanceof ApiError ? error.status : statusCode;
  const headers = error instanceof ApiError ? error.headers : {};
  // The framework's 503 is its handlerTimeout: the database hangs.
  if (status === 503 || describeOutage(error) !== undefined || isSessionGone(error))
    return new PageProblem("unavailable", { headers: { "Retry-After": "5" }, cause: error });
  const [kind] = Object.entries(STATUS).find(([, known]) => known === status) ?? [];
  if (isKind(kind)) return new PageProblem(kind, { headers, cause: error });
  return new PageProblem(status >= 400 && status < 500 ? "bad-request" : "internal-error", { cause: error });
}

/** The browser was forgotten from another tab between two statements of this form. Sent again, it begins anew. */
function isSessionGone(error: unknown): boolean {
  const { code, sqlMessage }: { code?: string; sqlMessage?: string } = Object(error);
  return code === "ER_NO_REFERENCED_ROW_2" && /_of_session`/.test(sqlMessage ?? "");
}

const isKind = (kind: string | undefined): kind is ProblemKind => kind !== undefined && Object.hasOwn(STATUS, kind);

function explain(error: unknown): string {
  return describeOutage(error) ?? (error instanceof Error ? error.message : "A private page took too long.");
}
