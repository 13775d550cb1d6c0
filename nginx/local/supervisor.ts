import { setTimeout as sleep } from "node:timers/promises";
import { type RunningChild, stopChild } from "./child-process.ts";

/** Deaths within a minute that are taken for an accident; one more, and starting again would not help. */
const ACCIDENTS_PER_MINUTE = 3;

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
      if (deaths.filter((time) => time > Date.now() - 60_000).length > ACCIDENTS_PER_MINUTE) {
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
