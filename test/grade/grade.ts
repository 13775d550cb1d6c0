// `npm run grade [-- URL]`: runs other people's graders on a shop, and prints their results in one table.
import { step } from "../../nginx/local/report.ts";
import { cleanUpOnSignals, runCleanups } from "../cleanup.ts";
import { gradeForAgents } from "./agent-friendly.ts";
import { formatGrades, type Grade, hasMissed } from "./grades.ts";
import { gradeHtml } from "./html-validity.ts";
import { gradeWithLighthouse } from "./lighthouse.ts";
import { gradeLinks } from "./links.ts";
import { startOwnShop } from "./own-shop.ts";
import { type Page, readPages } from "./pages.ts";
import { gradeStructuredData } from "./structured-data.ts";
import { gradeTokens } from "./tokens.ts";

const signalExitCode = cleanUpOnSignals();

type Grader = (pages: Page[], baseUrl: string) => Promise<{ summary: string; value: Grade[] }>;

/** In the order of the table; the slowest is last. */
const GRADERS: Readonly<Record<string, Grader>> = {
  "JSON-LD": gradeStructuredData,
  tokens: gradeTokens,
  HTML: gradeHtml,
  links: gradeLinks,
  afdocs: gradeForAgents,
  Lighthouse: gradeWithLighthouse,
};

/** Runs a grader. One that fails counts as a missed bar; the others still run. */
async function runGrader(name: string, grader: Grader, pages: Page[], baseUrl: string): Promise<Grade[]> {
  try {
    return await step(name, () => grader(pages, baseUrl));
  } catch (error) {
    if (signalExitCode() !== undefined) return [];
    const what = error instanceof Error ? error.message : String(error);
    console.error(`  ${name.padEnd(10)} failed: ${what}`);
    return [{ grader: name, subject: "", figures: "failed", bar: "", problems: [{ what }], notes: [] }];
  }
}

function readAddress(args: readonly string[]): string | undefined {
  const [address] = args;
  if (address === undefined) return undefined;
  if (args.length > 1 || !/^https?:\/\/[^/]+\/?$/.test(address) || !URL.canParse(address)) {
    throw new Error(
      `${args.join(" ")} isn't the base address of one shop.\n` +
        "Write, for example: npm run grade -- https://shop.example",
    );
  }
  return new URL(address).origin;
}

/** Returns whether every bar was met. */
async function gradeShop(): Promise<boolean> {
  const address = readAddress(process.argv.slice(2));
  console.log("\nGrades\n");
  const baseUrl = address ?? (await startOwnShop());
  const pages = await step("pages", () => readPages(baseUrl));
  const grades: Grade[] = [];
  for (const [name, grader] of Object.entries(GRADERS)) {
    if (signalExitCode() === undefined) grades.push(...(await runGrader(name, grader, pages, baseUrl)));
  }
  if (signalExitCode() === undefined) console.log(formatGrades(grades));
  return !grades.some(hasMissed);
}

let reached = false;
try {
  reached = await gradeShop();
} catch (error) {
  if (signalExitCode() === undefined) console.error(`\n${error instanceof Error ? error.message : error}\n`);
}
await runCleanups();
process.exit(signalExitCode() ?? (reached ? 0 : 1));
