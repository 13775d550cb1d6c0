import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync, realpathSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { SERVER_PATH } from "../../api/platform/server-path.ts";
import { StartError } from "../programs.ts";

export interface RunOptions {
  env?: Record<string, string | undefined>;
  cwd?: string;
  /** Kills the program, and what it has started, if it takes longer. */
  timeoutMs?: number;
}

export interface Command extends RunOptions {
  /** For messages: "database", "API", "nginx". */
  name: string;
  program: string;
  args: readonly string[];
  /** Gets stdout and stderr, appended; without it they go to the terminal. */
  logFile?: string;
}

export interface RunningChild {
  name: string;
  child: ChildProcess;
  /** Resolves once the process has ended, with the reason: "exit 1", "SIGKILL". */
  ended: Promise<string>;
}

const running = new Set<ChildProcess>();

/**
 * A program and its arguments that run `command`, and that the kernel ends when the process `parent` dies (PR_SET_PDEATHSIG,
 * prctl(2)). It doesn't tell of a death before that, so the command isn't run if it has another parent by then.
 */
export const endedWith = (parent: number, command: readonly string[]): [string, string[]] => [
  "setpriv",
  ["--pdeathsig", "TERM", "--", "sh", "-c", '[ "$PPID" = "$0" ] && exec "$@"', String(parent), ...command],
];

/**
 * Each child has its own process group, so that Ctrl-C reaches only this process, which stops them in order. If this process
 * is killed, they end.
 */
function spawnGuarded(
  program: string,
  args: readonly string[],
  options: RunOptions,
  output: number | "inherit" | "pipe",
  input: "ignore" | "pipe" = "ignore",
) {
  const child = spawn(...endedWith(process.pid, [program, ...args]), {
    cwd: options.cwd,
    env: { ...process.env, ...options.env, PATH: SERVER_PATH },
    detached: true,
    stdio: [input, output, output],
  });
  running.add(child);
  child.once("error", () => running.delete(child));
  child.once("exit", () => {
    // nginx's workers survive a killed master and keep its port.
    killGroup(child);
    running.delete(child);
  });
  return child;
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid) process.kill(-pid, "SIGKILL");
  } catch {
    // The group is empty.
  }
}

/** Kills every child that is still running, and its process group. */
export async function killChildren(): Promise<void> {
  const ends = [...running].map((child) => once(child, "exit"));
  for (const child of running) killGroup(child);
  await Promise.all(ends);
}

/** Starts a long-lived program. */
export function startChild({ name, program, args, logFile, ...options }: Command): RunningChild {
  const log = logFile ? openSync(logFile, "a") : "inherit";
  const child = spawnGuarded(program, args, options, log);
  if (log !== "inherit") closeSync(log);
  const ended = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => resolve(signal ?? `exit ${code}`));
  });
  return { name, child, ended };
}

/** Polls `ready` until it is true. Throws StartError with the log's last lines if the program exits or `timeoutMs` passes. */
export async function waitUntilReady(
  { name, child, ended }: RunningChild,
  logFile: string | undefined,
  ready: () => Promise<boolean>,
  timeoutMs = 120_000,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  let end: string | undefined;
  ended.then((how) => {
    end = how;
  });
  for (;;) {
    const isReady = await ready();
    // Checked before isReady: another program may have answered at a port that ours couldn't get.
    if (end) throw new StartError(`The ${name} exited while starting (${end}).${lastLines(logFile)}`);
    if (isReady) return;
    if (Date.now() > deadline) {
      child.kill("SIGKILL");
      throw new StartError(`The ${name} didn't answer within ${timeoutMs / 1000} s.${lastLines(logFile)}`);
    }
    await sleep(50);
  }
}

/** Sends `signal`, and SIGKILL if the child hasn't exited after `timeoutMs`. Returns once it has. */
export async function stopChild(
  { child, ended }: RunningChild,
  signal: NodeJS.Signals,
  timeoutMs: number,
): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  const timer = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
  await ended;
  clearTimeout(timer);
}

interface Printed {
  stdout: string;
  stderr: string;
}

