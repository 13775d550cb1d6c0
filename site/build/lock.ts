import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

// A lock that one process on this machine has at a time: a name of an abstract socket, which the kernel frees however that process
// ends (unix(7)), so that no lock is ever stale.

const addressOf = (name: string) => `\0twinfront-${name}`;

/**
 * Takes a lock, which doesn't keep this process alive. Undefined if another has it. The name can have at most 97 bytes: an
 * address has 108, of which a zero byte and `twinfront-` take eleven. Whoever asks for the holder reads what
 * `answer` writes until it closes the connection.
 */
export async function takeLock(name: string, answer?: (socket: Socket) => void): Promise<Server | undefined> {
  const lock = createServer((socket) => {
    // Whoever asks may be gone before the answer, which mustn't end the holder.
    socket.on("error", () => {});
    if (answer) answer(socket);
    else socket.destroy();
  }).listen(addressOf(name));
  try {
    await once(lock, "listening");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") return undefined;
    throw error;
  }
  return lock.unref();
}

/** What the holder of a lock answers, once it has closed the connection or ended; empty if nobody has the lock. */
export async function askHolder(name: string): Promise<string> {
  const answer: Buffer[] = await connect(addressOf(name))
    .toArray()
    .catch(() => []);
  return Buffer.concat(answer).toString();
}
