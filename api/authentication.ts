import { promisify } from "node:util";
import bearerAuth from "@fastify/bearer-auth";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { ApiError } from "./problem.ts";

/**
 * Lets only partners with one of `tokens` into this scope: `Authorization: Bearer T` or `X-Ecom-Api-Token: T`, and
 * every credential that is sent must be right. Without tokens nobody gets in. @fastify/bearer-auth compares, in
 * constant time.
 */
export function requireToken(scope: FastifyInstance, tokens: readonly string[]): void {
  // rfc6749: the scheme in any case (RFC 9110 §11.1). No hook of its own: that would see Authorization only.
  const keys = new Set(tokens);
  scope.register(bearerAuth, { keys, addHook: false, specCompliance: "rfc6749", verifyErrorLogLevel: "debug" });
  scope.addHook("onRequest", async (request, reply) => {
    const { verifyBearerAuth } = scope;
    if (!verifyBearerAuth) throw new Error("@fastify/bearer-auth is not registered.");
    const credentials = readCredentials(request);
    if (tokens.length === 0 && credentials.some((credential) => credential.trim() !== "")) throw notConfigured();
    if (credentials.length === 0) throw unauthorized();
    const verify = promisify(verifyBearerAuth);
    for (const credential of credentials) {
      request.raw.headers.authorization = credential;
      await verify(request, reply).catch(() => {
        throw unauthorized();
      });
    }
  });
}

/**
 * Every credential sent, as the Authorization header that bearer-auth reads; an empty header gives an empty one.
 * From the raw lines: of two Authorization lines Node's `headers` would quietly drop one.
 */
function readCredentials({ raw: { rawHeaders } }: FastifyRequest): string[] {
  return rawHeaders.flatMap((value, index) => {
    const name = index % 2 === 1 ? rawHeaders[index - 1]?.toLowerCase() : undefined;
    if (name === "authorization") return [value];
    return name === "x-ecom-api-token" ? [value && `Bearer ${value}`] : [];
  });
}

// One body for every reason: the answer must not help to tell a wrong token from a missing one.
const unauthorized = () =>
  new ApiError(
    "unauthorized",
    "Send the partner token as Authorization: Bearer <token> or as X-Ecom-Api-Token: <token>.",
    { headers: { "WWW-Authenticate": "Bearer" } },
  );

const notConfigured = () =>
  new ApiError("not-configured", "This shop has not set up a partner token, so none can be right.");
