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
  for (const content of [shops.demo, shops.second, shops.hebrew])
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
  expect(files["mails/order_link.text.liquid"]).toEqual(
    expect.stringMatching(
      /^See our terms \(https:\/\/till\.example\/terms\) & mail \(a@b\.example\)\.\n\n- one\n- two\n\n\{\{ 'order\.open' \| t \}\}:\n\{\{ link \}\}\n\n---\n/,
    ),
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

test.each([
  ["Hello {{ buyer_name }},", "Hello Ada Novák,", "Hello,"],
  ["Guten Tag **{{ buyer_name }}**,", "Guten Tag Ada Novák,", "Guten Tag,"],
  ["Hello\n{{buyer_name}}!", "Hello Ada Novák!", "Hello!"],
  ["*Hello* _{{ buyer_name }}_,", "Hello Ada Novák,", "Hello,"],
  ["Thank you, {{ buyer_name }}!", "Thank you, Ada Novák!", "Thank you!"],
  ["**Thank you, {{ buyer_name }}**", "Thank you, Ada Novák", "Thank you"],
  ["Thank you, *{{ buyer_name }}*, and hello.", "Thank you, Ada Novák, and hello.", "Thank you, and hello."],
  ["Today, {{ buyer_name }} may pay.", "Today, Ada Novák may pay.", "Today, may pay."],
  ["***{{ buyer_name }}***, thank you.", "Ada Novák, thank you.", "thank you."],
  ["**Hello {{ buyer_name }}**, here it is.", "Hello Ada Novák, here it is.", "Hello, here it is."],
  ["{{ buyer_name }}, thank you.", "Ada Novák, thank you.", "thank you."],
  ["**{{ buyer_name }}**: thank you.", "Ada Novák: thank you.", "thank you."],
])("%j without a name reads well", (text, named, nameless) => {
  const files = build({ "order_link.md": `---\nsubject: "{{ buyer_name }}: your link"\n---\n${text}\n\n{{ link }}\n` });
  const liquid = makeLiquid(new Map(), words);
  const [first = ""] = (files["mails/order_link.text.liquid"] ?? "").split("\n\n");
  const html = /<p>(.*?)<\/p>/s.exec(files["mails/order_link.html.liquid"] ?? "")?.[1] ?? "";
  for (const [name, greeting] of [
    ["Ada Novák", named],
    ["", nameless],
  ] as const) {
    const render = (template = "") => liquid.parseAndRenderSync(template, { buyer: { name } });
    expect(render(first)).toBe(greeting);
    expect(render(html).match(/<(?:strong|em)>/g)?.length).toBe(render(html).match(/<\/(?:strong|em)>/g)?.length);
    expect(
      render(html)
        .replaceAll(/<[^>]+>/g, "")
        .replaceAll("\n", " "),
    ).toBe(greeting);
    expect(render(files["mails/order_link.subject.liquid"])).toBe(name ? "Ada Novák: your link" : "your link");
  }
});

test("each mail to a customer ends with the company's particulars, whatever editors write, and none to the shop", () => {
  for (const [file, text] of Object.entries(build({})).filter(([file]) => !file.includes(".subject.")))
    for (const variable of ["seller.address.lines", "seller.registration", "seller.vat_id", "seller.email"])
      expect([file, variable, text.lastIndexOf(variable) > text.lastIndexOf("{{ link }}")]).toEqual([
        ...[file, variable, !file.startsWith("mails/shop_")],
      ]);
});

test("a mail that the shop hasn't written is the standard one in its language and spelling, in English without one", () => {
  const subject = (locale: string) => mailFiles(shops.hostile, { ...shop, locale })["mails/sent.subject.liquid"];
  expect(subject("en-GB")).toBe("Goods from your order {{ number }} are on their way");
  expect(subject("de-DE")).toBe("Ware aus Ihrer Bestellung {{ number }} ist unterwegs");
  expect(subject("sv-SE")).toBe(subject("en-GB"));
  expect(JSON.stringify(mailFiles(shops.hostile, { ...shop, locale: "de-CH" }))).not.toContain("ß");
  const own = build({ "sent.md": "---\nsubject: Sent\n---\n{{ link }}\n", "cancelled.md": null });
  expect(own["mails/sent.subject.liquid"]).toBe("Sent");
  expect(own["mails/cancelled.subject.liquid"]).toBe("Your order {{ number }} is cancelled");
});

test("a mail of a shop whose language is written from right to left runs as it does, with left and right in each other's place", () => {
  const build = (locale: string) =>
    mailFiles(shops.hebrew, { ...shop, locale })["mails/order_received.html.liquid"] ?? "";
  const [hebrew, english] = [build("he-IL"), build("en-GB")];
  expect(hebrew).toMatch(
    /<html lang="he-IL" dir="rtl">[\s\S]*<body[^>]*>\s*<div dir="rtl" style="max-width:600px;margin:0 auto">/,
  );
  expect(english).toContain('<th scope="col" style="text-align:left;padding:8px 8px 8px 0;');
  expect(hebrew).toContain('<th scope="col" style="text-align:right;padding:8px 0 8px 8px;');
  expect(english).toContain('<html lang="en-GB">');
  expect(english).not.toContain("dir=");
});
