import { once } from "node:events";
import { createServer } from "node:http";
import { collectDefaultMetrics } from "prom-client";
import type { Metrics } from "./metrics.ts";

/**
 * Serves `/metrics`, and nothing else, on 127.0.0.1, the process's own figures included: a port of their own, so that no
 * mistake in front of the API shows them to the public. Resolves once it listens; rejects where it cannot. It does not
 * keep the process alive, and ends with it.
 */
export async function serveMetrics({ registry }: Metrics, port: number): Promise<void> {
  collectDefaultMetrics({ register: registry });
  const server = createServer(async (request, response) => {
    if (request.url !== "/metrics") return void response.writeHead(404).end();
    if (request.method !== "GET" && request.method !== "HEAD")
      return void response.writeHead(405, { Allow: "GET, HEAD" }).end();
    try {
      const text = await registry.metrics();
      response.writeHead(200, { "Content-Type": registry.contentType }).end(text);
    } catch {
      response.writeHead(500).end();
    }
  });
  server.listen(port, "127.0.0.1").unref();
  await once(server, "listening");
}