/** Runs a program and returns what it printed. Throws StartError with that if it fails. */
export async function runToEnd(
  what: string,
  program: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<Printed> {
  const child = spawnGuarded(program, args, options, "pipe");
  const timer = options.timeoutMs && setTimeout(() => killGroup(child), options.timeoutMs);
  return endOf(what, child).finally(() => clearTimeout(timer));
}

/** A program that has printed a line, and waits for one. */
export interface HeldProgram {
  line: string;
  /** Writes it a line. Returns once it has ended; throws StartError with what it printed if it fails. */
  goOn(): Promise<void>;
  /** Ends its standard input. Returns once it has ended. */
  giveUp(): Promise<void>;
}

/** Runs a program until it prints a line, or ends. Throws StartError with what it printed if it fails before. */
export async function runUntilLine(
  what: string,
  program: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<HeldProgram> {
  const child = spawnGuarded(program, args, options, "pipe", "pipe");
  const ended = endOf(what, child);
  const { promise: line, resolve } = Promise.withResolvers<string>();
  let text = "";
  child.stdout?.on("data", (chunk: string) => {
    text += chunk;
    if (text.includes("\n")) resolve(text.slice(0, text.indexOf("\n")));
  });
  // It may end while nobody waits for it.
  ended.catch(() => {});
  child.stdin?.on("error", () => {});
  return {
    line: await Promise.race([line, ended.then(({ stdout }) => stdout)]),
    async goOn() {
      child.stdin?.end("\n");
      await ended;
    },
    async giveUp() {
      child.stdin?.end();
      await ended.catch(() => {});
    },
  };
}

/** Returns what a program printed, once it has ended. Throws StartError with that if it failed. */
async function endOf(what: string, child: ChildProcess): Promise<Printed> {
  const printed: Printed = { stdout: "", stderr: "" };
  let output = "";
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.setEncoding("utf8").on("data", (chunk: string) => {
      printed[name] += chunk;
      output += chunk;
    });
  }
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  if (code !== 0) throw new StartError(`${what} failed (${signal ?? `exit ${code}`}).\n\n${indent(output.trim())}`);
  return printed;
}

function lastLines(logFile: string | undefined): string {
  if (!logFile) return "";
  const lines = readFileSync(logFile, "utf8").trim().split("\n").slice(-8);
  return lines[0] ? ` Last lines of ${realpathSync(logFile)}:\n\n${indent(lines.join("\n"))}` : "";
}

const indent = (text: string) => text.replace(/^/gm, "  ");

/** With more, something is broken that a restart doesn't fix. */
const MAX_RESTARTS_PER_MINUTE = 3;

interface Service {
  start: () => Promise<RunningChild>;
  stopSignal: NodeJS.Signals;
  /** How long it may take to finish its work, in milliseconds. */
  stopTimeoutMs: number;
}

export interface Supervisor {
  /** Starts a service, and restarts it whenever it exits. */
  add(service: Service): Promise<void>;
  /** Stops all at once, except the first, which the others depend on: it is stopped after them. */
  stop(): Promise<void>;
}

/** Keeps services running. Calls `giveUp` with the reason if one keeps exiting. */
export function createSupervisor(giveUp: (reason: string) => void): Supervisor {
  const running: { service: Service; child: RunningChild }[] = [];
  let stopping = false;

  async function restartOnExit(entry: { service: Service; child: RunningChild }): Promise<void> {
    const exits: number[] = [];
    while (!stopping) {
      const reason = await entry.child.ended;
      if (stopping) return;
      exits.push(Date.now());
      if (exits.filter((time) => time > Date.now() - 60_000).length > MAX_RESTARTS_PER_MINUTE) {
        giveUp(`The ${entry.child.name} keeps exiting (${reason}).`);
        return;
      }
      console.error(`  The ${entry.child.name} exited (${reason}). Restarting it.`);
      await sleep(200);
      if (!stopping) entry.child = await entry.service.start();
    }
  }

  return {
    async add(service) {
      const entry = { service, child: await service.start() };
      running.push(entry);
      restartOnExit(entry).catch((error: unknown) => giveUp(error instanceof Error ? error.message : String(error)));
    },
    async stop() {
      stopping = true;
      const [first, ...others] = running.map((entry) => () => {
        const { stopSignal, stopTimeoutMs } = entry.service;
        return stopChild(entry.child, stopSignal, stopTimeoutMs);
      });
      await Promise.all(others.map((stop) => stop()));
      await first?.();
    },
  };
}
