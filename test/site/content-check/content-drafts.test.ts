import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { checkContent } from "../../../site/content-check/check.ts";
import { isDraft } from "../../../site/content-schema/fields.ts";
import { kestrel, osprey, problemsWith } from "./content-problems.ts";
import { newProduct, validContent, writeContent } from "./content-tree.ts";

const draftOf = (file: string) => (validContent[file] ?? "").replace("updated:", "draft: true\nupdated:");

test("a draft's errors are warnings", async () => {
  const broken = draftOf(kestrel).replace('sku: "KES-C2"\n', "").replace("brand: Kestrel", "brand: Kestrel: big");
  const folder = writeContent({
    [kestrel]: broken,
    "guides/choosing.mdx": null,
    "pages/about.md": (validContent["pages/about.md"] ?? "").replace("/guides/choosing", "/shipping"),
  });
  const problems = await checkContent(folder);
  rmSync(folder, { recursive: true });
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatchObject({ line: 3, isWarning: true, message: expect.stringContaining("colon") });
});

test("links to the list of guides work only with a published guide", async () => {
  const about = (validContent["pages/about.md"] ?? "").replace("/guides/choosing", "/guides");
  expect(await problemsWith({ "pages/about.md": about })).toEqual([]);
  expect(await problemsWith({ "pages/about.md": about, "guides/choosing.mdx": null })).toEqual([
    expect.stringMatching(/^content\/pages\/about\.md:7: .*`\/guides`/),
  ]);
});

test("a published page can't link to a draft; a draft can link to any page", async () => {
  const problems = await problemsWith({
    [kestrel]: draftOf(kestrel),
    [osprey]: (validContent[osprey] ?? "").replace("updated:", "works_with: { kestrel-c2: both read }\nupdated:"),
    "pages/about.md": (validContent["pages/about.md"] ?? "").replace("/guides/choosing", "/products/kestrel-c2"),
  });
  expect(problems).toEqual([
    "content/guides/choosing.mdx:9: No product has the SKU KES-C2.",
    "content/pages/about.md:7: The page `/products/kestrel-c2` is a draft. Publish it first, or remove the link.",
    `content/${osprey}:20: works_with, kestrel-c2 is still a draft. Put the line in content/${kestrel} instead.`,
  ]);
  expect(
    await problemsWith({ [kestrel]: draftOf(kestrel), "guides/choosing.mdx": draftOf("guides/choosing.mdx") }),
  ).toEqual([
    "content/pages/about.md:7: The page `/guides/choosing` is a draft. Publish it first, or remove the link.",
  ]);
});

test("a draft may be compatible with another draft, when one of the two files names it", async () => {
  const works = (file: string, slug: string) =>
    draftOf(file).replace("draft: true", `works_with: { ${slug}: both read }\ndraft: true`);
  const withoutLinks = {
    "guides/choosing.mdx": draftOf("guides/choosing.mdx"),
    "pages/about.md": validContent["pages/shipping.md"] ?? "",
    // A category of drafts alone is empty.
    "products/barcode-scanners/a.md": newProduct("a"),
  };
  expect(
    await problemsWith({ [kestrel]: works(kestrel, "osprey"), [osprey]: draftOf(osprey), ...withoutLinks }),
  ).toEqual([]);
  expect(
    await problemsWith({ [kestrel]: works(kestrel, "osprey"), [osprey]: works(osprey, "kestrel-c2"), ...withoutLinks }),
  ).toEqual([
    `content/${osprey}:20: works_with, kestrel-c2 is already in content/${kestrel}:15, which covers both. Delete one of the lines.`,
  ]);
});

test("a SKU used in a published page and a draft is reported in the draft", async () => {
  const twin = draftOf(kestrel)
    .replace("formerly: [kestrel-c1]\n", "")
    .replace(/gtin:.*\n/, "");
  const file = "products/barcode-scanners/a-twin.md";
  expect(await problemsWith({ [file]: twin })).toEqual([
    `content/${file}:8: SKU KES-C2 is also in content/${kestrel}:8. Use it once.`,
  ]);
});

test("a required page can't be a draft", async () => {
  expect(await problemsWith({ "pages/contact.md": draftOf("pages/contact.md") })).toContain(
    "content/pages/contact.md:1: The page is missing, and others link to it.",
  );
});

test("a draft is recognised without parsing its fields", () => {
  expect(isDraft("---\r\ntitle: A: b\r\ndraft: true\r\n---\r\n")).toBe(true);
  expect(isDraft("---\ntitle: A\ndraft: true  # until Monday\n")).toBe(true);
  expect(isDraft("---\ntitle: A\n---\ndraft: true\n")).toBe(false);
  expect(isDraft("---\ntitle: A\ndraft: false\n---\n")).toBe(false);
  expect(isDraft("---\nvariants:\n  draft: true\n---\n")).toBe(false);
});
