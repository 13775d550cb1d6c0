import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import type { Random } from "../../../../api/operation/demo/random.ts";

/** How a connection treats what passes: each a share of requests. */
interface Weather {
  slow: number;
  lost: number;
  refused: number;
  doubled: number;
}

export const FAIR: Weather = { slow: 0, lost: 0, refused: 0, doubled: 0 };

/** What went through a connection, as both ends saw it. */
interface Passed {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
  status: number;
}

/**
 * An HTTP proxy in front of a port of this machine. In bad weather answers are slow, lost on their way back, or a 429 or 503 of
 * its own, and what was sent comes once more, later. `stop` is asked before each request is passed on, and before its answer
 * is.
 */
export async function startConnection(random: Random, portOf: () => number) {
  const connection = {
    url: "",
    weather: FAIR,
    passed: [] as Passed[],
    stop: async (_path: string, _isAnswered: boolean): Promise<void> => {},
  };
  const laterOnes = new Set<Promise<unknown>>();
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const { slow, lost, refused, doubled } = connection.weather;
    const [isSlow, isLost, isRefused, isDoubled] = [slow, lost, refused, doubled].map((share) => random.chance(share));
    const { method = "", url: path = "" } = request;
    const body = Buffer.concat(await request.toArray());
    await connection.stop(path, false);
    if (isRefused) {
      response.writeHead(random.pick([429, 503]), { "retry-after": "1" }).end("{}");
      return;
    }
    if (isSlow) await sleep(random.between(10, 200));
    const { host: _, connection: __, ...headers } = request.headers as Record<string, string>;
    const send = () =>
      fetch(`http://127.0.0.1:${portOf()}${path}`, { method, headers, ...(body.length > 0 && { body }) });
    if (isDoubled) {
      const later = sleep(random.between(10, 1_000))
        .then(send)
        .then((answer) => answer.text())
        .catch(() => {});
      laterOnes.add(later.finally(() => laterOnes.delete(later)));
    }
    const answer = await send();
    const content = Buffer.from(await answer.arrayBuffer());
    connection.passed.push({ method, path, headers, body: String(body), status: answer.status });
    await connection.stop(path, true);
    if (isLost) {
      // Half of it arrives, or nothing.
      if (random.chance(0.5))
        response.writeHead(answer.status, { "content-length": content.length + 1 }).write(content);
      response.destroy();
      return;
    }
    const kept = ["content-type", "retry-after"].flatMap((name) => [[name, answer.headers.get(name) ?? ""] as const]);
    response.writeHead(answer.status, Object.fromEntries(kept.filter(([, value]) => value)));
    response.end(content);
  };
  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy()); // nobody listens there now
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
    await Promise.all(laterOnes);
  });
  connection.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return connection;
}

export const BAD: Weather = { slow: 0.15, lost: 0.06, refused: 0.04, doubled: 0 };
export const BAD_FOR_MESSAGES: Weather = { slow: 0.3, lost: 0.1, refused: 0.1, doubled: 0.3 };
