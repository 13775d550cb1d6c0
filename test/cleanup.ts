import { constants } from "node:os";

type Ending = () => Promise<void> | void;

const endings: Ending[] = [];
let underWay: Promise<void> | undefined;

/** Has `ending` run when grading or a part of the bench is over, however it ends: what came last goes first. */
export function addCleanup(ending: Ending): void {
  endings.push(ending);
}

/** Runs every ending once; a call while they run waits for them. */
export function runCleanups(): Promise<void> {
  underWay ??= (async () => {
    for (let ending = endings.pop(); ending; ending = endings.pop()) await ending();
  })().finally(() => {
    underWay = undefined;
  });
  return underWay;
}

/**
 * Has Ctrl-C, SIGTERM and SIGHUP run the endings, then exit with the code that shells give them. Returns what gives that
 * code once one of them has come: whatever fails from then on fails because of it.
 */
export function cleanUpOnSignals(): () => number | undefined {
  let stoppedWith: number | undefined;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      const code = 128 + constants.signals[signal];
      stoppedWith ??= code;
      console.error("\nStopping …");
      void runCleanups().then(() => process.exit(code));
    });
  }
  return () => stoppedWith;
}
