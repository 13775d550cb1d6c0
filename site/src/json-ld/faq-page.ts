import type { Question } from "../../content-schema/questions.ts";
import { renderAnswer } from "../shop/render-answer.ts";

/** A page's questions and answers as a FAQPage, in plain text. */
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
