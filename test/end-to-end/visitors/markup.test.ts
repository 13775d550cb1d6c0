import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { findHtmlFaults } from "../../html-faults.ts";

const dist = inject("dist");
const files = readdirSync(dist, { recursive: true, encoding: "utf8" });
const pages = files.filter((file) => file.endsWith(".html"));

test("the HTML of every kind of page is valid", async () => {
  // Two products represent all: one with versions, one without.
  const kinds = pages.filter((page) => !/^products\/(?!marlstead-(harbour-15|cafe-10)\.)/.test(page));
  const faults: string[] = [];
  for (const page of kinds) {
    const found = await findHtmlFaults(readFileSync(join(dist, page), "utf8"), page);
    faults.push(...found.map(({ message, line }) => `${page}:${line} ${message}`));
  }
  expect(kinds.length).toBeGreaterThan(20);
  expect(faults).toEqual([]);
});
