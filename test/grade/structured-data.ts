import type { Grade } from "./grades.ts";
import { readJsonLd, typesOf } from "./json-ld.ts";
import { checkJsonLd, type JsonLdCheck } from "./json-ld-check.ts";
import type { Page } from "./pages.ts";
import { readVocabulary, type Vocabulary } from "./vocabulary.ts";

interface CheckedThing extends JsonLdCheck {
  /** The type of the thing itself; what is nested in it counts as its own. */
  type: string;
  url: string;
}

/** Holds the JSON-LD of every page against schema.org's vocabulary and Google's rules for merchant listings. */
export async function gradeStructuredData(pages: Page[]): Promise<{ summary: string; value: Grade[] }> {
  const vocabulary = readVocabulary();
  const checked: CheckedThing[] = [];
  for (const page of pages) checked.push(...(await checkPage(page, vocabulary)));
  const byType = [...Map.groupBy(checked, ({ type }) => type)].sort(([one], [other]) => one.localeCompare(other));
  return {
    summary: byType.map(([type, things]) => `${type} ${things.length}`).join(", "),
    value: byType.map(([type, things]) => gradeType(type, things)),
  };
}

async function checkPage({ url, kind, html }: Page, vocabulary: Vocabulary): Promise<CheckedThing[]> {
  const roots = readJsonLd(html);
  const checked: CheckedThing[] = [];
  for (const root of roots) {
    checked.push({ type: typesOf(root).join(" ") || "no type", url, ...(await checkJsonLd(root, vocabulary)) });
  }
  if (kind === "product" && !checked.some(({ type }) => type === "Product"))
    checked.push({ type: "Product", url, problems: ["none on the page of a product"], missing: [] });
  return checked;
}

function gradeType(subject: string, things: readonly CheckedThing[]): Grade {
  const problems = things.flatMap(({ url, problems }) => problems.map((what) => ({ what, url })));
  const missing = Map.groupBy(
    things.flatMap(({ missing }) => missing),
    (property) => property,
  );
  const counts = [...missing].map(([property, { length }]) =>
    length === things.length ? property : `${property} ${length} ×`,
  );
  return {
    grader: "JSON-LD",
    subject,
    figures: `${String(things.length).padStart(4)} on ${pages(things)}, ${problems.length} errors`,
    bar: "0 errors",
    problems,
    notes: counts.length === 0 ? [] : [{ what: `recommended, and missing: ${counts.join(", ")}` }],
  };
}

const pages = (things: readonly CheckedThing[]) => {
  const { size } = new Set(things.map(({ url }) => url));
  return size === 1 ? "1 page" : `${size} pages`;
};
