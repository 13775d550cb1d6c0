import { type ConfigData, HtmlValidate, StaticConfigLoader } from "html-validate";
import type { Grade } from "./grades.ts";
import type { Page } from "./pages.ts";

const RULES: ConfigData = {
  root: true,
  extends: ["html-validate:recommended"],
  rules: {
    // HTML lets an id begin with a digit, as that of a numbered heading does.
    "valid-id": ["error", { relaxed: true }],
    // A number that is copied should bring along no characters that a telephone doesn't know.
    "tel-non-breaking": "off",
  },
};

/** Has html-validate read the HTML of every page. */
export async function gradeHtml(pages: Page[]): Promise<{ said: string; value: Grade[] }> {
  const validator = new HtmlValidate(new StaticConfigLoader(RULES));
  const problems = [];
  for (const { url, html } of pages) {
    const { results } = await validator.validateString(html, url);
    for (const { ruleId, message } of results.flatMap(({ messages }) => messages)) {
      problems.push({ what: `${ruleId}: ${message}`, url });
    }
  }
  const figures = `${pages.length} pages, ${problems.length} errors`;
  const grade = { grader: "HTML", subject: "html-validate", figures, bar: "0 errors", problems, notes: [] };
  return { said: figures, value: [grade] };
}
