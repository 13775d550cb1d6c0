import type { FastifyInstance } from "fastify";
import { ApiError } from "./problem.ts";

/**
 * Lets the app end as soon as its last request is answered: from the moment it closes every answer says
 * `Connection: close`, and when none is left to give, all sockets go. Node's own closeIdleConnections spares those that
 * never sent a request, or half a one, and would wait for them.
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
    setImmediate(endWhenDone); // after Fastify has stopped listening, so that no new socket comes after it
  });
}

/** Answers an expectation that is none of HTTP's (RFC 9110 §10.1.1) as a problem, where Node has a bare 417. */
export function refuseExpectations(app: FastifyInstance): void {
  app.server.on("checkExpectation", (request, response) => app.server.emit("request", request, response));
  app.addHook("onRequest", async ({ headers: { expect } }) => {
    if (expect === undefined || expect.toLowerCase() === "100-continue") return;
    throw new ApiError("bad-request", "This service meets no expectation but 100-continue; leave Expect out.");
  });
}
