import type { ListenOptions, Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { ApiError } from "./problem.ts";

/** Descriptor of the first socket that a service manager passes (sd_listen_fds(3)). */
const FIRST_PASSED_SOCKET = 3;
/** Connections that wait while the API restarts; systemd's socket unit says the same. */
const BACKLOG = 4096;

/**
 * What the API listens on: the socket that systemd passed to this process, which outlives it so that connections wait
 * while it restarts; otherwise `port` on 127.0.0.1.
 */
export function listenOptions(port: number, source: Readonly<Record<string, string | undefined>>) {
  const isPassed = source["LISTEN_FDS"] === "1" && source["LISTEN_PID"] === String(process.pid);
  return { host: "127.0.0.1", ...(isPassed ? { fd: FIRST_PASSED_SOCKET } : { port }) };
}

/** Makes the app listen with our backlog. Beside `fd` Node reads it only as an argument of its own, which Fastify doesn't pass. */
export function setBacklog({ server }: FastifyInstance): void {
  const listen = server.listen.bind(server);
  Object.assign(server, { listen: (options: ListenOptions) => listen(options, BACKLOG) });
}

/** How long a connection that has just come may take to send its request while the app closes. */
const FIRST_REQUEST_MS = 1000;

/**
 * Ends the app as soon as its last request is answered: once closing, every response says `Connection: close`, and
 * after the last one all sockets are closed. Node's closeIdleConnections would wait for sockets that have sent no
 * request or half of one. New connections get a moment, because their request may be on its way and nginx can't repeat
 * a POST.
 */
export function drainOnClose(app: FastifyInstance): void {
  let inFlight = 0;
  let closing = false;
  let waitsForNew = true;
  const newSockets = new Set<Socket>();
  const endWhenDone = () => {
    if (closing && inFlight === 0 && !(waitsForNew && newSockets.size > 0)) app.server.closeAllConnections();
  };
  app.server.on("connection", (socket) => {
    newSockets.add(socket);
    socket.once("close", () => {
      newSockets.delete(socket);
      endWhenDone();
    });
  });
  app.server.on("request", (request, response) => {
    newSockets.delete(request.socket);
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
    setTimeout(() => {
      waitsForNew = false;
      endWhenDone();
    }, FIRST_REQUEST_MS).unref();
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
