import type { FastifyInstance } from "fastify";

/**
 * Closes each connection with the answer under way when the app closes. Without it a client that keeps its connection,
 * as nginx does, holds up the end: only connections idle at that moment are closed by Node.
 */
export function closeWithLastAnswer(app: FastifyInstance): void {
  let closing = false;
  app.addHook("preClose", async () => {
    closing = true;
  });
  app.addHook("onSend", async (_request, reply) => {
    if (closing) reply.header("Connection", "close");
  });
}
