import { setTimeout as sleep } from "node:timers/promises";
import { describeOutage } from "../database/outage.ts";
import { type AttemptLog, makeAttempt, type Outbox } from "./attempt.ts";
import { claimDue, findDue } from "./lease.ts";
import { deleteExpired } from "./retention.ts";

/** How many attempts run at once, so that a webhook that hangs for some holds up no other. */
const SLOTS = 16;
const POLL_MS = 500;
/** Between two looks for what is to be forgotten. */
const CLEANUP_MS = 60_000;
/** A claim that a hung database keeps longer than this is given up at the end; its lease ends by itself. */
const LAST_CLAIM_MS = 1_000;

interface WorkerLog extends AttemptLog {
  warn(message: string): void;
  error(fields: object, message: string): void;
}

export interface Worker {
  /** Takes nothing new and resolves when the attempts in flight have ended: within 18 s. */
  stop(): Promise<void>;
}

/**
 * Starts making the attempts that are due, and forgetting what was delivered `keptDays` ago, until it is stopped. Any
 * number of processes may do so on one database.
 */
export function startWorker(outbox: Outbox, log: WorkerLog, keptDays: number): Worker {
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();
  const outage = watchOutage(log);

  /** Claims a delivery and starts its attempt, without waiting for its end; others go on when this fails. */
  const take = async (id: number): Promise<void> => {
    const claim = await claimDue(outbox.db, id);
    if (!claim) return;
    const attempt: Promise<void> = makeAttempt(outbox, log, claim)
      .catch(outage.tell)
      .finally(() => running.delete(attempt));
    running.add(attempt);
  };

  /** Takes what is due for the free slots; whether there may be more to take at once. */
  const takeDue = async (): Promise<boolean> => {
    const free = SLOTS - running.size;
    const ids = free > 0 ? await findDue(outbox.db, free) : [];
    await Promise.all(ids.map(take));
    return ids.length === free;
  };

  const pause = (milliseconds = POLL_MS) => sleep(milliseconds, undefined, { signal: stopping.signal }).catch(() => {});
  const work = async () => {
    while (!stopping.signal.aborted) {
      const more = await takeDue().then(outage.over, outage.tell);
      await (more && running.size > 0 ? Promise.race([...running, pause()]) : pause());
    }
  };
  const forget = async () => {
    while (!stopping.signal.aborted) {
      await deleteExpired(outbox.db, keptDays, stopping.signal).catch(outage.tell);
      await pause(CLEANUP_MS);
    }
  };
  const working = Promise.all([work(), forget()]);

  return {
    async stop() {
      stopping.abort();
      await Promise.race([working, sleep(LAST_CLAIM_MS)]);
      await Promise.all(running);
    },
  };
}

/** Says once that the database is away and once that it is back; anything else that fails is ours to repair. */
function watchOutage(log: WorkerLog) {
  let away = false;
  return {
    tell(error: unknown): void {
      const outage = describeOutage(error);
      if (outage === undefined) log.error({ err: error }, "the worker failed in our own code");
      else if (!away) log.warn(`${outage} Deliveries wait.`);
      away ||= outage !== undefined;
    },
    over<T>(value: T): T {
      if (away) log.info({}, "The database answers; deliveries go on.");
      away = false;
      return value;
    },
  };
}
