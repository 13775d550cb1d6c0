import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** The first and the last core that we may run on: one for the server, one for wrk. Undefined where there is but one. */
function twoCores(): { server: number; client: number } | undefined {
  const [, list = ""] = /^Cpus_allowed_list:\s*(.*)$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
  const numbers = list.split(/[,-]/).map(Number);
  const [server = 0, client = 0] = [numbers[0], numbers.at(-1)];
  return server === client ? undefined : { server, client };
}

const cores = twoCores();

/** Keeps a process of one thread on the server's core: a kernel that moves two that are always busy costs single rounds a third. */
export function pinServer(pid: number): void {
  if (cores) execFileSync("taskset", ["-p", "-c", String(cores.server), String(pid)], { stdio: "ignore" });
}

/** The core for wrk; undefined where the kernel must choose. */
export const clientCore = cores?.client;
