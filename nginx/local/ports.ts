import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { StartError } from "../programs.ts";

/** Throws StartError, saying what to do, unless `host:port` can be listened on. */
export async function ensurePortIsFree(setting: string, host: string, port: number): Promise<void> {
  try {
    await listenBriefly(host, port);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : error;
    if (code === "EADDRINUSE") {
      throw new StartError(
        `Port ${port} on ${host} is taken by another program. Stop it, or set ${setting} to another port, such as ${setting}=${port < 65535 ? port + 1 : 8080}.`,
      );
    }
    if (code === "EACCES") {
      throw new StartError(
        `Port ${port} needs root's rights. Set ${setting} to one above 1023, such as ${setting}=${8000 + port}.`,
      );
    }
    if (code === "EADDRNOTAVAIL") throw new StartError(`HOST=${host} is no address of this machine.`);
    throw error;
  }
}

/** A port on 127.0.0.1 that nothing listens on now. */
export async function findFreePort(): Promise<number> {
  return listenBriefly("127.0.0.1", 0);
}

/** Where nginx can be reached from this machine: an address that means "all of them" is none. */
export function localUrl({ host, port }: { host: string; port: number }): string {
  const reachable =
    host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "[::1]" : host.includes(":") ? `[${host}]` : host;
  return `http://${reachable}:${port}`;
}

async function listenBriefly(host: string, port: number): Promise<number> {
  const server = createServer().listen(port, host);
  await once(server, "listening");
  const { port: listened } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return listened;
}
