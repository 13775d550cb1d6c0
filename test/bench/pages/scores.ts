import { step } from "../../../nginx/local/report.ts";
import { startBrowser } from "../../grade/browser.ts";
import { CATEGORIES, type Category, longestOfEachKind, runLighthouse, scoreOf } from "../../grade/lighthouse.ts";
import type { Page } from "../../grade/pages.ts";
import { ROUNDS } from "../rounds.ts";
import { median, type Row } from "../row.ts";

/** Design.md §7 has these four; `npm run grade` has agents', too, and says what costs points. */
const JUDGED = ["performance", "accessibility", "best-practices", "seo"] as const satisfies readonly Category[];

/** One look of Lighthouse at a page. */
interface Look {
  scores: Record<(typeof JUDGED)[number], number>;
  /** What Lighthouse found the machine to be able to, just then: speed depends on it. */
  benchmarkIndex: number;
}

/** Has Lighthouse look at the longest page of each kind as on a phone, all kinds in each round. */
export async function scorePages(pages: readonly Page[]): Promise<Row[]> {
  const longest = longestOfEachKind(pages);
  const port = await startBrowser();
  const rounds: Look[][] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    rounds.push(await step(`round ${round}`, () => lookAtEach(longest, port)));
  }
  return longest.map((page, index) =>
    describe(
      page,
      rounds.flatMap((round) => round[index] ?? []),
    ),
  );
}

async function lookAtEach(pages: readonly Page[], port: number): Promise<{ summary: string; value: Look[] }> {
  const looks: Look[] = [];
  for (const { url } of pages) {
    const result = await runLighthouse(url, port);
    const scores = Object.fromEntries(JUDGED.map((id) => [id, scoreOf(result, id)])) as Look["scores"];
    looks.push({ scores, benchmarkIndex: result.environment.benchmarkIndex });
  }
  return { summary: looks.map(lowest).join(" "), value: looks };
}

const lowest = ({ scores }: Look) => Math.min(...JUDGED.map((id) => scores[id]));

function describe({ url, kind }: Page, looks: readonly Look[]): Row {
  const { pathname } = new URL(url);
  const medians = JUDGED.map((id) => `${CATEGORIES[id]} ${median(looks.map(({ scores }) => scores[id]))}`);
  const index = Math.round(median(looks.map(({ benchmarkIndex }) => benchmarkIndex)));
  return {
    what: `Lighthouse, mobile: ${kind}`,
    unit: "of 100",
    ours: { name: pathname, values: looks.map(lowest) },
    bar: { atLeast: 100 },
    note: `${pathname}: ${medians.join(", ")}; the lowest of each round is judged. Lighthouse's index of the machine: ${index}.`,
  };
}
