import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { debianEnvironment, debianProgram } from "../../debian-program.ts";

const ip = debianProgram("iproute2", "bin/ip");
const ENV = { ...process.env, ...debianEnvironment("iproute2") };

/** A network of its own. */
export interface Network {
  /** The words before a command that runs in it. */
  inside: readonly string[];
  /** Its established connections to a port: where each comes from, as proc_net_tcp(5) writes addresses. */
  connectionsTo(port: number): string[];
  close(): Promise<void>;
}

/** Whether this process may make networks: root, where the kernel lets it. */
export const canMakeNetworks = (): boolean =>
  spawnSync("unshare", ["--net", ip ?? "false", "link", "set", "lo", "up"], { env: ENV }).status === 0;

/**
 * Makes a network, which is gone with this process. Of each pair, who connects to the second address comes from the first:
 * to choose a port for an address that is asked for takes the kernel ten times as long.
 */
export async function makeNetwork(pairs: readonly (readonly [from: string, to: string])[]): Promise<Network> {
  const script = `exec 2>&1
"$0" link set lo up
echo 16384 65535 > /proc/sys/net/ipv4/ip_local_port_range
echo 0 > /proc/sys/net/ipv4/tcp_max_tw_buckets
while [ $# -gt 0 ]; do
  case $1 in *:*) length=128 dad=nodad ;; *) length=32 dad= ;; esac
  for address in "$1" "$2"; do "$0" address replace "$address/$length" dev lo $dad; done
  "$0" route replace local "$2" dev lo table local src "$1"
  # In IPv6 the one that comes with the address goes before it. The kernel adds it some time after the address.
  tries=0
  until [ -z "$dad" ] || "$0" route del local "$2" dev lo table local proto kernel; do
    tries=$((tries + 1))
    [ $tries -lt 100 ]
    sleep 0.1
  done
  shift 2
done
echo made
exec cat`;
  const keeper = spawn("unshare", ["--net", "sh", "-euc", script, ip ?? "", ...pairs.flat()], {
    env: ENV,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const nextLine = readLines(keeper);
  while ((await nextLine()) !== "made");
  return {
    inside: ["nsenter", `--net=/proc/${keeper.pid}/ns/net`, "--"],
    connectionsTo(port) {
      const sockets = ["tcp", "tcp6"].map((name) => readFileSync(`/proc/${keeper.pid}/net/${name}`, "utf8")).join("");
      const hex = port.toString(16).toUpperCase().padStart(4, "0");
      return [...sockets.matchAll(new RegExp(`: \\w+:${hex} (\\w+):\\w+ 01 `, "g"))].map(([, from = ""]) => from);
    },
    async close() {
      keeper.stdin?.end();
      await once(keeper, "exit");
    },
  };
}

/** The lines that a program prints, one at a call. Rejects with the last one if it ends without another. */
export function readLines({ stdout }: ChildProcess): () => Promise<string> {
  if (!stdout) throw new Error("The program's output isn't a pipe.");
  const lines = createInterface(stdout)[Symbol.asyncIterator]();
  let last = "";
  return async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`The program has ended. Its last line: “${last}”`);
    last = value;
    return value;
  };
}
