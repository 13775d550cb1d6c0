import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import formats from "ajv-formats";
import { expect, test } from "vitest";
import { cmsConfig } from "../../../site/admin/cms/config.ts";
import { readHints } from "../../../site/admin/cms/hints.ts";
import { fieldsOf } from "../../../site/admin/fields.ts";
import { wordsFor } from "../../../site/admin/words/words-for.ts";
import { productSchema } from "../../../site/content-schema/product.ts";
import { z } from "../../../site/node_modules/astro/dist/zod.js";

const SCHEMA = join(import.meta.dirname, "../../../site/node_modules/@sveltia/cms/schema/sveltia-cms.json");
const categories = [{ slug: "scanners", title: "Scanners" }];

interface Shown {
  name: string;
  widget: string;
  fields?: Shown[];
  hint?: string;
  label: string;
}

const collections = (locale: string) =>
  JSON.parse(JSON.stringify(cmsConfig({ words: wordsFor(locale), categories, hints: readHints() })["collections"])) as {
    name?: string;
    fields?: Shown[];
  }[];

const fieldsIn = (name: string, locale = "en-GB") =>
  collections(locale).find((each) => each.name === name)?.fields ?? [];

test.each(["en-GB", "de-CH"])("the configuration in %s is what Sveltia's own schema allows", (locale) => {
  const ajv = new Ajv({ strict: false, allErrors: true, allowUnionTypes: true });
  formats.default(ajv);
  const validate = ajv.compile(JSON.parse(readFileSync(SCHEMA, "utf8")));
  const config = JSON.parse(JSON.stringify(cmsConfig({ words: wordsFor(locale), categories, hints: readHints() })));
  expect(validate(config) ? [] : validate.errors).toEqual([]);
});

test("every field of a product can be edited, and its text", () => {
  const names = fieldsOf(productSchema(undefined)).map(({ name }) => name);
  expect(names).toContain("does_not_work_with");
  expect(fieldsIn("scanners").map(({ name }) => name)).toEqual([...names, "body"]);
});

test("a field says what content/README.md says of it", () => {
  const brand = fieldsIn("scanners").find(({ name }) => name === "brand");
  expect(brand).toMatchObject({ label: "Brand", hint: "always spelt in the same way" });
  const hints = fieldsIn("scanners")
    .filter(({ hint }) => hint === undefined || hint === "")
    .map(({ name }) => name);
  expect(hints).toEqual(["variants", "body"]);
});

test("in a German shop the fields have German names", () => {
  expect(fieldsIn("scanners", "de-DE").find(({ name }) => name === "price")?.label).toBe("Preis");
});

test("a field that a schema gets is edited by its type", () => {
  const kinds = fieldsOf(
    z.strictObject({
      colour: z.enum(["red", "blue"]),
      weight_g: z.int().optional(),
      notes: z.array(z.string()).default([]),
    }),
  );
  expect(kinds).toEqual([
    { name: "colour", required: true, kind: "choice", options: ["red", "blue"] },
    { name: "weight_g", required: false, kind: "integer" },
    { name: "notes", required: false, kind: "texts", orText: false, item: { kind: "line", longest: undefined } },
  ]);
});
