/** Accept headers of real clients, as captured or as their source has them, and the face each must get. */
export const CLIENTS: readonly [client: string, accept: string, face: "html" | "md"][] = [
  ["Claude Code", "text/markdown, text/html, */*", "md"],
  ["OpenCode", "text/markdown;q=1.0, text/x-markdown;q=0.9, text/plain;q=0.8, text/html;q=0.7, */*;q=0.1", "md"],
  ["OpenCode, text", "text/plain;q=1.0, text/markdown;q=0.9, text/html;q=0.8, */*;q=0.1", "md"],
  [
    "OpenCode, html",
    "text/html;q=1.0, application/xhtml+xml;q=0.9, text/plain;q=0.8, text/markdown;q=0.7, */*;q=0.1",
    "html",
  ],
  [
    "Gemini CLI",
    "text/markdown, text/plain;q=0.9, application/json;q=0.9, text/html;q=0.8, application/pdf;q=0.7, video/*;q=0.7, */*;q=0.5",
    "md",
  ],
  ["Cursor", "text/markdown, text/plain;q=0.9, */*;q=0.8", "md"],
  ["OpenClaw", "text/markdown, text/html;q=0.9, */*;q=0.1", "md"],
  ["Codex", "text/markdown,text/plain,*/*", "md"],
  [
    "Cloudflare webFetch",
    "text/markdown,text/html;q=0.9,text/plain;q=0.9,application/json;q=0.9,application/xhtml+xml;q=0.9,*/*;q=0.8",
    "md",
  ],
  [
    "Chrome",
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7",
    "html",
  ],
  ["Firefox", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "html"],
  ["curl", "*/*", "html"],
];

/** Headers that turn on one rule each. */
export const RULES: readonly [accept: string, face: "html" | "md"][] = [
  ["", "html"],
  ["text/html", "html"],
  ["text/markdown", "md"],
  ["TEXT/Markdown", "md"],
  ["text/html, text/markdown", "html"],
  ["*/*, text/markdown", "md"],
  ["text/markdown;q=0.5, */*", "html"],
  ["text/*, text/html;q=0", "md"],
  ["text/markdown;q=0, */*", "html"],
  ["application/json", "html"],
  ["text/markdown;q=2", "html"],
  ['text/html;foo=", text/markdown", */*;q=0.1', "html"],
  ["text/markdown ; q=0.4 , text/html ; q=0.6", "html"],
  ["text/html;q=0, */*", "md"],
  ["text/x-markdown", "html"],
  ["text/markdown;q=0.8, text/*;q=0.9, text/html;q=0.1", "md"],
  ["text/markdown;q=0.9, text/html", "html"],
  ["*", "html"],
  ["image/*", "html"],
  ["xtext/markdown", "html"],
  ["text/markdown2", "html"],
  ["text/markdown,,text/html;q=0.1", "md"],
  ["text/markdown;charset=utf-8", "md"],
  ['text/markdown;charset="UTF-8"', "md"],
  ["text/markdown;charset=iso-8859-1", "html"],
  ["text/markdown;variant=GFM", "md"],
  ["text/html;variant=GFM, text/markdown;q=0.1", "md"],
  ["text/markdown, text/html;charset=utf-8", "html"],
  ["text/html, text/html;charset=utf-8;q=0, */*", "md"],
  ["text/markdown;__proto__=x", "html"],
  ["text/markdown;q=0.5;q=1", "html"],
  ['text/markdown;q="1"', "html"],
  ["text/markdown;Q=0.9, text/html;q=0.8", "md"],
  ["text/markdown;", "md"],
  [";text/markdown", "html"],
  ["*/*;variant=GFM, */*;charset=utf-8", "html"],
  ['text/markdown, text/html;q=0.9;a="caf\xe9"', "md"],
  ["\xff, text/markdown", "md"],
];

const RANGES = [
  "text/html",
  "text/markdown",
  "text/*",
  "*/*",
  "Text/HTML",
  "TEXT/markdown",
  "text/x-markdown",
  "text/plain",
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

/** `count` headers, the same ones for the same seed: well-formed, odd, and real ones with a part exchanged. */
export function randomHeaders(count: number, seed: number): string[] {
  const random = seededRandom(seed);
  const pick = (from: readonly string[]) => from[Math.floor(random() * from.length)] ?? "";
  const element = (oddity: number) =>
    pick(random() < oddity ? ODD_RANGES : RANGES) +
    (random() < 0.25 ? pick(random() < oddity ? ODD_PARAMETERS : PARAMETERS) : "") +
    pick(random() < oddity ? ODD_WEIGHTS : WEIGHTS) +
    (random() < 0.05 ? pick(PARAMETERS) : "");
  return Array.from({ length: count }, () => {
    const oddity = random() < 0.5 ? 0 : 0.3;
    const parts = Array.from({ length: 1 + Math.floor(random() * 4) }, () => element(oddity));
    if (random() < 0.3)
      parts.unshift(
        ...pick(CLIENTS.map(([, accept]) => accept))
          .split(/, ?/)
          .slice(0, 3),
      );
    return parts.reduce((header, part) => header + pick(SEPARATORS) + part).trim();
  });
}

/** A linear congruential generator: a failing header can be made again from its seed. Returns numbers in [0, 1). */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
