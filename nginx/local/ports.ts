import { randomInt } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { takeLock } from "../../site/build/lock.ts";
import { StartError } from "../programs.ts";

/** Ports that this process will listen on, which look free until it does, and ports that it found taken. */
const reserved = new Set<number>();

/** Reserves `host:port`. Throws StartError unless it is free to listen on. `setting` is the port's variable, for the message. */
export async function reservePort(setting: string, host: string, port: number): Promise<void> {
  reserved.add(port);
  try {
    await listenBriefly(host, port);
  } catch (error) {
    const code = codeOf(error);
    if (code === "EADDRINUSE") {
      throw new StartError(
        `Port ${port} on ${host} is taken by another program. Stop it, or set ${setting} to another port, such as ${setting}=${port < 65535 ? port + 1 : 8080}.`,
      );
    }
    if (code === "EACCES") {
      throw new StartError(
        `Port ${port} needs root. Set ${setting} to a port above 1023, such as ${setting}=${8000 + port}.`,
      );
    }
    if (code === "EADDRNOTAVAIL")
      throw new StartError(
        `HOST=${host} isn't an address of this machine. Use one of its own, such as 127.0.0.1 or 0.0.0.0.`,
      );
    throw error;
  }
}

/**
 * Reserves a port on 127.0.0.1 that is free now, and returns it. It's below those that Linux gives to connections and to
 * whoever asks for any port, from 32768 on, so that none of them takes it before it's listened on. It's above 10080, which
 * browsers and fetch() refuse. While this process runs, no other one gets it from this function.
 */
export async function findFreePort(): Promise<number> {
  const port = 10_100 + randomInt(22_000);
  if (reserved.has(port)) return findFreePort();
  reserved.add(port);
  try {
    await listenBriefly("127.0.0.1", port);
  } catch (error) {
    if (codeOf(error) !== "EADDRINUSE") throw error;
    return findFreePort();
  }
  // Seconds pass until some ports are listened on.
  return (await takeLock(`port-${port}`)) ? port : findFreePort();
}

/**
 * Whether this machine has an address of IPv6. A kernel that was told to do without can still listen on `::`, but nobody can
 * connect.
 */
export function hasIpv6(): boolean {
  const list = "/proc/self/net/if_inet6";
  return existsSync(list) && readFileSync(list, "utf8") !== "";
}

/** The shop's URL on this machine. A wildcard address, which nobody can connect to, becomes a loopback one that is always there. */
export function localUrl({ host, port }: { host: string; port: number }): string {
  const reachable = ["0.0.0.0", "::"].includes(host) ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  return `http://${reachable}:${port}`;
}

/** Where editors open /admin on this machine: passkeys refuse an IP address. */
export const localAdminOrigin = ({ port }: { port: number }): string => `http://localhost:${port}`;

async function listenBriefly(host: string, port: number): Promise<void> {
  const server = createServer().listen(port, host);
  await once(server, "listening");
  server.close();
  await once(server, "close");
}

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : error);
