import { describe, expect, test } from "vitest";
import { kestrel, osprey, problemsAfter, problemsWith } from "./content-problems.ts";
import { newProduct, validContent } from "./content-tree.ts";

const printer = "products/printers/printer.md";
const printers = "---\ntitle: Printers\nsummary: They print.\norder: 20\n---\n\nSome print.\n";

/** A product in the valid shop that works with others, given as slugs with reasons. */
const withRelations = (file: string, relations: string) =>
  (validContent[file] ?? "").replace("updated:", `works_with: { ${relations} }\nupdated:`);

test("a pair of compatible products is valid when one of the two files names it", async () => {
  expect(await problemsWith({ [kestrel]: withRelations(kestrel, "osprey: both read 1D codes") })).toEqual([]);
});

test.each([
  ["ospry: typed wrongly", "works_with, ospry isn't a product. Did you mean `osprey`?"],
  ["kestrel-c2: itself", "works_with, kestrel-c2 is this product. Remove the line."],
  ["kestrel-c1: its old name", "works_with, kestrel-c1 has moved. Write `kestrel-c2`."],
  [
    "/products/osprey: a link",
    "works_with, /products/osprey isn't a product's file name. Leave out the folder and .md: `kestrel-c2`.",
  ],
  [
    "osprey: { reason: the same, versions: [KES-C2, OSP-BR] }",
    "works_with, osprey names the version OSP-BR, which neither product has. Did you mean `OSP-BK`?",
  ],
  [
    "osprey: { versions: [OSP-BK] }",
    "works_with, osprey, reason is missing. Write, for example, `pellcott-r80: 24 V drawer port, one cable`.",
  ],
])("%s is reported with its line", async (relation, problem) => {
  expect(await problemsWith({ [kestrel]: withRelations(kestrel, relation) })).toContain(
    `content/${kestrel}:15: ${problem}`,
  );
});

test("a pair may name versions of both products", async () => {
  const relation = "osprey: { reason: the same, versions: [KES-C2, OSP-BK] }";
  expect(await problemsWith({ [kestrel]: withRelations(kestrel, relation) })).toEqual([]);
});

test("a pair in both files is reported in the second", async () => {
  const changes = {
    [kestrel]: withRelations(kestrel, "osprey: both read 1D codes"),
    [osprey]: withRelations(osprey, "kestrel-c2: the same"),
  };
  expect(await problemsWith(changes)).toEqual([
    `content/${osprey}:20: works_with, kestrel-c2 is already in content/${kestrel}:15, which covers both. Delete one of the lines.`,
  ]);
});

const withThird = (third: string) =>
  problemsWith({
    "categories/printers.md": printers,
    [printer]: newProduct("printer"),
    [kestrel]: withRelations(kestrel, `osprey: { with: ${third}, reason: one cable }`),
  });

test("a third product that two need must exist and be another one", async () => {
  expect(await withThird("printer")).toEqual([]);
  for (const [third, problem] of [
    ["printr", "isn't a product. Did you mean `printer`?"],
    ["osprey", "is one of the two. Name a third."],
    ["kestrel-c2", "is this product. Remove the line."],
  ] as const)
    expect(await withThird(third)).toEqual([`content/${kestrel}:15: works_with, osprey, with ${third} ${problem}`]);
});

test("a relation is a reason, or a reason with a third product", async () => {
  const relation = (text: string) => problemsWith({ [kestrel]: withRelations(kestrel, `osprey: ${text}`) });
  const place = `content/${kestrel}:15: works_with, osprey`;
  expect(await relation("x".repeat(121))).toEqual([`${place} has 121 characters, and the limit is 120. Shorten it.`]);
  expect(await relation("5")).toEqual([expect.stringContaining(`${place} must be text in quotes`)]);
  expect(await relation("{ with: osprey }")).toContain(
    `${place}, reason is missing. Write, for example, \`pellcott-r80: 24 V drawer port, one cable\`.`,
  );
});

const oneWay = (reason: string) => `{ reason: ${reason}, one_way: true }`;

