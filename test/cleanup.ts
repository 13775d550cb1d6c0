import { constants } from "node:os";

type Cleanup = () => Promise<void> | void;

const cleanups: Cleanup[] = [];
let running: Promise<void> | undefined;

/** Runs `cleanup` when grading or a part of the bench ends, for whatever reason. The last one added runs first. */
export function addCleanup(cleanup: Cleanup): void {
  cleanups.push(cleanup);
}

/** Runs every cleanup once. A call while they run waits for them. */
export function runCleanups(): Promise<void> {
  running ??= (async () => {
    for (let cleanup = cleanups.pop(); cleanup; cleanup = cleanups.pop()) await cleanup();
  })().finally(() => {
    running = undefined;
  });
  return running;
}

/**
 * On Ctrl-C, SIGTERM and SIGHUP, runs the cleanups and exits with the shell's code for the signal. Returns a function that
 * gives that code once a signal has arrived, because later failures are caused by it.
 */
export function cleanUpOnSignals(): () => number | undefined {
  let exitCode: number | undefined;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      const code = 128 + constants.signals[signal];
      exitCode ??= code;
      console.error("\nStopping …");
      void runCleanups().then(() => process.exit(code));
    });
  }
  return () => exitCode;
}
