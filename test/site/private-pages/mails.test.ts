import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findMissing } from "../../../api/platform/private-pages/page.ts";
import { CaseMailView } from "../../../api/selling/mail/case-mail.ts";
import { MailView } from "../../../api/selling/mail/render.ts";
import { checkTemplate, makeLiquid } from "../../../site/private-pages/liquid.ts";
import { mailFiles } from "../../../site/private-pages/mails.ts";
import words from "../../../site/words/en/private-pages.ts";
import { shops } from "../../workspace.ts";

const shop = { base_url: "https://till.example", locale: "en-GB" };

/** The demo shop's mails with changed files. */
function build(changes: Record<string, string | null>, notice?: string) {
  const content = mkdtempSync(join(tmpdir(), "twinfront-mails-"));
  onTestFinished(() => rmSync(content, { recursive: true }));
  cpSync(join(shops.demo, "mails"), join(content, "mails"), { recursive: true });
  for (const [name, text] of Object.entries(changes))
    if (text === null) rmSync(join(content, "mails", name));
    else writeFileSync(join(content, "mails", name), text);
  return mailFiles(content, { ...shop, notice });
}

test("every variable of every mail is in the API's view of an order, or of a case", () => {
  for (const content of [shops.demo, shops.second])
    for (const [file, text] of Object.entries(mailFiles(content, shop))) {
      const { variables, problems } = checkTemplate({ file, text }, makeLiquid(new Map(), words), new Map(), words);
      const view = file.startsWith("mails/shop_case.") ? CaseMailView : MailView;
      expect([file, problems, findMissing(view, variables)]).toEqual([file, [], []]);
    }
});

test("a mail's Markdown becomes text as people write it, and HTML; links get the shop's address", () => {
  const files = build({
    "order_link.md":
      "---\nsubject: Hi {{ order_number }}\n---\nSee **our** [terms](/terms) & [mail](mailto:a@b.example).\n\n- one\n- two\n\n{{ link }}\n",
  });
  expect(files["mails/order_link.subject.liquid"]).toBe("Hi {{ number }}");
  expect(files["mails/order_link.text.liquid"]).toBe(
    "See our terms (https://till.example/terms) & mail (a@b.example).\n\n- one\n- two\n\n{{ 'order.open' | t }}:\n{{ link }}",
  );
  const html = files["mails/order_link.html.liquid"];
  expect(html).toContain('<p>See <strong>our</strong> <a href="https://till.example/terms">terms</a> &#x26;');
  expect(html).not.toContain("<p><p>");
  expect(html).toContain('<html lang="en-GB">');
});

test("a mail ends with the shop's notice", () => {
  const files = build({}, "Nothing is <really> sold.");
  for (const kind of ["order_received", "shop_new_order"]) {
    expect(files[`mails/${kind}.text.liquid`]).toMatch(/\n\nNothing is <really> sold\.$/);
    expect(files[`mails/${kind}.html.liquid`]).toMatch(/<p>Nothing is &#x3C;really> sold\.<\/p>\s*<\/div>\s*<\/body>/);
  }
});

test("a missing mail stops the build with its file's name, and a shop without mails has none", () => {
  expect(() => build({ "cancelled.md": null })).toThrow("content/mails/cancelled.md:1: The mail is missing.");
  expect(mailFiles(shops.hostile, shop)).toEqual({});
});
