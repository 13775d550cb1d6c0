import closeWithGrace from "close-with-grace";

/** One Ctrl-C arrives twice: from the terminal and from npm. */
export const DUPLICATE_SIGNAL_MS = 500;

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/**
 * Calls `close` at a signal or an unexpected error, and exits once it's done, or after `delay` milliseconds. A second Ctrl-C
 * exits at once.
 */
export function closeOnSignals(
  { delay, logger }: { delay: number; logger: closeWithGrace.Logger },
  close: (reason: { err?: Error }) => Promise<void>,
): void {
  let closingSince: number | undefined;
  const { close: begin } = closeWithGrace({ delay, logger, skip: [...SIGNALS] }, async (reason) => {
    closingSince = Date.now();
    await close(reason);
  });
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (closingSince === undefined) return begin();
      if (Date.now() - closingSince <= DUPLICATE_SIGNAL_MS) return;
      logger.error(`second ${signal}, exiting`);
      process.exit(1);
    });
  }
}
