import { promisify } from "node:util";
import bearerAuth from "@fastify/bearer-auth";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { ApiError } from "./problem.ts";

const TOKEN_HEADER = "x-ecom-api-token";

/**
 * Lets only partners with one of `tokens` into this scope: `Authorization: Bearer T` or `X-Ecom-Api-Token: T`, and
 * every credential that is sent must be right. Without tokens nobody gets in.
 */
export function requireToken(scope: FastifyInstance, tokens: readonly string[]): void {
  // rfc6749: the scheme in any case (RFC 9110 §11.1). No hook of its own: it would see the one header only.
  const keys = new Set(tokens);
  scope.register(bearerAuth, { keys, addHook: false, specCompliance: "rfc6749", verifyErrorLogLevel: "debug" });
  scope.addHook("onRequest", async (request, reply) => {
    const credentials = readCredentials(request);
    if (tokens.length === 0 && credentials.some(({ blank }) => !blank)) throw notConfigured();
    const { verifyBearerAuth } = scope;
    if (!verifyBearerAuth) throw new Error("@fastify/bearer-auth is not registered.");
    const check = promisify(verifyBearerAuth);
    try {
      if (credentials.length === 0) throw unauthorized();
      for (const { authorization } of credentials) {
        request.raw.headers.authorization = authorization;
        await check(request, reply);
      }
    } catch {
      throw unauthorized();
    }
  });
}

interface Credential {
  /** As an Authorization header, which is what bearer-auth reads. */
  authorization: string;
  blank: boolean;
}

/** Every credential line sent: Node's joined `headers` would drop a second Authorization. */
function readCredentials({ raw }: FastifyRequest): Credential[] {
  const lines = raw.headersDistinct;
  const bearer = (lines["authorization"] ?? []).map((line) => ({ authorization: line, blank: line.trim() === "" }));
  const own = (lines[TOKEN_HEADER] ?? []).map((line) => ({
    authorization: `Bearer ${line}`,
    blank: line.trim() === "",
  }));
  return [...bearer, ...own];
}

// One body for every reason: the answer must not help to tell a wrong token from a missing one.
const unauthorized = () =>
  new ApiError(
    "unauthorized",
    "Send the partner token as Authorization: Bearer <token> or as X-Ecom-Api-Token: <token>.",
    {
      headers: { "WWW-Authenticate": "Bearer" },
    },
  );

const notConfigured = () =>
  new ApiError("not-configured", "This shop has not set up a partner token, so none can be right.");
