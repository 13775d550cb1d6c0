import { once } from "node:events";
import type { FastifyInstance } from "fastify";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/**
 * The limit reached: requests of a token, failed credentials, status requests, forms or searches of an address, calls of
 * the assistant in a conversation.
 */
export type LimitName = "token" | "credentials" | "status" | "forms" | "pages" | "searches" | "conversation";

/** What an operator watches of a queue. */
export interface QueueState {
  /** Jobs that wait for their first or next attempt. */
  pending: number;
  /** Jobs that were given up; deliveries only as long as no newer version of the order was pushed. */
  failed: number;
  /** How long the job that is due has waited for a process to take it; 0 if none is due. It grows when none works. */
  overdueSeconds: number;
}

export type QueueStates = Record<"deliveries" | "mails", QueueState>;

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * This process's Prometheus metrics. Labels come from short lists and contain nothing personal: no addresses, ids or
 * tokens.
 */
export function createMetrics() {
  const registry = new Registry();
  return {
    registry,
    ...requestMetrics([registry]),
    ...faultMetrics([registry]),
    ...deliveryMetrics([registry]),
    ...queueMetrics([registry]),
  };
}

function requestMetrics(registers: Registry[]) {
  const total = new Counter({
    name: "http_requests_total",
    help: "Answers by method, route template and status; all unknown paths are one route.",
    labelNames: ["method", "route", "status"],
    registers,
  });
  const duration = new Histogram({
    name: "http_request_duration_seconds",
    help: "Time from a request's arrival to the end of its answer.",
    labelNames: ["method", "route"],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
    registers,
  });
  return {
    countRequest(method: string, route: string, status: number, seconds: number): void {
      total.inc({ method, route, status });
      duration.observe({ method, route }, seconds);
    },
  };
}

function faultMetrics(registers: Registry[]) {
  const databaseErrors = new Counter({
    name: "database_errors_total",
    help: "Failed statements and connections by error code.",
    labelNames: ["code"],
    registers,
  });
  const authFailures = new Counter({ name: "auth_failures_total", help: "Invalid credentials.", registers });
  const rateLimited = new Counter({
    name: "rate_limited_total",
    help: "Requests answered 429, by limit.",
    labelNames: ["limit"],
    registers,
  });
  return {
    countDatabaseError: (code: string) => databaseErrors.inc({ code }),
    countAuthFailure: () => authFailures.inc(),
    countRateLimited: (limit: LimitName) => rateLimited.inc({ limit }),
  };
}

function deliveryMetrics(registers: Registry[]) {
  const attempts = new Counter({
    name: "webhook_attempts_total",
    help: "Attempts to deliver an order to the webhook, by outcome.",
    labelNames: ["outcome"],
    registers,
  });
  const duration = new Histogram({
    name: "webhook_attempt_duration_seconds",
    help: "Duration of an attempt, from connecting to the end of the reply.",
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 20],
    registers,
  });
  return {
    /** `outcome` is one of the API's outcomes of an attempt, never the receiver's text. */
    countAttempt(outcome: string, seconds: number): void {
      attempts.inc({ outcome });
      duration.observe(seconds);
    },
  };
}

function queueMetrics(registers: Registry[]) {
  return {
    /** Reads the queues at every scrape, once for all gauges; null, for unknown, omits them. */
    watchQueues(read: () => Promise<QueueStates | null>): void {
      const watch = (name: string, help: string, label: string, valuesOf: (queues: QueueStates) => object) =>
        new Gauge({
          name,
          help,
          labelNames: [label],
          registers,
          async collect() {
            this.reset();
            const queues = await read();
            for (const [key, value] of Object.entries(queues ? valuesOf(queues) : {}))
              this.set({ [label]: key }, value);
          },
        });
      const count = ({ pending, failed }: QueueState) => ({ pending, failed });
      watch("webhook_deliveries", "Pending and failed deliveries.", "state", ({ deliveries }) => count(deliveries));
      watch("mails", "Pending and failed mails about orders.", "state", ({ mails }) => count(mails));
      watch(
        "queue_overdue_seconds",
        "How long the job that is due has waited to be taken; it grows when no process works.",
        "queue",
        ({ deliveries, mails }) => ({ deliveries: deliveries.overdueSeconds, mails: mails.overdueSeconds }),
      );
    },
  };
}

/** Counts every answer under its route template. */
export function countRequests(app: FastifyInstance, metrics: Metrics): void {
  const methods = new Set(["GET", "HEAD", "POST"]); // unknown methods share one label, to bound the metric
  app.addHook("onResponse", async ({ method, is404, routeOptions }, reply) => {
    const route = (is404 ? undefined : routeOptions.url) ?? "unknown";
    metrics.countRequest(methods.has(method) ? method : "other", route, reply.statusCode, reply.elapsedTime / 1000);
  });
}

/**
 * Serves `/metrics` on 127.0.0.1, including the process's default metrics. A port of its own keeps them from the public
 * whatever the proxy does. Resolves once it listens, rejects if it can't, and doesn't keep the process alive.
 */
export async function serveMetrics({ registry }: Metrics, port: number): Promise<void> {
  collectDefaultMetrics({ register: registry });
  // Not imported, as in http/problem.ts.
  const server = process.getBuiltinModule("node:http").createServer(async (request, response) => {
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
