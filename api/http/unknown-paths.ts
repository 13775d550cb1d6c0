import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { ApiError } from "./problem.ts";

/**
 * Answers 404 for addresses that do not exist and 405 with Allow (RFC 9110 §15.5.6) for methods that an address lacks,
 * where Fastify has 404 for both. Call before the routes are registered.
 */
export function answerUnknownPaths(app: FastifyInstance): void {
  const methodsByPattern = new Map<string, Set<string>>();
  app.addHook("onRoute", ({ url, method }) => {
    const methods = methodsByPattern.get(url) ?? new Set();
    for (const name of [method].flat()) methods.add(name);
    methodsByPattern.set(url, methods);
  });
  // After every onRequest hook, so authentication speaks first, and before a body is read. No address ends in a slash:
  // /api/orders/ is no order with an empty id.
  app.addHook("preParsing", async (request) => {
    const path = pathOf(request);
    if (request.is404 || path.endsWith("/")) throw missing(path, methodsByPattern);
  });
  app.setNotFoundHandler(unreachable);
}

/**
 * The address to route by: a path that cannot be decoded is read as the characters it has, so that it is an unknown
 * address or a bad id like any other. Fastify's own 400 would come before authentication.
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

/** Gives the unknown addresses below a plugin's prefix the hooks of that plugin: Fastify ties both to a handler of its own. */
export async function guardUnknownPaths(scope: FastifyInstance): Promise<void> {
  scope.setNotFoundHandler(unreachable);
}

function unreachable(): never {
  throw new Error("The preParsing hook answers unknown addresses before their handler runs.");
}

/** The path as the router reads it: /api/%6frders is /api/orders. escapeUndecodablePath has left nothing that cannot be decoded. */
function pathOf({ url }: FastifyRequest): string {
  const [path = ""] = url.split(/[?#]/, 1);
  return decodeURI(path);
}

function missing(path: string, methodsByPattern: ReadonlyMap<string, Set<string>>): ApiError {
  for (const [pattern, methods] of methodsByPattern) {
    if (!new RegExp(`^${pattern.replace(/:\w+/g, "[^/]+")}$`).test(path)) continue;
    const Allow = [...methods].sort().join(", ");
    return new ApiError("method-not-allowed", `This address answers to ${Allow}.`, { headers: { Allow } });
  }
  return new ApiError("not-found", "There is nothing at this address.");
}
