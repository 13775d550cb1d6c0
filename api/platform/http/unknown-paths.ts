import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { ApiError } from "./problem.ts";

/**
 * Answers 404 for unknown paths and 405 with Allow (RFC 9110 §15.5.6) for unsupported methods, where Fastify has 404
 * for both. Call it before the routes are registered.
 */
export function answerUnknownPaths(app: FastifyInstance): void {
  const methodsByPattern = new Map<string, Set<string>>();
  app.addHook("onRoute", ({ url, method }) => {
    const methods = methodsByPattern.get(url) ?? new Set();
    for (const name of [method].flat()) methods.add(name);
    methodsByPattern.set(url, methods);
  });
  // After all onRequest hooks, so that authentication comes first, and before a body is read. No path ends in a slash:
  // /api/orders/ isn't an order with an empty id.
  app.addHook("preParsing", async (request) => {
    const path = pathOf(request);
    if (request.is404 || path.endsWith("/")) throw missing(path, methodsByPattern);
  });
  app.setNotFoundHandler(unreachable);
}

/**
 * The URL to route by. A path that can't be decoded is escaped, so that it becomes an unknown path or an invalid id;
 * Fastify's own 400 would come before authentication.
 */
export function escapeUndecodablePath({ url = "/" }: IncomingMessage): string {
  return url.replace(/^[^?#]*/, (path) => {
    try {
      decodeURI(path);
      return path;
    } catch {
      return path.replaceAll("%", "%25");
    }
  });
}

/**
 * Applies a plugin's hooks to unknown paths below its prefix, which Fastify does only for a scope with its own handler.
 */
export async function guardUnknownPaths(scope: FastifyInstance): Promise<void> {
  scope.setNotFoundHandler(unreachable);
}

function unreachable(): never {
  throw new Error("The preParsing hook answers unknown paths before this handler runs.");
}

/** The path as the router reads it: /api/%6frders is /api/orders. It can be decoded after escapeUndecodablePath. */
function pathOf({ url }: FastifyRequest): string {
  const [path = ""] = url.split(/[?#]/, 1);
  return decodeURI(path);
}

function missing(path: string, methodsByPattern: ReadonlyMap<string, Set<string>>): ApiError {
  for (const [pattern, methods] of methodsByPattern) {
    if (!new RegExp(`^${pattern.replace(/:\w+/g, "[^/]+")}$`).test(path)) continue;
    const Allow = [...methods].sort().join(", ");
    return new ApiError("method-not-allowed", `This URL supports ${Allow}.`, { headers: { Allow } });
  }
  return new ApiError("not-found", "There is nothing at this address.");
}
