import { describeOutage } from "./platform/database/outage.ts";

/** Runs a command: an error becomes one message on stderr and exit code 1. Only a bug prints its stack. */
export async function runCommand(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const outage = describeOutage(error);
    const { message = error, stack, cause }: { message?: unknown; stack?: string; cause?: unknown } = Object(error);
    if (outage !== undefined) console.error(outage);
    else if (isBug(error)) console.error(stack);
    else if (isBug(cause)) console.error(`${message}\n${cause.stack}`);
    else console.error(message);
    process.exitCode = 1;
  }
}

/** An error of the language, or a statement that the database rejected. */
function isBug(error: unknown): error is Error {
  const { sqlState }: { sqlState?: unknown } = Object(error);
  return [TypeError, ReferenceError, SyntaxError].some((kind) => error instanceof kind) || typeof sqlState === "string";
}
