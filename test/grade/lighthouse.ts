import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import lighthouse, { type Result } from "lighthouse";
import { killChildren, startChild, waitUntilReady } from "../../nginx/local/child-process.ts";
import { findFreePort } from "../../nginx/local/ports.ts";
import { step } from "../../nginx/local/report.ts";
import { CHROMIUM, ensureSystemPackages } from "../../nginx/local/system-packages.ts";
import { addCleanup } from "../cleanup.ts";
import type { Finding, Grade } from "./grades.ts";
import { KINDS, type Page } from "./pages.ts";

/** Lighthouse's categories and their names in the table. */
export const CATEGORIES = {
  performance: "speed",
  accessibility: "access",
  "best-practices": "practices",
  seo: "search",
  "agentic-browsing": "agents",
} as const;

export type Category = keyof typeof CATEGORIES;

const IDS = Object.keys(CATEGORIES) as Category[];
const RUNS = 3;

/** Runs Lighthouse for mobile three times on the longest page of each kind; the median of each score counts. */
export async function gradeWithLighthouse(pages: Page[]): Promise<{ summary: string; value: Grade[] }> {
  const port = await startBrowser();
  const grades: Grade[] = [];
  for (const page of longestOfEachKind(pages)) grades.push(await step(page.kind, () => gradePage(page, port)));
  return { summary: `${RUNS} runs of ${grades.length} pages`, value: grades };
}

/** The page of each kind with the most HTML, in the order of the kinds. */
export function longestOfEachKind(pages: readonly Page[]): Page[] {
  return KINDS.flatMap((kind) => {
    const ofKind = pages.filter((page) => page.kind === kind);
    return ofKind.sort((one, other) => other.html.length - one.html.length).slice(0, 1);
  });
}

async function gradePage({ url, kind }: Page, port: number): Promise<{ summary: string; value: Grade }> {
  const results: Result[] = [];
  for (let run = 0; run < RUNS; run++) results.push(await runLighthouse(url, port));
  const scores = IDS.map((id) => ({ id, score: medianScore(results, id) }));
  const problems = scores
    .filter(({ score }) => score < 100)
    .flatMap(({ id, score }) => explain(results, id, score, url));
  const figures = scores.map(({ id, score }) => `${CATEGORIES[id]} ${String(score).padStart(3)}`).join("  ");
  return {
    summary: scores.map(({ score }) => score).join(" "),
    value: { grader: "Lighthouse", subject: kind, figures, bar: "100 each", problems, notes: [] },
  };
}

/** Runs Lighthouse once. Throws if the page couldn't be loaded, for which Lighthouse also returns a report. */
export async function runLighthouse(url: string, port: number): Promise<Result> {
  const result = (await lighthouse(url, { port, logLevel: "error", onlyCategories: IDS }))?.lhr;
  if (!result || result.runtimeError) throw new Error(`${url}: ${result?.runtimeError?.message ?? "no result"}`);
  return result;
}

/** A category's score, from 0 to 100. */
export const scoreOf = ({ categories }: Result, id: Category): number => Math.round((categories[id]?.score ?? 0) * 100);

function medianScore(results: readonly Result[], id: Category): number {
  const scores = results.map((result) => scoreOf(result, id));
  return scores.sort((one, other) => one - other)[Math.floor(scores.length / 2)] ?? 0;
}

/** The audits that lost points in any run. */
function explain(results: readonly Result[], id: Category, score: number, url: string): Finding[] {
  const costly = results.flatMap(({ categories, audits }) =>
    (categories[id]?.auditRefs ?? [])
      .filter(({ weight }) => weight > 0)
      .flatMap((reference) => audits[reference.id] ?? [])
      .filter((audit) => audit.score !== null && audit.score < 1)
      .map((audit) => audit.title),
  );
  const reasons = [...new Set(costly)].join("; ") || "Lighthouse names no audit";
  // Only speed depends on the machine's load.
  const load =
    id === "performance"
      ? `; the machine's load was ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores`
      : "";
  return [{ what: `${CATEGORIES[id]} ${score}: ${reasons}${load}`, url }];
}

const FLAGS = [
  // Chromium's sandbox doesn't work as root; only our own pages are opened.
  "--no-sandbox",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-extensions",
  "--disable-sync",
  "--no-first-run",
];

/** Starts Debian's Chromium with an empty profile. Returns its DevTools port. It ends with the graders. */
export async function startBrowser(): Promise<number> {
  ensureSystemPackages([CHROMIUM]);
  const folder = mkdtempSync(join(tmpdir(), "twinfront-chromium-"));
  // With retries, because Chromium may still be writing its profile.
  addCleanup(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  addCleanup(killChildren);
  const port = await findFreePort();
  const logFile = join(folder, "log");
  const browser = startChild({
    name: "Chromium",
    program: CHROMIUM,
    args: [...FLAGS, `--user-data-dir=${folder}`, `--remote-debugging-port=${port}`, "about:blank"],
    logFile,
  });
  await waitUntilReady(browser, logFile, () =>
    fetch(`http://127.0.0.1:${port}/json/version`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return port;
}
