import { CLIENTS } from "./accept-cases.ts";

const RANGES = [
  "text/html",
  "text/markdown",
  "text/*",
  "*/*",
  "Text/HTML",
  "TEXT/markdown",
  "text/x-markdown",
  "text/plain",
  "image/*",
];
const ODD_RANGES = [
  "*",
  "*/html",
  "text/",
  "/html",
  "text",
  "text/markdown/x",
  "application/json",
  "te xt/html",
  "text/mark*",
  "\xe9/html",
  "",
];
const WEIGHTS = [
  "",
  "",
  "",
  ";q=1",
  ";q=0",
  ";q=0.5",
  ";q=0.9",
  ";q=1.0",
  ";q=1.000",
  "; q=0.8",
  " ;q=0.8",
  ";Q=0.7",
  ";q=0.123",
];
const ODD_WEIGHTS = [
  ";q=2",
  ";q=-1",
  ";q=",
  ";q",
  ";q=.5",
  ";q=0.1234",
  ";q=1.001",
  ';q="0.5"',
  ";q =0.5",
  ";q= 0.5",
  ";q=0,5",
  ";q=0.5;q=1",
];
const PARAMETERS = [
  ";charset=utf-8",
  ';charset="utf-8"',
  "; charset=UTF-8",
  ";variant=GFM",
  ";variant=gfm;charset=utf-8",
  ";level=1",
  ";charset=latin1",
];
const ODD_PARAMETERS = [
  ";",
  ";;",
  ';x=", text/markdown"',
  ';x="',
  ';x="\\"',
  ';x="a\\"b"',
  ";=1",
  ";x=",
  ";x",
  '"',
  ";__proto__=1",
  ";constructor=1",
  ';charset="utf\\-8"',
  ';x="\xe9\xff"',
];
const SEPARATORS = [", ", ",", " , ", ",,", ",\t"];

/** `count` headers, the same for the same seed: well-formed, odd, and every third a real one with one change. */
export function randomHeaders(count: number, seed: number): string[] {
  const random = seededRandom(seed);
  const upTo = (limit: number) => Math.floor(random() * limit);
  const pick = (from: readonly string[]) => from[upTo(from.length)] ?? "";
  const element = (oddity: number) =>
    pick(random() < oddity ? ODD_RANGES : RANGES) +
    (random() < 0.25 ? pick(random() < oddity ? ODD_PARAMETERS : PARAMETERS) : "") +
    pick(random() < oddity ? ODD_WEIGHTS : WEIGHTS) +
    (random() < 0.05 ? pick(PARAMETERS) : "");
  const fromParts = (oddity: number) =>
    Array.from({ length: 1 + upTo(4) }, () => element(oddity)).reduce(
      (header, part) => header + pick(SEPARATORS) + part,
    );
  // Near misses of the map's patterns: an element replaced, added or extended, or a character removed.
  const nearAClient = () => {
    const header = pick(CLIENTS.map(([, accept]) => accept));
    const elements = header.split(",");
    const place = upTo(elements.length);
    const changed = [
      elements.with(place, element(0.3)),
      elements.toSpliced(place, 0, element(0.3)),
      elements.with(place, elements[place] + pick([...PARAMETERS, ...ODD_PARAMETERS, ...ODD_WEIGHTS])),
    ].map((parts) => parts.join(","));
    const gone = upTo(header.length);
    return pick([...changed, header.slice(0, gone) + header.slice(gone + 1)]);
  };
  return Array.from({ length: count }, (_, index) =>
    (index % 3 === 0 ? nearAClient() : fromParts(random() < 0.5 ? 0 : 0.3)).trim(),
  );
}

/** A linear congruential generator, so that a failing header can be reproduced. Returns numbers in [0, 1). */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
