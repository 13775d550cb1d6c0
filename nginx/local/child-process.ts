import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync, realpathSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { SERVER_PATH, StartError } from "../programs.ts";

export interface RunOptions {
  env?: Record<string, string | undefined>;
  cwd?: string;
}

export interface Command extends RunOptions {
  /** What it is called in messages: "database", "API", "nginx". */
  name: string;
  program: string;
  args: readonly string[];
  /** File that takes stdout and stderr, appended; without one they go to the terminal. */
  logFile?: string;
}

export interface RunningChild {
  name: string;
  child: ChildProcess;
  /** Resolves when the process has ended, with how: "exit 1", "SIGKILL". */
  ended: Promise<string>;
}

const running = new Set<ChildProcess>();

/**
 * Every child has a process group of its own, so that Ctrl-C in the terminal reaches only us and we stop things in order;
 * and the kernel ends it should we die without a chance to do so (PR_SET_PDEATHSIG, prctl(2)).
 */
function spawnGuarded(
  program: string,
  args: readonly string[],
  options: RunOptions,
  output: number | "inherit" | "pipe",
) {
  const child = spawn("setpriv", ["--pdeathsig", "TERM", "--", program, ...args], {
    cwd: options.cwd,
    env: { ...process.env, ...options.env, PATH: SERVER_PATH },
    detached: true,
    stdio: ["ignore", output, output],
  });
  running.add(child);
  child.once("error", () => running.delete(child));
  child.once("exit", () => {
    // nginx's workers outlive a killed master and keep its port: what a child has started goes with it.
    killGroup(child);
    running.delete(child);
  });
  return child;
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid) process.kill(-pid, "SIGKILL");
  } catch {
    // Nobody is left in the group.
  }
}

/** Ends at once what still runs of all that was started here, ready or not. */
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

/** Asks until `ready` says yes; throws StartError with the end of the log when the program ends or `timeoutMs` passes. */
export async function waitUntilReady(
  { name, child, ended }: RunningChild,
  logFile: string | undefined,
  ready: () => Promise<boolean>,
  timeoutMs = 30_000,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  let end: string | undefined;
  ended.then((how) => {
    end = how;
  });
  for (;;) {
    const isReady = await ready();
    // Asked in this order: what answers may be another program, at a port that ours could not have.
    if (end) throw new StartError(`The ${name} ended while starting (${end}).${lastLines(logFile)}`);
    if (isReady) return;
    if (Date.now() > deadline) {
      child.kill("SIGKILL");
      throw new StartError(`The ${name} did not answer within ${timeoutMs / 1000} s.${lastLines(logFile)}`);
    }
    await sleep(50);
  }
}

/** Ends a child with `signal`, and with SIGKILL when it has not ended after `timeoutMs`. */
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

/** Runs a program to its end and returns what it printed. Throws StartError with that when it fails. */
export async function runToEnd(
  what: string,
  program: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<{ stdout: string; stderr: string }> {
  const child = spawnGuarded(program, args, options, "pipe");
  const printed = { stdout: "", stderr: "" };
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
  return lines[0] ? ` It said last (${realpathSync(logFile)}):\n\n${indent(lines.join("\n"))}` : "";
}

const indent = (text: string) => text.replace(/^/gm, "  ");

/** Deaths within a minute that are taken for an accident; one more, and starting again would not help. */
const MAX_RESTARTS_PER_MINUTE = 3;

interface Service {
  start: () => Promise<RunningChild>;
  stopSignal: NodeJS.Signals;
  /** How long it may take to end what it is doing. */
  stopTimeoutMs: number;
}

export interface Supervisor {
  /** Starts a service, and again whenever it ends by itself. */
  add(service: Service): Promise<void>;
  /** Stops all at the same time, but the one that was added first, on which the others stand, after them. */
  stop(): Promise<void>;
}

/** Keeps long-lived children running. `giveUp` hears of one that keeps ending. */
export function createSupervisor(giveUp: (reason: string) => void): Supervisor {
  const running: { service: Service; child: RunningChild }[] = [];
  let stopping = false;

  async function keep(entry: { service: Service; child: RunningChild }): Promise<void> {
    const deaths: number[] = [];
    while (!stopping) {
      const how = await entry.child.ended;
      if (stopping) return;
      deaths.push(Date.now());
      if (deaths.filter((time) => time > Date.now() - 60_000).length > MAX_RESTARTS_PER_MINUTE) {
        giveUp(`The ${entry.child.name} keeps ending (${how}).`);
        return;
      }
      console.error(`  The ${entry.child.name} ended by itself (${how}); starting it again.`);
      await sleep(200);
      if (!stopping) entry.child = await entry.service.start();
    }
  }

  return {
    async add(service) {
      const entry = { service, child: await service.start() };
      running.push(entry);
      keep(entry).catch((error: unknown) => giveUp(error instanceof Error ? error.message : String(error)));
    },
    async stop() {
      stopping = true;
      const [foundation, ...others] = running.map((entry) => () => {
        const { stopSignal, stopTimeoutMs } = entry.service;
        return stopChild(entry.child, stopSignal, stopTimeoutMs);
      });
      await Promise.all(others.map((stop) => stop()));
      await foundation?.();
    },
  };
}
