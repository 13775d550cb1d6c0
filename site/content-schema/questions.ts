import { z } from "astro/zod";
import GithubSlugger from "github-slugger";
import { describeInput, editedAs, line, strict, text } from "./fields.ts";

const question = strict({
  question: line("question: Does it read codes on a telephone?"),
  /** Markdown: paragraphs, lists, links. */
  answer: editedAs(
    "paragraphs",
    text("answer: Yes, from any angle.").trim().min(1, "is empty. Write at least one sentence."),
  ),
});

/** Questions and answers at the end of a page. */
export const questions = z
  .array(question, {
    error: ({ input }) => `${describeInput(input, "a list")} Write \`- question: …\` and below it \`answer: …\`.`,
  })
  .min(1, "needs at least one question. Otherwise delete the line.")
  .optional();

export type Question = z.infer<typeof question>;

/** The id of the section that shows the questions. */
export const questionsId = "questions-and-answers";

/** The id of each question's heading, such as `q-does-it-read-codes`. The prefix avoids clashes with other headings. */
export function questionIds(asked: readonly Pick<Question, "question">[]): string[] {
  const slugger = new GithubSlugger();
  return asked.map(({ question }) => slugger.slug(`q ${question}`));
}
