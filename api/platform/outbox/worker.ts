import { setTimeout as sleep } from "node:timers/promises";
import { describeOutage } from "../database/outage.ts";
import { type AttemptLog, makeAttempt, type Outbox } from "./attempt.ts";
import { claimDue, findDue } from "./delivery-lease.ts";

/** What leaves the shop later: webhook deliveries, mails. */
export interface Queue {
  /** Ids of what is due, the longest due first. */
  findDue(limit: number): Promise<number[]>;
  /** Claims one and returns its attempt; undefined when another process was faster, or when it has failed for good. */
  claim(id: number): Promise<(() => Promise<void>) | undefined>;
}

/** What is done once a minute, in small batches, until nothing is left or the signal aborts. */
export type Job = (signal: AbortSignal) => Promise<void>;

interface Lane {
  queue: Queue;
  running: Set<Promise<void>>;
}

/** Deliveries to the webhook. */
export const deliveryQueue = (outbox: Outbox, log: AttemptLog): Queue => ({
  findDue: (limit) => findDue(outbox.db, limit),
  claim: async (id) => {
    const claim = await claimDue(outbox.db, id);
    return claim && (() => makeAttempt(outbox, log, claim));
  },
});

/** Attempts of a queue that run at once, so that a few that hang don't block the others. */
const SLOTS = 16;
const POLL_MS = 500;
/** Between two rounds of the jobs. */
const ROUND_MS = 60_000;
/** How long to wait for claims at the end; if the database hangs, their leases expire. */
const LAST_CLAIM_MS = 1_000;

export interface WorkerLog extends AttemptLog {
  warn(fields: object, message: string): void;
  warn(message: string): void;
  error(fields: object, message: string): void;
}

export interface Worker {
  /** Claims nothing more, and resolves when the running attempts have ended: within 18 s. */
  stop(): Promise<void>;
}

/**
 * Starts making the due attempts of each queue and doing the jobs, until it is stopped. Any number of processes can
 * share one database.
 */
export function startWorker(queues: readonly Queue[], jobs: readonly Job[], log: WorkerLog): Worker {
  const stopping = new AbortController();
  const outage = outageLog(log);
  const pause = (milliseconds = POLL_MS) => sleep(milliseconds, undefined, { signal: stopping.signal }).catch(() => {});
  const lanes = queues.map((queue) => ({ queue, running: new Set<Promise<void>>() }));

  /** Claims one and starts its attempt without waiting for it to end. */
  const take = async ({ queue, running }: Lane, id: number): Promise<void> => {
    const makeAttempt = await queue.claim(id);
    if (!makeAttempt) return;
    const attempt: Promise<void> = makeAttempt()
      .catch(outage.report)
      .finally(() => running.delete(attempt));
    running.add(attempt);
  };

  /** Fills the free slots with what is due; returns whether more may be due. */
  const takeDue = async (lane: Lane): Promise<boolean> => {
    const free = SLOTS - lane.running.size;
    const ids = free > 0 ? await lane.queue.findDue(free) : [];
    await Promise.all(ids.map((id) => take(lane, id)));
    return ids.length === free;
  };

  const work = async (lane: Lane) => {
    while (!stopping.signal.aborted) {
      const more = await takeDue(lane).then(outage.recovered, outage.report);
      await (more && lane.running.size > 0 ? Promise.race([...lane.running, pause()]) : pause());
    }
  };
  const doJobs = async () => {
    while (!stopping.signal.aborted) {
      for (const job of jobs) await job(stopping.signal).then(outage.recovered, outage.report);
      await pause(ROUND_MS);
    }
  };
  const working = Promise.all([...lanes.map(work), doJobs()]);

  return {
    async stop() {
      stopping.abort();
      await Promise.race([working, sleep(LAST_CLAIM_MS)]);
      await Promise.all(lanes.flatMap(({ running }) => [...running]));
    },
  };
}

/** Logs once that the database is away and once that it's back; any other error is a bug. */
function outageLog(log: WorkerLog) {
  let away = false;
  return {
    report(error: unknown): void {
      const outage = describeOutage(error);
      if (outage === undefined) log.error({ err: error }, "Unexpected error in the worker.");
      else if (!away) log.warn(`${outage} Deliveries are paused, and so are mails.`);
      away ||= outage !== undefined;
    },
    recovered<T>(value: T): T {
      if (away) log.info({}, "The database responds; deliveries and mails continue.");
      away = false;
      return value;
    },
  };
}
