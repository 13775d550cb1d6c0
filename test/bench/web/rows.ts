import type { Bar, Row } from "../table.ts";
import type { Load } from "./load.ts";

const NOTES: Readonly<Record<string, string>> = {
  "bare nginx":
    "one worker each; the bare one serves the same file with Debian's settings, writes no log and sends none of our headers. Ours logs every request.",
  "bare, tuned": "the bare one keeps files open and writes head and body at once, as ours does.",
  Fastify: "@fastify/static, preCompressed, two headers, no log; it negotiates by how Accept begins.",
  "on the fly":
    "turndown and its GFM plugin over <main>, for each request; the HTML is in memory, nothing is compressed.",
};

/**
 * Two rows for each peer: requests a second, and the server's processor time per request, which other load disturbs less.
 *
 * @param measured each server's rounds; the first is ours, and the bar is against the second
 */
export function toRows(what: string, measured: Readonly<Record<string, readonly Load[]>>, bar?: Bar): Row[] {
  const [ours, ...peers] = Object.entries(measured).map(([name, rounds]) => ({
    name,
    speed: rounds.map(({ requestsPerSecond }) => requestsPerSecond),
    cost: rounds.map(({ cpuMicroseconds }) => cpuMicroseconds),
  }));
  if (ours === undefined) return [];
  return peers.flatMap(({ name, speed, cost }, index) => {
    const faster: Row = {
      what,
      unit: "requests/s",
      ours: { name: ours.name, values: ours.speed },
      theirs: { name, values: speed },
      ...(bar && index === 0 ? { bar } : {}),
    };
    const cheaper: Row = {
      what: `${what}, a worker's time`,
      unit: "µs",
      ours: { name: ours.name, values: ours.cost },
      theirs: { name, values: cost },
    };
    return [faster, cheaper];
  });
}

/** Adds each peer's note to its first row. */
export function explainPeers(rows: readonly Row[]): Row[] {
  const explained = new Set<string>();
  return rows.map((row) => {
    const name = row.theirs?.name ?? "";
    const note = NOTES[name];
    if (note === undefined || explained.has(name)) return row;
    explained.add(name);
    return { ...row, note: `${name}: ${note}` };
  });
}
