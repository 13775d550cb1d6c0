import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { readDatabaseAddress } from "../../../api/env.ts";

/** A TCP proxy in front of a database. After `cut` its connections stay open but pass nothing on. */
export async function startProxy(url: string) {
  const { host, port, socketPath } = readDatabaseAddress({ DATABASE_URL: url });
  let swallowing = false;
  let trap: string | undefined;
  let unanswered: string | undefined;
  let slow: { word: string; onSent: () => Promise<void> } | undefined;
  const sockets: Socket[] = [];
  const proxy = createServer((client) => {
    const server = socketPath === undefined ? connect(port, host) : connect(socketPath);
    const swallowed = swallowing;
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.push(from);
      from.on("error", () => {});
      from.on("data", async (data) => {
        if (slow !== undefined && from === client && data.toString("latin1").endsWith(slow.word)) await slow.onSent();
        if (trap !== undefined && data.toString("latin1").endsWith(trap))
          for (const end of [client, server]) cut.add(end);
        if (unanswered !== undefined && from === client && data.toString("latin1").endsWith(unanswered))
          cut.add(server);
        if (!cut.has(from) && !swallowed) to.write(data);
      });
      from.on("close", () => cut.has(from) || to.destroy());
    }
  });
  const cut = new Set<Socket>();
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  const address = proxy.address();
  const through = new URL(url);
  through.host = `127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  through.search = "";
  return {
    url: through.href,
    /** Silences the open connections for good, and those opened before `heal`. */
    cut() {
      swallowing = true;
      for (const socket of sockets) cut.add(socket);
    },
    heal() {
      swallowing = false;
    },
    /** Silences a connection when it sends a statement that ends with this word, including that statement. */
    cutAt(word: string) {
      trap = word;
    },
    /** Passes on a statement that ends with this word, and drops its answer and all that follow. */
    dropAnswerTo(word: string) {
      unanswered = word;
    },
    /** Holds back a statement that ends with this word until `onSent` resolves. */
    delayAt(word: string, onSent: () => Promise<void>) {
      slow = { word, onSent };
    },
  };
}
