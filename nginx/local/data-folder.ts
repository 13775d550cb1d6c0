import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StartError } from "./start-error.ts";

export interface DataFolder {
  /** DATA_DIR: what stays. */
  path: string;
  /** Short folder under the system's temporary one, for sockets and rendered configuration; removed at the end. */
  runtime: string;
}

/**
 * To be called with the folder locked: what a killed run has left in the temporary folder is removed.
 * Makes DATA_DIR, readable by its owner alone, and the runtime folder, whose link `data` leads to it: programs get paths
 * without any odd character of the project's own, and short enough for a socket (108 bytes, unix(7)).
 */
export function openDataFolder(path: string): DataFolder {
  mkdirSync(join(path, "logs"), { recursive: true, mode: 0o700 });
  const note = join(path, "runtime-folder");
  if (existsSync(note)) rmSync(readFileSync(note, "utf8"), { recursive: true, force: true });
  const runtime = mkdtempSync(join(tmpdir(), "twinfront-"));
  writeFileSync(note, runtime);
  symlinkSync(path, join(runtime, "data"));
  symlinkSync(join(path, "logs"), join(runtime, "logs"));
  return { path, runtime };
}

/**
 * Holds DATA_DIR for this process. The kernel lets go of an abstract socket (unix(7)) when its process dies, however it
 * dies, so there is no stale lock. Throws StartError naming the process that holds it already.
 */
export async function lockDataFolder(path: string, url: string): Promise<Server> {
  const address = `\0twinfront-${createHash("sha256").update(path).digest("hex").slice(0, 32)}`;
  const server = createServer((socket) => socket.end(`process ${process.pid}, ${url}`));
  server.listen(address);
  try {
    await once(server, "listening");
  } catch {
    const holder = connect(address);
    const said = await holder.toArray().catch(() => []);
    throw new StartError(
      `A shop is already running from ${path} (${Buffer.concat(said)}).\nStop that one, or give this one a folder and a port: DATA_DIR=.data-2 PORT=8081 npm start`,
    );
  }
  server.unref();
  return server;
}
