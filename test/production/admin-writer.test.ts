import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { writeCatalogue } from "../catalogue-generator.ts";
import { contentFiles, expectFaithfulWriter } from "../site/admin/round-trip.ts";

test("saving 10,000 products in which nothing was changed changes no byte, and a changed price is one line", () => {
  const folder = mkdtempSync(join(tmpdir(), "twinfront-content-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "categories"));
  writeCatalogue(folder, { products: 10_000 });
  const files = contentFiles(folder);
  expect(files.length).toBeGreaterThan(10_000);
  for (const file of files) expectFaithfulWriter(file);
}, 1_200_000);
