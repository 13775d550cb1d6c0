import { step } from "../../nginx/local/report.ts";
import {
  CATEGORIES,
  type Category,
  longestOfEachKind,
  runLighthouse,
  scoreOf,
  startBrowser,
} from "../grade/lighthouse.ts";
import { startOwnShop } from "../grade/own-shop.ts";
import { kindOf, type Page, type PageKind, readPages } from "../grade/pages.ts";
import { type PageWeight, receive, weighPage } from "../page-weight.ts";
import { weightBudget } from "../weight-budget.ts";
import { ROUNDS } from "./rounds.ts";
import { type Findings, median, type Row } from "./table.ts";

/** Weighs every page of a running shop as nginx sends it, and runs Lighthouse on one of each kind. */
export async function benchPages(): Promise<Findings> {
  const baseUrl = await startOwnShop();
  const pages = await step("pages", () => readPages(baseUrl));
  return { rows: [...(await weighPages(pages, baseUrl)), ...(await scorePages(pages))] };
}

/** The only pages with a script. */
const WITH_SCRIPT: readonly PageKind[] = ["category", "compare"];

interface Weighed extends PageWeight {
  url: string;
  /** Bytes of its Markdown. */
  markdown: number;
}

/** Weighs each page once, because bytes are the same in every round, and the page for unknown addresses. */
function weighPages(pages: readonly Page[], baseUrl: string): Promise<Row[]> {
  return step("weights", async () => {
    const weighed: Weighed[] = [];
    for (const url of [...pages.map((page) => page.url), `${baseUrl}/nowhere`]) {
      const { bytes } = await receive(url, "text/markdown");
      weighed.push({ url, markdown: bytes, ...(await weighPage(url)) });
    }
    return { summary: `${weighed.length} pages`, value: [firstFlight(weighed), ...scripts(weighed), faces(weighed)] };
  });
}

function firstFlight(weighed: readonly Weighed[]): Row {
  const ordered = weighed
    .map((page) => ({ ...page, bytes: page.html + page.styles }))
    .sort((a, b) => a.bytes - b.bytes);
  const [lightest, heaviest] = [ordered[0], ordered.at(-1)];
  const middle = median(ordered.map(({ bytes }) => bytes));
  const note = [
    `${pathOf(heaviest)}. KB of 1,024 bytes, compressed with Brotli, with the headers of both answers.`,
    `Of ${ordered.length} pages the median is ${inKb(middle)}, the lightest ${inKb(lightest?.bytes)} (${pathOf(lightest)}).`,
  ];
  return {
    what: "HTML + CSS of the heaviest page",
    unit: "KB",
    ours: { name: "ours", values: [(heaviest?.bytes ?? Number.NaN) / 1024] },
    bar: { atMost: weightBudget.firstFlightBytes / 1024 },
    note: note.join(" "),
  };
}

function scripts(weighed: readonly Weighed[]): Row[] {
  const hasScript = ({ url }: Weighed) => WITH_SCRIPT.includes(kindOf(url));
  const most = (some: readonly Weighed[]) => Math.max(...some.map((page) => page.deferredScripts));
  const blocking = Math.max(...weighed.map((page) => page.scriptsThatBlock));
  const row = (what: string, unit: string, value: number, atMost: number): Row => {
    return { what, unit, ours: { name: "ours", values: [value] }, bar: { atMost } };
  };
  return [
    row("scripts that a page waits for", "", blocking, 0),
    row("deferred script of a category or comparison", "B", most(weighed.filter(hasScript)), weightBudget.scriptBytes),
    row("scripts of any other page", "B", most(weighed.filter((page) => !hasScript(page))), 0),
  ];
}

/** Each page counts as a round. */
function faces(weighed: readonly Weighed[]): Row {
  const inKilobytes = (bytes: readonly number[]) => bytes.map((each) => each / 1024);
  return {
    what: "Markdown of every page",
    unit: "KB",
    ours: { name: "Markdown", values: inKilobytes(weighed.map(({ markdown }) => markdown)) },
    theirs: { name: "HTML without CSS", values: inKilobytes(weighed.map(({ html }) => html)) },
    note: "Answers with their headers, compressed with Brotli; the spread is over the pages. npm run grade counts tokens.",
  };
}

const inKb = (bytes = Number.NaN) => `${(bytes / 1024).toFixed(1)} KB`;
const pathOf = (page?: Weighed) => (page ? new URL(page.url).pathname : "");

/** `npm run grade` adds the agents category, and explains lost points. */
const JUDGED = ["performance", "accessibility", "best-practices", "seo"] as const satisfies readonly Category[];

/** One Lighthouse run on a page. */
interface LighthouseRun {
  scores: Record<(typeof JUDGED)[number], number>;
  /** Lighthouse's measure of the machine's speed during the run. */
  benchmarkIndex: number;
}

/** Runs Lighthouse for mobile on the longest page of each kind, all kinds in each round. */
async function scorePages(pages: readonly Page[]): Promise<Row[]> {
  const longest = longestOfEachKind(pages);
  const port = await startBrowser();
  const rounds: LighthouseRun[][] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    rounds.push(await step(`round ${round}`, () => runOnEach(longest, port)));
  }
  return longest.map((page, index) =>
    describe(
      page,
      rounds.flatMap((round) => round[index] ?? []),
    ),
  );
}

async function runOnEach(pages: readonly Page[], port: number): Promise<{ summary: string; value: LighthouseRun[] }> {
  const runs: LighthouseRun[] = [];
  for (const { url } of pages) {
    const result = await runLighthouse(url, port);
    const scores = Object.fromEntries(JUDGED.map((id) => [id, scoreOf(result, id)])) as LighthouseRun["scores"];
    runs.push({ scores, benchmarkIndex: result.environment.benchmarkIndex });
  }
  return { summary: runs.map(lowest).join(" "), value: runs };
}

const lowest = ({ scores }: LighthouseRun) => Math.min(...JUDGED.map((id) => scores[id]));

function describe({ url, kind }: Page, runs: readonly LighthouseRun[]): Row {
  const { pathname } = new URL(url);
  const medians = JUDGED.map((id) => `${CATEGORIES[id]} ${median(runs.map(({ scores }) => scores[id]))}`);
  const index = Math.round(median(runs.map(({ benchmarkIndex }) => benchmarkIndex)));
  return {
    what: `Lighthouse, mobile: ${kind}`,
    unit: "of 100",
    ours: { name: pathname, values: runs.map(lowest) },
    bar: { atLeast: 100 },
    note: `${pathname}: ${medians.join(", ")}; the lowest of each round is figuresOf. Lighthouse's index of the machine: ${index}.`,
  };
}
