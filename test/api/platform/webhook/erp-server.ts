import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { onTestFinished } from "vitest";
import { readCidrs } from "../../../../api/platform/webhook/addresses.ts";
import type { Webhook } from "../../../../api/platform/webhook/settings.ts";
import { readSecret } from "../../../../api/platform/webhook/signature.ts";

export const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

interface Received {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: Buffer;
}

/** How the ERP answers a request after reading it. */
export type Behaviour = (response: ServerResponse, received: Received) => void | Promise<void>;

export const accept: Behaviour = (response) => void response.end("ok");
export const hang: Behaviour = () => {};
export const reset: Behaviour = (response) => void response.socket?.resetAndDestroy();
export const garbage: Behaviour = (response) => void response.socket?.end("220 mail.example ESMTP\r\n\r\n");
export const answer =
  (status: number, headers: Record<string, string> = {}, body = ""): Behaviour =>
  (response) =>
    void response.writeHead(status, headers).end(body);

/** Sends its body byte by byte, endlessly. */
export const drip: Behaviour = (response) => {
  response.writeHead(200).flushHeaders();
  const timer = setInterval(() => response.write("."), 50);
  response.on("close", () => clearInterval(timer));
};

/** Sends ten megabytes in 160 pieces until the client hangs up; `x-sent` in the received headers counts the pieces. */
export const flood: Behaviour = (response, { headers }) => {
  const pieces = Array.from({ length: 160 }, (_, index) => index + 1);
  const reply = Readable.from(pieces).map((piece) => {
    headers["x-sent"] = String(piece);
    return Buffer.alloc(64 * 1_024, "x");
  });
  return pipeline(reply, response).catch(() => {}); // the client hangs up
};

/** Sends headers endlessly. */
export const slowHeaders: Behaviour = (response) => {
  response.socket?.write("HTTP/1.1 200 OK\r\n");
  const timer = setInterval(() => response.socket?.write("X-Slow: 1\r\n"), 50);
  response.socket?.on("close", () => clearInterval(timer));
};

/** Starts a server that records each request and answers it with `behaviour`, which a test can change at any time. */
export async function startErp(behaviour: Behaviour = accept, tls?: { key: string; cert: string }) {
  const erp = { behaviour, received: [] as Received[], connections: 0 };
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = "", url = "" } = request;
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const received = { method, url, headers, body: Buffer.concat(await request.toArray()) };
    erp.received.push(received);
    await erp.behaviour(response, received);
  };
  const server = tls ? createTlsServer(tls, handle) : createServer(handle);
  server.on("connection", (socket) => {
    erp.connections += 1;
    socket.on("error", () => {});
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return Object.assign(erp, { server, port, url: `http${tls ? "s" : ""}://127.0.0.1:${port}/orders` });
}

/** A webhook that may dial loopback addresses, where a test's ERP listens. */
export function webhookTo(url: string, { secrets = [secret], allow = "127.0.0.0/8" } = {}): Webhook {
  const keys = secrets.flatMap((text) => readSecret(text) ?? []);
  const cidrs = readCidrs(allow);
  if (!cidrs || keys.length !== secrets.length) throw new Error("Settings that the API would refuse.");
  return { url: new URL(url), keys, allow: cidrs };
}
