import { expect, test } from "vitest";
import { kestrel, type Mistake, problemsAfter, problemsWith } from "./content-problems.ts";
import { validContent } from "./content-tree.ts";

const questionWith = (answer: string) => `questions:\n  - question: Does it read?\n    answer: ${answer}\nupdated:`;

const mistakes: Mistake[] = [
  [
    "a broken link in an answer",
    kestrel,
    "updated:",
    questionWith('"[Yes](/products/ospry)."'),
    `content/${kestrel}:17: No page \`/products/ospry\`. Did you mean \`/products/osprey\`?`,
  ],
  [
    "a heading in an answer",
    "pages/about.md",
    "updated:",
    questionWith('"## Yes"'),
    "content/pages/about.md:6: An answer can't have headings. Write a second question instead.",
  ],
  [
    "HTML in an answer",
    kestrel,
    "updated:",
    questionWith('"<div>Yes</div>"'),
    `content/${kestrel}:17: An answer can't have HTML, not even <br>. Use Markdown.`,
  ],
  [
    "HTML in an answer that is allowed in a text",
    kestrel,
    "updated:",
    questionWith('"H<sub>2</sub>O and a<br>b and <kbd>F1</kbd>"'),
    `content/${kestrel}:17: An answer can't have HTML, not even <br>. Use Markdown.`,
  ],
  [
    "a footnote in an answer",
    "pages/about.md",
    "updated:",
    questionWith('"Yes.[^1]\\n\\n[^1]: Nearly always."'),
    "content/pages/about.md:6: An answer can't have footnotes. Put their text in the answer.",
  ],
  [
    "a heading with the address of the questions",
    "pages/about.md",
    "updated: 2026-10-01\n---\n",
    `${questionWith("Yes.")} 2026-10-01\n---\n## Questions and answers\n`,
    "content/pages/about.md:9: The heading “Questions and answers” has the same address, #questions-and-answers, as the page's `questions`. Reword it.",
  ],
  [
    "a heading with the address of a question, in a product",
    kestrel,
    "updated: 2026-10-02\n---\n",
    `${questionWith("Yes.")} 2026-10-02\n---\n## Q: Does it read?\n`,
    `content/${kestrel}:20: The heading “Q: Does it read?” has the same address, #q-does-it-read, as the page's \`questions\`. Reword it.`,
  ],
  [
    "a question without an answer",
    kestrel,
    "updated:",
    questionWith(""),
    `content/${kestrel}:17: question 1, answer is empty. Write, for example, \`answer: Yes, from any angle.\`.`,
  ],
  [
    "a link to a missing question",
    "pages/returns.md",
    "Send it back.",
    "See [this](/about#q-does-it-red).",
    "content/pages/returns.md:7: The page `/about` has no heading `#q-does-it-red`.",
  ],
];

test.each(mistakes)(
  "%s is reported with its file, its line and what to write",
  async (_what, file, text, replacement, problem) => {
    expect(await problemsAfter(file, text, replacement)).toEqual([problem]);
  },
);

test("a page without questions may have a heading called Questions and answers", async () => {
  expect(await problemsAfter("pages/about.md", "We test.", "## Questions and answers\n\nWe test.")).toEqual([]);
});

test("a link may lead to a question on another page", async () => {
  const about = validContent["pages/about.md"]?.replace("updated:", questionWith("Yes.")) ?? "";
  const returns =
    validContent["pages/returns.md"]?.replace("Send it back.", "See [this](/about#q-does-it-read).") ?? "";
  expect(await problemsWith({ "pages/about.md": about, "pages/returns.md": returns })).toEqual([]);
});
