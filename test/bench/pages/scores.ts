import { step } from "../../../nginx/local/report.ts";
import { startBrowser } from "../../grade/browser.ts";
import { CATEGORIES, type Category, longestOfEachKind, runLighthouse, scoreOf } from "../../grade/lighthouse.ts";
import type { Page } from "../../grade/pages.ts";
import { ROUNDS } from "../rounds.ts";
import { median, type Row } from "../row.ts";

/** Design.md §7 has these four; `npm run grade` has agents', too, and says what costs points. */
const JUDGED = ["performance", "accessibility", "best-practices", "seo"] as const satisfies readonly Category[];

type Scores = Record<(typeof JUDGED)[number], number>;

/** Has Lighthouse look at the longest page of each kind as on a phone, all kinds in each round. */
export async function scorePages(pages: readonly Page[]): Promise<Row[]> {
  const longest = longestOfEachKind(pages);
  const port = await startBrowser();
  const rounds: Scores[][] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    rounds.push(await step(`round ${round}`, () => scoreEach(longest, port)));
  }
  return longest.map((page, index) =>
    describe(
      page,
      rounds.flatMap((round) => round[index] ?? []),
    ),
  );
}

async function scoreEach(pages: readonly Page[], port: number): Promise<{ said: string; value: Scores[] }> {
  const scores: Scores[] = [];
  for (const { url } of pages) {
    const result = await runLighthouse(url, port);
    scores.push(Object.fromEntries(JUDGED.map((id) => [id, scoreOf(result, id)])) as Scores);
  }
  return { said: scores.map((page) => lowest(page)).join(" "), value: scores };
}

const lowest = (scores: Scores) => Math.min(...JUDGED.map((id) => scores[id]));

function describe({ url, kind }: Page, rounds: readonly Scores[]): Row {
  const medians = JUDGED.map((id) => `${CATEGORIES[id]} ${median(rounds.map((scores) => scores[id]))}`);
  return {
    what: `Lighthouse, mobile: ${kind}`,
    unit: "of 100",
    ours: { name: new URL(url).pathname, values: rounds.map(lowest) },
    bar: { atLeast: 100 },
    note: `${new URL(url).pathname}: ${medians.join(", ")}; the lowest of each round is judged`,
  };
}
