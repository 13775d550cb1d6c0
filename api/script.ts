/** Runs a command: what it throws becomes one message on stderr and exit code 1. A stack is for developers only. */
export async function runScript(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
