import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import type { Grade } from "./grades.ts";
import { KINDS, type Page, type PageKind } from "./pages.ts";

/** Most tokens allowed for a page's Markdown. */
const MAX_TOKENS: Readonly<Partial<Record<PageKind, number>>> = { product: 2_500 };

/** Counts the tokens of both faces of each page in o200k_base, an encoding of OpenAI's models. */
export async function gradeTokens(pages: Page[]): Promise<{ summary: string; value: Grade[] }> {
  const counted = pages.map(({ url, kind, html, markdown }) => ({
    url,
    kind,
    markdown: count(markdown),
    html: count(html),
  }));
  const grades = KINDS.flatMap((kind) => {
    const ofKind = counted.filter((page) => page.kind === kind);
    return ofKind.length === 0 ? [] : [gradeKind(kind, ofKind)];
  });
  return { summary: `${number(sum(counted.map(({ markdown }) => markdown)))} in all of Markdown`, value: grades };
}

function gradeKind(kind: PageKind, pages: readonly { url: string; markdown: number; html: number }[]): Grade {
  const most = MAX_TOKENS[kind];
  const markdown = pages.map((page) => page.markdown).sort((one, other) => one - other);
  const html = pages.map((page) => page.html).sort((one, other) => one - other);
  const ratio = sum(html) / sum(markdown);
  return {
    grader: "tokens",
    subject: kind,
    figures: [
      `${number(pages.length).padStart(4)} ${pages.length === 1 ? "page, " : "pages,"}`,
      `Markdown ${number(median(markdown)).padStart(6)}, most ${number(markdown.at(-1) ?? 0).padStart(6)},`,
      `HTML ${number(median(html)).padStart(6)}, ${ratio.toFixed(1)} ×`,
    ].join(" "),
    bar: most ? `≤ ${number(most)}` : "",
    problems: pages
      .filter((page) => most && page.markdown > most)
      .map(({ url, markdown }) => ({ what: `${number(markdown)} tokens of Markdown`, url })),
    notes: [],
  };
}

/** Counts text that looks like a control token as text. */
const count = (text: string) => countTokens(text, { disallowedSpecial: new Set() });
const number = (value: number) => value.toLocaleString("en-GB");
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const median = (sorted: readonly number[]) => {
  const middle = (sorted.length - 1) / 2;
  return Math.round(((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2);
};
