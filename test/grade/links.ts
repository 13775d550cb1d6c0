import type { Finding, Grade } from "./grades.ts";
import { type Element, readElements } from "./html-elements.ts";
import type { Page } from "./pages.ts";

/** An address's status, and the ids that anchors can point to. */
interface LinkedPage {
  status: number;
  ids: ReadonlySet<string>;
}

/** Follows every link, anchor and resource within the shop, on every page. */
export async function gradeLinks(pages: Page[], baseUrl: string): Promise<{ summary: string; value: Grade[] }> {
  const linkedPages = new Map<string, LinkedPage>();
  const problems: Finding[] = [];
  let count = 0;
  for (const { url, html } of pages) {
    for (const link of new Set(readElements(html).flatMap(linksOf))) {
      const address = URL.parse(link, url);
      if (address?.origin !== baseUrl) {
        if (!address) problems.push({ what: `not a valid address: ${link}`, url });
        continue;
      }
      count += 1;
      const page = address.href.split("#")[0] ?? "";
      const linkedPage = linkedPages.get(page) ?? (await readLinkedPage(page));
      linkedPages.set(page, linkedPage);
      const what = explain(linkedPage, address.hash);
      if (what) problems.push({ what: `${link} ${what}`, url });
    }
  }
  const figures = `${count} to ${linkedPages.size} addresses, ${problems.length} broken`;
  const grade = { grader: "links", subject: "HTML", figures, bar: "0 broken, 0 redirected", problems, notes: [] };
  return { summary: figures, value: [grade] };
}

function linksOf({ attributes }: Element): string[] {
  const sources = (attributes.get("srcset") ?? "").split(",").map((source) => source.trim().split(/\s+/)[0] ?? "");
  // Only a form that is sent with GET leads to a page that can be read.
  const names = ["href", "src", "data", "poster", ...(attributes.get("method") === "post" ? [] : ["action"])];
  const addresses = names.map((name) => attributes.get(name));
  return [...addresses, ...sources.filter(Boolean)].filter((link) => link !== undefined);
}

async function readLinkedPage(url: string): Promise<LinkedPage> {
  const answer = await fetch(url, { headers: { accept: "text/html,*/*;q=0.8" }, redirect: "manual" });
  const body = await answer.text();
  const isHtml = answer.headers.get("content-type")?.startsWith("text/html");
  const ids = isHtml ? readElements(body).flatMap(({ attributes }) => attributes.get("id") ?? []) : [];
  return { status: answer.status, ids: new Set(ids) };
}

function explain({ status, ids }: LinkedPage, hash: string): string | undefined {
  if (status !== 200) return `answers ${status}`;
  const anchor = decodeURIComponent(hash.slice(1));
  return anchor && !ids.has(anchor) ? "leads to a missing anchor" : undefined;
}
