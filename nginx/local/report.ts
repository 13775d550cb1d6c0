/** The time since a reading of performance.now(), such as "1.2 s". */
export const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

interface Outcome<T> {
  /** What the step found or did, in a few words. */
  summary: string;
  /** Shown below the step's line, indented. */
  warnings?: string;
  value: T;
}

/** Runs a step and prints one line: its name, summary and time. Returns the step's value. */
export async function step<T>(name: string, run: () => Promise<Outcome<T>>): Promise<T> {
  const since = performance.now();
  const waiting = process.stdout.isTTY;
  if (waiting) process.stdout.write(`  ${name} …`);
  try {
    const { summary, warnings, value } = await run();
    if (waiting) process.stdout.write("\r\x1b[K");
    console.log(`  ${name.padEnd(10)} ${summary.padEnd(44)} ${seconds(since).padStart(7)}`);
    if (warnings) console.error(`\n${warnings.replace(/^(?=.)/gm, "    ")}\n`);
    return value;
  } catch (error) {
    if (waiting) process.stdout.write("\r\x1b[K");
    throw error;
  }
}
