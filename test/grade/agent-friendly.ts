import { type CheckResult, runChecks } from "afdocs";
import type { Finding, Grade } from "./grades.ts";
import type { Page } from "./pages.ts";

const MISSED = ["fail", "warn", "error"];

/** afdocs waits 200 ms before each request and follows 50 links, out of courtesy to strangers. */
const WHOLE_SITE = { requestDelay: 0, maxLinksToTest: 2_000 };

/**
 * Has afdocs check the shop against the Agent-Friendly Documentation Spec, all pages of it instead of a sample. They are
 * named to it, for it takes every link of llms.txt for a page, and products.json and openapi.json are none.
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

/** A check that missed, with the pages at fault where it names them: its details have a list of results by page. */
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
