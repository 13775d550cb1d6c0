import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { readDatabaseAddress } from "../../../../api/env.ts";

interface Refusal {
  word: string;
  errno: number;
  sqlState: string;
}

/** The ERR_Packet of MySQL's protocol, as the first packet of an answer. */
function errorPacket({ errno, sqlState }: Refusal): Buffer {
  const body = Buffer.from(`\xff\0\0#${sqlState}refused by the test`, "latin1");
  body.writeUInt16LE(errno, 1);
  const header = Buffer.from([0, 0, 0, 1]);
  header.writeUIntLE(body.length, 0, 3);
  return Buffer.concat([header, body]);
}

/** No attributes, in one set: what MySQL takes before a statement. */
const NO_ATTRIBUTES = "\0\x01";

/** The statement in a packet, without its header and command. */
function statementOf(data: Buffer): string {
  const text = data.toString("latin1").slice(5);
  return text.startsWith(NO_ATTRIBUTES) ? text.slice(NO_ATTRIBUTES.length) : text;
}

const WRITES = /^(insert|update|delete|commit)\b/i;

/** A TCP proxy in front of a database. After `cut` its connections stay open but pass nothing on. */
export async function startProxy(url: string) {
  const { host, port, socketPath } = readDatabaseAddress({ DATABASE_URL: url });
  let swallowing = false;
  let trap: string | undefined;
  let unanswered: string | undefined;
  let slow: { word: string; onSent: () => Promise<void> } | undefined;
  let isPassedOn = () => true;
  const refusals: Refusal[] = [];
  let rewrite = (data: Buffer) => data;
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
        const [refusal] = refusals;
        if (refusal && from === client && statementOf(data).startsWith(refusal.word)) {
          refusals.shift();
          client.write(errorPacket(refusal));
          return;
        }
        if (from === client && WRITES.test(statementOf(data)) && !isPassedOn()) return;
        if (slow !== undefined && from === client && data.toString("latin1").endsWith(slow.word)) await slow.onSent();
        if (trap !== undefined && data.toString("latin1").endsWith(trap))
          for (const end of [client, server]) cut.add(end);
        if (unanswered !== undefined && from === client && data.toString("latin1").endsWith(unanswered))
          cut.add(server);
        if (!cut.has(from) && !swallowed) to.write(from === client ? rewrite(data) : data);
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
    /** Answers the next statements that begin with these words by these errors, one after the other. */
    refuse(...next: Refusal[]) {
      refusals.push(...next);
    },
    /** Replaces words in statements by others of the same length. */
    replace(words: string, others: string) {
      rewrite = (data) => Buffer.from(data.toString("latin1").replace(words, others), "latin1");
    },
    /** Asks this before each statement that writes, or commits, whether it's passed on. */
    askBeforeWrites(ask: () => boolean) {
      isPassedOn = ask;
    },
    /** Holds back a statement that ends with this word until `onSent` resolves. */
    delayAt(word: string, onSent: () => Promise<void>) {
      slow = { word, onSent };
    },
  };
}
