import type { Question } from "../../content-schema/questions.ts";
import { renderAnswer } from "../shop/render-answer.ts";

/** The questions that a page shows, with their answers as plain text. */
export function faqJsonLd(questions: readonly Question[]): object {
  return {
    "@context": "https://schema.org",
    "@type": "FAQPage",
    mainEntity: questions.map(({ question, answer }) => ({
      "@type": "Question",
      name: question,
      acceptedAnswer: { "@type": "Answer", text: renderAnswer(answer).text },
    })),
  };
}
