import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MAIL_KINDS, type MailKind } from "../../../api/contract/mail-kinds.ts";
import { isCustomerMail } from "../../../api/selling/mail/queue.ts";
import { mailKinds } from "../../../site/content-schema/mail.ts";
import { problemsWith } from "./content-problems.ts";
import { mails, validContent } from "./content-tree.ts";

/** The problems of a shop with all mails after `text` in the first one is replaced. */
function problemsAfter(text: string, replacement: string): Promise<string[]> {
  const mail = mails["mails/order_received.md"] ?? "";
  expect(mail).toContain(text);
  return problemsWith({ ...mails, "mails/order_received.md": mail.replace(text, replacement) });
}

test("a shop may write all mails itself, or none", async () => {
  expect(await problemsWith(mails)).toEqual([]);
  expect(await problemsWith({})).toEqual([]);
});

test.each(["en", "de"])(
  "the standard mails in %s are complete, and as the check wants an editor's",
  async (language) => {
    const folder = join(import.meta.dirname, "../../../site/mails", language);
    const names = readdirSync(folder);
    expect(names.toSorted()).toEqual(MAIL_KINDS.map((kind) => `${kind}.md`).toSorted());
    const own = names.map((name) => [`mails/${name}`, readFileSync(join(folder, name), "utf8")]);
    expect(await problemsWith(Object.fromEntries(own))).toEqual([]);
  },
);

test("a shop that takes orders needs the terms that its last page leads to, and another doesn't", async () => {
  const payment = "payment: { transfer: { account_holder: A Ltd, due_days: 14 } }\n";
  const missing = expect.stringMatching(/^content\/pages\/terms\.md:1: The page is missing: whoever orders agrees/);
  const store = { "store.yaml": validContent["store.yaml"] + payment };
  expect(await problemsWith({ ...mails, ...store, "pages/terms.md": null })).toContainEqual(missing);
  expect(await problemsWith({ ...mails, ...store })).not.toContainEqual(missing);
  expect(await problemsWith({ "pages/terms.md": null })).toEqual([]);
});

test("a mail that the shop doesn't send is named", async () => {
  const { "mails/cancelled.md": cancelled = "", ...others } = mails;
  expect(await problemsWith({ ...others, "mails/canceled.md": cancelled })).toEqual([
    expect.stringMatching(/^content\/mails\/canceled\.md:1: The shop doesn't send .* Did you mean `cancelled\.md`\?/),
  ]);
});

test.each([
  [
    "{{ next_step }}",
    "{{ next_stp }}",
    /:6: `\{\{ next_stp \}\}` isn't known in this mail\. Did you mean `next_step`\? There are: /,
  ],
  ["{{ order_day }}", "{{ buyer }}", /:6: `\{\{ buyer \}\}` isn't known in this mail/],
  ["{{ order_day }}", "{{ order_day | upcase }}", /:6: `\{\{ order_day \| upcase \}\}` is code\. Write only names/],
  ["{{ order_day }}", "{% if x %}", /:6: `\{%` is code/],
  ["{{ lines }}", "Here: {{ lines }}", /:14: `\{\{ lines \}\}` must be on its own line/],
  ["{{ order_number }}\n---", "{{ link }}\n---", /:2: `\{\{ link \}\}` must be on its own line of the text/],
  ["{{ how_to_pay }}", "{{ addresses }}", /:8: `\{\{ addresses \}\}` must be below `\{\{ lines \}\}`/],
  // Nothing stands there before anything was sent.
  [
    "{{ how_to_pay }}",
    "{{ shipments }}\n\n{{ addresses }}",
    /:10: `\{\{ addresses \}\}` must be below `\{\{ lines \}\}`/,
  ],
  ["subject:", "subjct:", /:2: subjct isn't a known field\. Did you mean `subject`\?/],
  ["## Your order", "# Your order", /:12: A heading in a mail has two signs/],
  ["## Your order", "![x](./x.svg)", /:12: A mail can have text, headings, lists and links, and nothing else/],
  ["## Your order", "<b>x</b>", /:12: A mail can have text/],
  ["## Your order", "[x](javascript:alert)", /:12: A link in a mail starts with/],
])("instead of %j, %j in a mail is reported with its line", async (text, replacement, problem) => {
  const problems = await problemsAfter(text, replacement);
  expect(problems[0]).toMatch(problem);
  expect(problems[0]).toMatch(/^content\/mails\/order_received\.md/);
});

test("the API sends exactly the kinds of mails that editors write, those with a link to customers", () => {
  expect([...mailKinds.keys()].sort()).toEqual(MAIL_KINDS.toSorted());
  for (const [kind, { blocks }] of mailKinds)
    expect([kind, isCustomerMail(kind as MailKind)]).toEqual([kind, blocks.includes("link")]);
});
