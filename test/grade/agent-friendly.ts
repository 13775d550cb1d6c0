import { type CheckResult, runChecks } from "afdocs";
import type { Finding, Grade } from "./grades.ts";
import type { Page } from "./pages.ts";

const MISSED = ["fail", "warn", "error"];

/** By default afdocs waits 200 ms before each request and follows 50 links, as is polite on other sites. */
const WHOLE_SITE = { requestDelay: 0, maxLinksToTest: 2_000 };

/**
 * Runs afdocs on all pages, against the Agent-Friendly Documentation Spec. The pages are passed to it because it takes
 * every link of llms.txt for a page, products.json and openapi.json included.
 */
export async function gradeForAgents(pages: Page[], baseUrl: string): Promise<{ summary: string; value: Grade[] }> {
  const { results, summary } = await runChecks(baseUrl, {
    ...WHOLE_SITE,
    samplingStrategy: "curated",
    curatedPages: pages.map(({ url }) => url),
  });
  const { pass, warn, fail, error, skip } = summary;
  const figures = `${pass} pass, ${warn} warn, ${fail + error} fail, ${skip} not applicable`;
  const problems = results.filter(({ status }) => MISSED.includes(status)).flatMap(toFindings);
  return {
    summary: figures,
    value: [{ grader: "afdocs", subject: "agent-friendly", figures, bar: "0 fail, 0 warn", problems, notes: [] }],
  };
}

/** A missed check as findings, one for each page that its details name. */
function toFindings({ id, status, message, details }: CheckResult): Finding[] {
  const what = `${status} ${id}: ${message}`;
  const atFault = Object.values(details ?? {})
    .flat()
    .flatMap((result) => (isAtFault(result) ? result.url : []));
  return atFault.length === 0 ? [{ what }] : atFault.map((url) => ({ what, url }));
}

function isAtFault(result: unknown): result is { url: string } {
  if (typeof result !== "object" || result === null || !("url" in result) || typeof result.url !== "string")
    return false;
  if ("status" in result && MISSED.includes(String(result.status))) return true;
  return ["found", "supported"].some((key) => (result as Record<string, unknown>)[key] === false);
}