test("each of two files may say it for its own page alone, and then its text needs the line", async () => {
  const changes = {
    [kestrel]: withRelations(kestrel, `osprey: ${oneWay("reads its codes")}`),
    [osprey]: withRelations(osprey, `kestrel-c2: ${oneWay("shows its codes")}`),
  };
  expect(await problemsWith(changes)).toEqual([]);
  expect(await problemsWith({ ...changes, [osprey]: withRelations(osprey, "kestrel-c2: shows its codes") })).toEqual([
    `content/${osprey}:20: works_with, kestrel-c2 is already in content/${kestrel}:15. Delete one of the lines, or write \`one_way: true\` here too.`,
  ]);
  expect(
    await problemsWith({
      ...changes,
      [osprey]: withRelations(osprey, `kestrel-c2: ${oneWay("another plug")}`).replace(
        "works_with",
        "does_not_work_with",
      ),
    }),
  ).toEqual([expect.stringContaining("is already in")]);
});

test("a text needs a line of its own where the other file's is for its page alone", async () => {
  const files = {
    "categories/printers.md": printers,
    [printer]: newProduct("printer").replace(/## What it does[\s\S]*/, "## Hints\n\n[Kestrel](/products/kestrel-c2)\n"),
  };
  const named = (relation: string) =>
    problemsWith({ ...files, [kestrel]: withRelations(kestrel, `printer: ${relation}`) });
  expect(await named("{ reason: one cable }")).toEqual([]);
  expect(await named("{ reason: one cable, one_way: here }")).toContainEqual(
    expect.stringContaining("printer, one_way must be `true`."),
  );
  expect(await named(oneWay("one cable"))).toEqual([expect.stringContaining("The text names kestrel-c2")]);
});

test("an alternative must exist and be another product", async () => {
  const of = (slug: string) =>
    problemsWith({ [kestrel]: (validContent[kestrel] ?? "").replace("updated:", `alternatives: [${slug}]\nupdated:`) });
  expect(await of("osprey")).toEqual([]);
  expect(await of("ospry")).toEqual([
    `content/${kestrel}:15: alternatives, ospry isn't a product. Did you mean \`osprey\`?`,
  ]);
  expect(await of("kestrel-c2")).toEqual([
    `content/${kestrel}:15: alternatives, kestrel-c2 is this product. Remove the line.`,
  ]);
});

describe("the products that the home page shows first", () => {
  const home = "pages/home.md";
  const with12More = `kestrel-c2${", osprey".repeat(12)}`;

  test.each([
    ["ospry", "isn't a product. Did you mean `osprey`?"],
    ["kestrel-c1", "has moved. Write `kestrel-c2`."],
    ["kestrel-c2, osprey, kestrel-c2", "is named twice. Delete one."],
  ])("[%s] is reported at its line", async (slugs, problem) => {
    const problems = await problemsAfter(home, "updated:", `featured: [${slugs}]\nupdated:`);
    expect(problems).toEqual([`content/${home}:7: featured, ${slugs.split(", ").at(-1)} ${problem}`]);
  });

  test("are published, at most twelve, and on the home page alone", async () => {
    const featured = (file: string, slugs: string) =>
      (validContent[file] ?? "").replace("updated:", `featured: [${slugs}]\nupdated:`);
    const draft = (validContent[osprey] ?? "").replace("updated:", "draft: true\nupdated:");
    const guide = (validContent["guides/choosing.mdx"] ?? "").replace("/products/osprey", "/products/kestrel-c2");
    expect(await problemsWith({ [home]: featured(home, "osprey, kestrel-c2") })).toEqual([]);
    expect(
      await problemsWith({ [home]: featured(home, "osprey"), [osprey]: draft, "guides/choosing.mdx": guide }),
    ).toContainEqual(`content/${home}:7: featured, osprey is still a draft. Publish it first.`);
    expect(await problemsWith({ [home]: featured(home, with12More) })).toContainEqual(
      `content/${home}:7: featured has more than 12 products. Keep those that carry the shop.`,
    );
    for (const slug of ["[osprey]", '""'])
      expect(await problemsWith({ [home]: featured(home, slug) })).toEqual([
        `content/${home}:7: featured, item 1 isn't a product's file name. Leave out the folder and .md: \`kestrel-c2\`.`,
      ]);
    expect(await problemsWith({ "pages/about.md": featured("pages/about.md", "osprey") })).toEqual([
      "content/pages/about.md:4: Only the home page has a `featured`. Put pictures and links into the text.",
    ]);
  });
});

test("a product that one file lists as compatible and the other as not is reported", async () => {
  const changes = {
    [kestrel]: withRelations(kestrel, "osprey: both read 1D codes"),
    [osprey]: withRelations(osprey, "kestrel-c2: another plug").replace("works_with:", "does_not_work_with:"),
  };
  expect(await problemsWith(changes)).toEqual([
    `content/${osprey}:20: does_not_work_with, kestrel-c2 is already in content/${kestrel}:15, which covers both. Delete one of the lines.`,
  ]);
});

/** The problems of a printer whose text, below `heading`, names the Kestrel. */
const problemsOfText = (heading: string, more?: string, slug = "kestrel-c2") =>
  problemsWith({
    "categories/printers.md": printers,
    [printer]: newProduct("printer", "189.00", more).replace(
      /## What it does[\s\S]*/,
      `## ${heading}\n\nAny scanner, such as\nthe [Kestrel](/products/${slug}) and [again](/products/${slug}).\n\n## Good to know\n\nIt prints.\n`,
    ),
  });

test.each(["What it works with", "Passt zu"])(
  "a product that the text below “%s” names and no list does is reported once, with its line",
  async (heading) => {
    expect(await problemsOfText(heading)).toEqual([
      `content/${printer}:19: The text names kestrel-c2, and the lists don't. Add it to \`works_with\` with the reason, to \`does_not_work_with\`, or to \`alternatives\`.`,
    ]);
  },
);

test("a product that an answer names is reported in the same way", async () => {
  const questions = 'questions:\n  - question: "Which?"\n    answer: "The [Kestrel](/products/kestrel-c2)."\n';
  expect(await problemsOfText("Good to know", `${questions}updated: 2026-10-02`, "printer")).toEqual([
    expect.stringContaining(`content/${printer}:15: The text names kestrel-c2, and the lists don't.`),
  ]);
});

test.each([
  ["that works_with names", "What it works with", "works_with: { kestrel-c2: one cable }"],
  ["that does_not_work_with names", "What it works with", "does_not_work_with: { kestrel-c2: another plug }"],
  ["that alternatives names", "Good to know", "alternatives: [kestrel-c2]"],
  [
    "that works_with names for this page alone",
    "Works with",
    "works_with: { kestrel-c2: { reason: one cable, one_way: true } }",
  ],
])("a product in the text %s is not reported", async (_what, heading, more) => {
  expect(await problemsOfText(heading, more && `${more}\nupdated: 2026-10-02`)).toEqual([]);
});

test("a product of the same category is an alternative and needn't be listed", async () => {
  const text = (validContent[kestrel] ?? "").replace(
    "## What it does",
    "## What it works with\n\n[Osprey](/products/osprey).",
  );
  expect(await problemsWith({ [kestrel]: text })).toEqual([]);
});

test.each([
  ["kestrl-c2", "recommended, kestrl-c2 isn't a product of this category. Did you mean `kestrel-c2`?"],
  ["printer", "recommended, printer isn't a product of this category."],
])("a category that recommends %s, which it doesn't have, is reported", async (slug, problem) => {
  const category = "categories/barcode-scanners.md";
  const changes = {
    [category]: (validContent[category] ?? "").replace("order: 10", `order: 10\nrecommended: [osprey, ${slug}]`),
    "categories/printers.md": printers,
    [printer]: newProduct("printer"),
  };
  expect(await problemsWith(changes)).toEqual([`content/${category}:5: ${problem}`]);
});
