import { expect, test } from "vitest";
import { renderAnswer } from "../../../site/src/shop/render-answer.ts";

test.each([
  ["a line break", "one  \ntwo\\\n**three\\\nfour**", "one\ntwo\nthree\nfour"],
  ["paragraphs and lists", "one\n\n- two\n- three", "one\n\ntwo\n\nthree"],
  ["a table", "| a | b |\n| - | - |\n| c | d |", "a\n\nb\n\nc\n\nd"],
  ["Markdown characters", "*a* `b` [c](/d) \\<e> &lt;f>", "a b c <e> <f>"],
])("the plain text of an answer keeps words apart at %s", (_what, answer, text) => {
  expect(renderAnswer(answer).text).toBe(text);
});

test("the HTML of an answer keeps its line breaks", () => {
  expect(renderAnswer("one\\\ntwo").html).toBe("<p>one<br>\ntwo</p>");
});
