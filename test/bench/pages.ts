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

/** Weighs every page of a running shop as nginx sends it, and has Lighthouse look at one of each kind. */
export async function benchPages(): Promise<Findings> {
  const baseUrl = await startOwnShop();
  const pages = await step("pages", () => readPages(baseUrl));
  return { rows: [...(await weighPages(pages, baseUrl)), ...(await scorePages(pages))] };
}

/** The only pages with something to do in the browser. */
const WITH_SCRIPT: readonly PageKind[] = ["category", "compare", "search"];

interface Weighed extends PageWeight {
  url: string;
  /** The page in its other face. */
  markdown: number;
}

/** Weighs each page once: bytes are the same in every round. The page for what is not found is one more. */
function weighPages(pages: readonly Page[], baseUrl: string): Promise<Row[]> {
  return step("weights", async () => {
    const weighed: Weighed[] = [];
    for (const url of [...pages.map((page) => page.url), `${baseUrl}/nowhere`]) {
      const { bytes } = await receive(url, "text/markdown");
      weighed.push({ url, markdown: bytes, ...(await weighPage(url)) });
    }
    return { said: `${weighed.length} pages`, value: [firstFlight(weighed), ...scripts(weighed), faces(weighed)] };
  });
}

function firstFlight(weighed: readonly Weighed[]): Row {
  const ordered = weighed
    .map((page) => ({ ...page, bytes: page.html + page.styles }))
    .sort((a, b) => a.bytes - b.bytes);
  const [lightest, heaviest] = [ordered[0], ordered.at(-1)];
  const middle = median(ordered.map(({ bytes }) => bytes));
  const note = [
    `${pathOf(heaviest)}. In KB of 1,024 bytes, by Brotli, with the headers of both answers.`,
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
    row(
      "deferred script of a category, comparison or search",
      "B",
      most(weighed.filter(hasScript)),
      weightBudget.scriptBytes,
    ),
    row("scripts of any other page", "B", most(weighed.filter((page) => !hasScript(page))), 0),
  ];
}

/** Every page is a round. */
function faces(weighed: readonly Weighed[]): Row {
  const inKilobytes = (bytes: readonly number[]) => bytes.map((each) => each / 1024);
  return {
    what: "Markdown of every page",
    unit: "KB",
    ours: { name: "Markdown", values: inKilobytes(weighed.map(({ markdown }) => markdown)) },
    theirs: { name: "HTML without CSS", values: inKilobytes(weighed.map(({ html }) => html)) },
    note: "Answers with their headers, by Brotli; the spread is over the pages. What they cost in tokens is graded: npm run grade.",
  };
}

const inKb = (bytes = Number.NaN) => `${(bytes / 1024).toFixed(1)} KB`;
const pathOf = (page?: Weighed) => (page ? new URL(page.url).pathname : "");

/** Design.md §7 has these four; `npm run grade` has agents', too, and says what costs points. */
const JUDGED = ["performance", "accessibility", "best-practices", "seo"] as const satisfies readonly Category[];

/** One look of Lighthouse at a page. */
interface Look {
  scores: Record<(typeof JUDGED)[number], number>;
  /** What Lighthouse found the machine to be able to, just then: speed depends on it. */
  benchmarkIndex: number;
}

/** Has Lighthouse look at the longest page of each kind as on a phone, all kinds in each round. */
async function scorePages(pages: readonly Page[]): Promise<Row[]> {
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

async function lookAtEach(pages: readonly Page[], port: number): Promise<{ said: string; value: Look[] }> {
  const looks: Look[] = [];
  for (const { url } of pages) {
    const result = await runLighthouse(url, port);
    const scores = Object.fromEntries(JUDGED.map((id) => [id, scoreOf(result, id)])) as Look["scores"];
    looks.push({ scores, benchmarkIndex: result.environment.benchmarkIndex });
  }
  return { said: looks.map(lowest).join(" "), value: looks };
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
    note: `${pathname}: ${medians.join(", ")}; the lowest of each round is figuresOf. Lighthouse's index of the machine: ${index}.`,
  };
}
