import { step } from "../../../nginx/local/report.ts";
import { kindOf, type PageKind } from "../../grade/page-kinds.ts";
import type { Page } from "../../grade/pages.ts";
import { type PageWeight, receive, weighPage } from "../../page-weight.ts";
import { weightBudget } from "../../weight-budget.ts";
import { median, type Row } from "../row.ts";

/** The only pages with something to do in the browser. */
const WITH_SCRIPT: readonly PageKind[] = ["category", "compare", "search"];

interface Weighed extends PageWeight {
  url: string;
  /** The page in its other face. */
  markdown: number;
}

/** Weighs each page once: bytes are the same in every round. The page for what is not found is one more. */
export function weighPages(pages: readonly Page[], baseUrl: string): Promise<Row[]> {
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
