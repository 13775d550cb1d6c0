import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { localRepository } from "../../../../nginx/local/content-repository.ts";
import { readDrafts, saveToDrafts } from "../../../../site/admin/content/drafts.ts";
import { readFile } from "../../../../site/admin/content/git.ts";
import type { Previews } from "../../../../site/admin/publication/preview.ts";
import { buildForStart } from "../../../built-shops.ts";
import { buildSite } from "../../../workspace.ts";
import { copyWithContent, newProduct } from "../../content-check/content-tree.ts";
import { ANN } from "../repository.ts";

let root: string;
let repository: string;
let previews: Previews;
const kestrel = "content/products/barcode-scanners/kestrel-c2.md";

beforeAll(async () => {
  root = copyWithContent();
  await buildForStart(root);
  repository = localRepository(join(root, ".data"));
  // vitest sets a BASE_URL of its own, which the build of the copy doesn't have.
  vi.stubEnv("BASE_URL", undefined);
  const { openPreviews } = await import(join(root, "site/admin/publication/preview.ts"));
  const { openDraftCheck } = await import(join(root, "site/admin/content/draft-check.ts"));
  const folder = join(root, ".data");
  previews = openPreviews(repository, folder, openDraftCheck(repository, folder));
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true });
});

async function save(path: string, edit: (text: string) => string): Promise<void> {
  const file = await readFile(repository, await readDrafts(repository), path);
  const changes = [{ path, bytes: Buffer.from(edit(file?.bytes.toString() ?? "")) }];
  await saveToDrafts(repository, { changes, seen: [{ path, id: file?.id }], author: ANN, message: "Edit" });
}

test("a draft is shown in both faces as it would be built, and nothing of it goes live", async () => {
  await save(kestrel, (text) => text.replace("189.00", "177.00").replace("It scans.", "It **beeps**."));
  const { html = "", markdown = "" } = (await previews.render("/products/kestrel-c2")) ?? {};
  expect(html).toContain("It <strong>beeps</strong>.");
  expect(markdown).toContain('price: "177.00"');
  expect(markdown).toContain("It **beeps**.");
  const { dist, output } = await buildSite(root, { CONTENT_REPOSITORY: repository }, ["--if-changed"]);
  expect([dist, output]).toEqual([expect.any(String), "unchanged since the last build\n"]);
});

test("a page that isn't live yet is shown from a build of the drafts, and a mistake in them with the check's sentence", async () => {
  await save("content/products/barcode-scanners/osprey-2.md", () => newProduct("osprey-2", "55.00"));
  expect((await previews.render("/products/osprey-2"))?.markdown).toContain("55.00");
  await save("content/products/barcode-scanners/osprey-2.md", (text) => text.replace('"55.00"', '"cheap"'));
  await expect(previews.render("/products/osprey-2")).rejects.toThrow(/^content\/\S+osprey-2\.md:\d+: price .*$/);
});

test("another's mistake hinders no preview: its file is left out and named, even where the check finds it elsewhere", async () => {
  // It has a mistake, from the test before.
  const [osprey, choosing] = ["content/products/barcode-scanners/osprey-2.md", "content/guides/choosing.mdx"];
  const preview = await previews.render("/products/kestrel-c2");
  expect([preview?.html.includes("<strong>beeps</strong>"), preview?.leftOut]).toEqual([true, [osprey]]);
  // Pages that nobody has changed link to it.
  const file = await readFile(repository, await readDrafts(repository), choosing);
  const changes = [{ path: choosing, bytes: null }];
  await saveToDrafts(repository, { changes, seen: [{ path: choosing, id: file?.id }], author: ANN, message: "Delete" });
  const without = await previews.render("/products/kestrel-c2");
  expect([without?.html.includes("<strong>beeps</strong>"), without?.leftOut.toSorted()]).toEqual([
    true,
    [choosing, osprey],
  ]);
});

test("an address without a page has no preview", async () => {
  await save("content/products/barcode-scanners/osprey-2.md", (text) => text.replace('"cheap"', '"55.00"'));
  expect(await previews.render("/nothing/here")).toBeUndefined();
  expect(await previews.render("/../../../../etc/passwd")).toBeUndefined();
});
