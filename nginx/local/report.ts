const started = performance.now();

const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

interface Outcome<T> {
  /** What the step found or did, in a few words. */
  said: string;
  /** Shown below the step's line, indented. */
  warnings?: string;
  value: T;
}

/** Runs one step of the start and prints a line for it: its name, what it found or did, and how long it took. */
export async function step<T>(name: string, run: () => Promise<Outcome<T>>): Promise<T> {
  const since = performance.now();
  const waiting = process.stdout.isTTY;
  if (waiting) process.stdout.write(`  ${name} …`);
  try {
    const { said, warnings, value } = await run();
    if (waiting) process.stdout.write("\r\x1b[K");
    console.log(`  ${name.padEnd(10)} ${said.padEnd(44)} ${seconds(since).padStart(7)}`);
    if (warnings) console.error(`\n${warnings.replace(/^(?=.)/gm, "    ")}\n`);
    return value;
  } catch (error) {
    if (waiting) process.stdout.write("\r\x1b[K");
    throw error;
  }
}

/** The closing lines: where the shop is, and one command each to paste. `product` is the path of a page. */
export function printReady({
  url,
  product,
  token,
  kept,
}: {
  url: string;
  product: string;
  token: string;
  kept: string;
}): void {
  console.log(`
Ready in ${seconds(started)}.

  Shop         ${url}
  For agents   ${url}/llms.txt
  Partners     ${url}/developers

As a visitor   curl '${url}${product}'
As an agent    curl -H 'Accept: text/markdown' '${url}${product}'
As a partner   curl -H "Authorization: Bearer ${token}" '${url}/api/orders?limit=2'

Ctrl-C stops everything. Data and logs stay in ${kept}.
`);
}
