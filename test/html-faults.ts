import { HtmlValidate, type Message, StaticConfigLoader } from "html-validate";

const validator = new HtmlValidate(
  new StaticConfigLoader({
    root: true,
    extends: ["html-validate:recommended"],
    // An id may begin with a digit (HTML Living Standard, 3.2.6), as those of numbered headings do.
    rules: { "valid-id": ["error", { relaxed: true }] },
  }),
);

/** Returns the errors that html-validate finds in a page; `name` identifies the page in them. */
export async function findHtmlFaults(html: string, name: string): Promise<Message[]> {
  const { results } = await validator.validateString(html, name);
  return results.flatMap(({ messages }) => messages);
}
