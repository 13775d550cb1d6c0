import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { HtmlValidate, type RuleConfig, StaticConfigLoader } from "html-validate";
import { expect, inject, test } from "vitest";

const dist = inject("dist");
const files = readdirSync(dist, { recursive: true, encoding: "utf8" });
const pages = files.filter((file) => file.endsWith(".html"));

test("the HTML of every kind of page is valid", async () => {
  // An id may begin with a digit (HTML Living Standard, 3.2.6), as those of numbered headings do.
  const rules: RuleConfig = { "valid-id": ["error", { relaxed: true }] };
  const loader = new StaticConfigLoader({ extends: ["html-validate:recommended"], rules });
  const validator = new HtmlValidate(loader);
  // Products are of one kind, with versions or without: two stand for all.
  const kinds = pages.filter((page) => !/^products\/(?!marlstead-(harbour-15|cafe-10)\.)/.test(page));
  const faults: string[] = [];
  for (const page of kinds) {
    const { results } = await validator.validateString(readFileSync(join(dist, page), "utf8"), page);
    faults.push(
      ...results.flatMap(({ messages }) => messages.map(({ message, line }) => `${page}:${line} ${message}`)),
    );
  }
  expect(kinds.length).toBeGreaterThan(20);
  expect(faults).toEqual([]);
});
