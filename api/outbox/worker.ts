import { setTimeout as sleep } from "node:timers/promises";
import { describeOutage } from "../database/outage.ts";
import { type AttemptLog, makeAttempt, type Outbox } from "./attempt.ts";
import { claimDue, findDue } from "./lease.ts";
import { deleteExpired } from "./retention.ts";

/** Attempts that run at once, so that a few that hang don't block the others. */
const SLOTS = 16;
const POLL_MS = 500;
/** Interval between two rounds of deletion. */
const CLEANUP_MS = 60_000;
/** How long to wait for claims at the end; if the database hangs, their leases expire. */
const LAST_CLAIM_MS = 1_000;

interface WorkerLog extends AttemptLog {
  warn(message: string): void;
  error(fields: object, message: string): void;
}

export interface Worker {
  /** Claims nothing more, and resolves when the running attempts have ended: within 18 s. */
  stop(): Promise<void>;
}

/**
 * Starts making due attempts and deleting what expired `keptDays` ago, until it is stopped. Any number of processes can
 * share one database.
 */
export function startWorker(outbox: Outbox, log: WorkerLog, keptDays: number): Worker {
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();
  const outage = outageLog(log);

  /** Claims a delivery and starts its attempt without waiting for it to end. */
  const take = async (id: number): Promise<void> => {
    const claim = await claimDue(outbox.db, id);
    if (!claim) return;
    const attempt: Promise<void> = makeAttempt(outbox, log, claim)
      .catch(outage.report)
      .finally(() => running.delete(attempt));
    running.add(attempt);
  };

  /** Fills the free slots with due deliveries; returns whether more may be due. */
  const takeDue = async (): Promise<boolean> => {
    const free = SLOTS - running.size;
    const ids = free > 0 ? await findDue(outbox.db, free) : [];
    await Promise.all(ids.map(take));
    return ids.length === free;
  };

  const pause = (milliseconds = POLL_MS) => sleep(milliseconds, undefined, { signal: stopping.signal }).catch(() => {});
  const work = async () => {
    while (!stopping.signal.aborted) {
      const more = await takeDue().then(outage.recovered, outage.report);
      await (more && running.size > 0 ? Promise.race([...running, pause()]) : pause());
    }
  };
  const cleanUp = async () => {
    while (!stopping.signal.aborted) {
      await deleteExpired(outbox.db, keptDays, stopping.signal).catch(outage.report);
      await pause(CLEANUP_MS);
    }
  };
  const working = Promise.all([work(), cleanUp()]);

  return {
    async stop() {
      stopping.abort();
      await Promise.race([working, sleep(LAST_CLAIM_MS)]);
      await Promise.all(running);
    },
  };
}

/** Logs once that the database is away and once that it's back; any other error is a bug. */
function outageLog(log: WorkerLog) {
  let away = false;
  return {
    report(error: unknown): void {
      const outage = describeOutage(error);
      if (outage === undefined) log.error({ err: error }, "Unexpected error in the delivery worker.");
      else if (!away) log.warn(`${outage} Deliveries are paused.`);
      away ||= outage !== undefined;
    },
    recovered<T>(value: T): T {
      if (away) log.info({}, "The database responds; deliveries continue.");
      away = false;
      return value;
    },
  };
}
