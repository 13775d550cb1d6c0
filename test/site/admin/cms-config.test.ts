import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import formats from "ajv-formats";
import { expect, test } from "vitest";
import { MAIL_KINDS } from "../../../api/contract/mail-kinds.ts";
import { cmsConfig } from "../../../site/admin/cms/config.ts";
import { readHints } from "../../../site/admin/cms/hints.ts";
import { fieldsOf } from "../../../site/admin/forms/fields.ts";
import { html } from "../../../site/admin/frame/html.ts";
import { forRights, renderPage } from "../../../site/admin/frame/page.ts";
import { wordsFor } from "../../../site/admin/words.ts";
import { date, formerly, line, names, strict } from "../../../site/content-schema/fields.ts";
import { dayCount } from "../../../site/content-schema/payment.ts";
import { productSchema } from "../../../site/content-schema/product.ts";

const SCHEMA = join(import.meta.dirname, "../../../site/node_modules/@sveltia/cms/schema/sveltia-cms.json");
const categories = [{ slug: "scanners", title: "Scanners" }];

interface Shown {
  name: string;
  widget: string;
  fields?: Shown[];
  hint?: string;
  label: string;
}

const configIn = (locale: string): { collections: Collection[] } =>
  JSON.parse(JSON.stringify(cmsConfig({ words: wordsFor(locale), locale, categories, hints: readHints() })));

interface Collection {
  name?: string;
  fields?: Shown[];
  files?: { name: string; label: string; file: string; fields: (Shown & { default?: string })[] }[];
}

const collections = (locale: string) => configIn(locale).collections;

const fieldsIn = (name: string, locale = "en-GB") =>
  collections(locale).find((each) => each.name === name)?.fields ?? [];

test.each(["en-GB", "de-CH"])("the configuration in %s is what Sveltia's own schema allows", (locale) => {
  const ajv = new Ajv({ strict: false, allErrors: true, allowUnionTypes: true });
  formats.default(ajv);
  const validate = ajv.compile(JSON.parse(readFileSync(SCHEMA, "utf8")));
  expect(validate(configIn(locale)) ? [] : validate.errors).toEqual([]);
});

test("every field of a product can be edited, and its text", () => {
  const names = fieldsOf(productSchema(undefined)).map(({ name }) => name);
  expect(names).toContain("does_not_work_with");
  expect(fieldsIn("scanners").map(({ name }) => name)).toEqual([...names, "body"]);
});

test("a field says what content/README.md says of it", () => {
  const brand = fieldsIn("scanners").find(({ name }) => name === "brand");
  expect(brand).toMatchObject({ label: "Brand", hint: "Always spelt in the same way." });
  expect(fieldsIn("scanners").find(({ name }) => name === "formerly")?.hint).toBe("Only after renaming. One per line.");
  expect(fieldsIn("scanners").find(({ name }) => name === "barcode")?.hint).toMatch(/; leave it empty otherwise\. /);
  expect(fieldsIn("scanners").find(({ name }) => name === "availability")?.hint).toBe(
    "In stock, Pre-order, Backorder or Out of stock. Leave it empty if there are versions, which have their own.",
  );
  const hints = fieldsIn("scanners")
    .filter(({ hint }) => hint === undefined || hint === "")
    .map(({ name }) => name);
  expect(hints).toEqual(["variants", "body"]);
});

test("what README says of a maker's name isn't said of other names", () => {
  const named: string[] = [];
  for (const collection of collections("en-GB"))
    JSON.stringify(collection, (_key, value) => {
      if (value?.widget && value.name === "name" && /trade mark/.test(value.hint))
        named.push(`${collection.name}: ${value.hint}`);
      return value;
    });
  expect(named).toEqual(["makers: The maker's registered name or trade mark."]);
});

test("every field of every form, the shop's settings among them, has a name in words", () => {
  const nameless: string[] = [];
  // What is made of a field is an object with its name and a label.
  JSON.stringify(collections("en-GB"), (_key, value) => {
    if (value?.widget && value.name !== undefined && value.label === value.name) nameless.push(value.name);
    return value;
  });
  expect(nameless).toEqual([]);
});

test("every mail can be written, and begins as the shop sends it, in its language", () => {
  const files = collections("de-DE").find(({ name }) => name === "mails")?.files ?? [];
  expect(files.map(({ name, file }) => [name, file])).toEqual(
    MAIL_KINDS.map((kind) => [kind, `content/mails/${kind}.md`]),
  );
  const [subject, body] = files.find(({ name }) => name === "sent")?.fields ?? [];
  expect([subject?.name, subject?.default]).toEqual([
    "subject",
    "Ware aus Ihrer Bestellung {{ order_number }} ist unterwegs",
  ]);
  expect([body?.name, body?.default]).toEqual(["body", expect.stringMatching(/^Guten Tag[\s\S]*\{\{ addresses \}\}$/)]);
});

test("in a German shop the fields have German names", () => {
  expect(fieldsIn("scanners", "de-DE").find(({ name }) => name === "price")?.label).toBe("Preis");
});

test.each(["en-GB", "de-DE"])("every value that can be chosen has words in %s", (locale) => {
  const wordless: string[] = [];
  let chosen = 0;
  JSON.stringify(collections(locale), (_key, each) => {
    if (each?.value !== undefined && each.label === each.value) wordless.push(each.value);
    if (each?.value !== undefined) chosen += 1;
    return each;
  });
  expect(wordless).toEqual([]);
  expect(chosen).toBeGreaterThan(8);
});

test("what a schema says of a field decides how it is edited", () => {
  const fields = fieldsOf(
    strict({
      title: line("title: A"),
      kept: dayCount.optional(),
      until: date,
      formerly,
      marks: names("marks: [A]").min(1),
    }),
  );
  const texts = { kind: "texts", orText: false };
  expect(fields).toEqual([
    { name: "title", required: true, kind: "line", longest: 160 },
    { name: "kept", required: false, kind: "integer" },
    { name: "until", required: true, kind: "date" },
    { name: "formerly", required: false, ...texts, item: { kind: "line", longest: undefined } },
    { name: "marks", required: true, ...texts, item: { kind: "line", longest: 60 } },
  ]);
});

test("a page leads to the others, says where it is, and shows what it is given as text", () => {
  const page = renderPage({
    words: wordsFor("en-GB"),
    title: "Prices <1>",
    place: "prices",
    width: "wide",
    main: html`<p>${"<b>"}${[html`<i>kept</i>`, 2]}${undefined}</p>`,
  });
  expect(page).toContain("<h1>Prices &#60;1&#62;</h1>");
  expect(page).toContain("<p>&#60;b&#62;<i>kept</i>2</p>");
  expect(page).toContain('<a href="/admin/prices" aria-current="page">Prices and stock</a>');
  expect(page).toContain('<main class="wide">');
  const links = (html: string) => [...html.matchAll(/<a href="([^"]+)"/g)].map(([, path]) => path);
  expect(links(forRights(page, new Set(["orders"])))).toEqual(["/admin", "/admin/orders", "/admin/stock"]);
  const writing = ["/admin", "/admin/cms/", "/admin/prices", "/admin/publish", "/admin/history"];
  expect(links(forRights(page, new Set(["content", "shop"])))).toEqual(writing);
  expect(forRights(page, new Set())).not.toContain("<!--");
});
