import { isSeq } from "yaml";
import { questionIds, questionsId } from "../content-schema/questions.ts";
import { type Body, parseBody } from "./body.ts";
import { findBodyProblems, type Shop } from "./body-problems.ts";
import type { CheckedPage } from "./duplicates.ts";
import { locate } from "./front-matter.ts";
import type { Problem } from "./problem.ts";
import { isSurelyRight } from "./quick-look.ts";

/** What is wrong in the answers to a page's questions: Markdown, with links like those of its text. `path` is the page's own. */
export function findAnswerProblems(checked: CheckedPage, path: string, shop: Shop): Problem[] {
  return readAnswers(checked).flatMap(({ line, text }) => {
    if (!heading.test(text) && isSurelyRight(text, path, shop.targets)) return [];
    const body = parseBody(text, false, line);
    const at = { file: checked.page.file, line };
    const misplaced = forbidden.flatMap(({ part, message }) => (body[part].length > 0 ? [{ ...at, message }] : []));
    // A block of text begins on the line after its key's, or on the next one: the key is where an editor looks.
    const others = findBodyProblems(checked.page, path, { ...body, headings: [], pictures: [], html: [] }, shop);
    return [...misplaced, ...others.map((problem) => ({ ...problem, ...at }))];
  });
}

// What begins with a #, or is underlined.
const heading = /^\s*(#|[-=]+\s*$)/m;

/** Headings of a page's text that would have the address of its questions, of which each page has one. */
export function findHeadingClashes(checked: CheckedPage, { headings }: Body): Problem[] {
  const taken = questionAnchors(checked);
  return headings.flatMap(({ id, line, text }) => {
    const message = `The heading “${text}” has the address #${id}, which the page's \`questions\` have. Use other words.`;
    return taken.includes(id) ? [{ file: checked.page.file, line, message }] : [];
  });
}

/** The ids of the headings that a page's questions make. */
export function questionAnchors(checked: CheckedPage): string[] {
  const asked = questionIds(readQuestions(checked));
  return asked.length > 0 ? [questionsId, ...asked] : [];
}

const forbidden = [
  { part: "headings", message: "An answer has no headings. Write a second question instead." },
  { part: "pictures", message: "An answer has no pictures. Put them into the text below." },
  { part: "footnotes", message: "An answer has no footnotes. Write what they say into the answer." },
  // Search engines and agents get answers as plain text.
  { part: "html", message: "An answer has no HTML, not even what a text may have, such as <br>. Write Markdown." },
] as const;

/** The questions of a page, as far as they are text. */
function readQuestions({ yaml }: CheckedPage): { question: string }[] {
  if (yaml === undefined) return [];
  const { node } = locate(yaml, ["questions"]);
  if (!isSeq(node)) return [];
  return node.items.map((_, index) => ({ question: String(yaml.document.getIn(["questions", index, "question"])) }));
}

function readAnswers(checked: CheckedPage): { line: number; text: string }[] {
  const { yaml } = checked;
  if (yaml === undefined) return [];
  return readQuestions(checked).flatMap((_, index) => {
    const path = ["questions", index, "answer"];
    const text: unknown = yaml.document.getIn(path);
    const { line } = locate(yaml, path);
    return typeof text === "string" ? [{ line, text }] : [];
  });
}
