import type { FastifyInstance } from "fastify";
import { ApiError } from "./problem.ts";

/**
 * Ends the app as soon as its last request is answered: once closing, every response says `Connection: close`, and
 * after the last one all sockets are closed. Node's closeIdleConnections would wait for sockets that have sent no
 * request or half of one.
 */
export function drainOnClose(app: FastifyInstance): void {
  let inFlight = 0;
  let closing = false;
  const endWhenDone = () => {
    if (closing && inFlight === 0) app.server.closeAllConnections();
  };
  app.server.on("request", (_request, response) => {
    inFlight += 1;
    response.once("close", () => {
      inFlight -= 1;
      endWhenDone();
    });
  });
  app.addHook("onSend", async (_request, reply) => {
    if (closing) reply.header("Connection", "close");
  });
  app.addHook("preClose", async () => {
    closing = true;
    setImmediate(endWhenDone); // after Fastify has stopped listening, so that no new socket follows
  });
}

/** Answers an unknown expectation (RFC 9110 §10.1.1) with a problem instead of Node's bare 417. */
export function refuseExpectations(app: FastifyInstance): void {
  app.server.on("checkExpectation", (request, response) => app.server.emit("request", request, response));
  app.addHook("onRequest", async ({ headers: { expect } }) => {
    if (expect === undefined || expect.toLowerCase() === "100-continue") return;
    throw new ApiError("bad-request", "The only expectation supported is 100-continue. Remove the Expect header.");
  });
}
