import { expect, test } from "vitest";
import { kestrel, osprey, problemsWith } from "./content-problems.ts";
import { newProduct, validContent } from "./content-tree.ts";

test("a valid shop has no problems", async () => {
  expect(await problemsWith({})).toEqual([]);
});

test("Windows line endings and a byte order mark are allowed", async () => {
  const text = (validContent[kestrel] ?? "").replaceAll("\n", "\r\n");
  expect(await problemsWith({ [kestrel]: `\uFEFF${text}` })).toEqual([]);
});

test("a product folder without a category is reported with the nearest category", async () => {
  const moved = { [kestrel]: null, "products/barcode-scaners/kestrel-c2.md": validContent[kestrel] ?? "" };
  expect(await problemsWith(moved)).toContain(
    "content/products/barcode-scaners/kestrel-c2.md:1: barcode-scaners isn't a category: content/categories/barcode-scaners.md is missing. Did you mean `barcode-scanners`?",
  );
});

test("current and former slugs must be unique across the shop", async () => {
  const other = validContent["categories/barcode-scanners.md"] ?? "";
  const twin = (validContent[kestrel] ?? "").replace("kestrel-c1", "osprey").replace("KES-C2", "KES-C9");
  const problems = await problemsWith({ "categories/tills.md": other, "products/tills/kestrel-c2.md": twin });
  const addresses = problems.filter((problem) => problem.includes("address"));
  expect(addresses).toEqual([
    `content/products/tills/kestrel-c2.md:1: The address /products/kestrel-c2 is also used by content/${kestrel}:1. Choose another one.`,
    `content/products/tills/kestrel-c2.md:14: The address /products/osprey is also used by content/${osprey}:1. Choose another one.`,
  ]);
});

test("a category's former slug can't be used again, and links to it are reported", async () => {
  const category = validContent["categories/barcode-scanners.md"] ?? "";
  const tills = category
    .replace("title: Barcode scanners", "title: Tills")
    .replace("order: 10", "order: 10\nformerly: [counters, barcode-scanners]");
  const about = (validContent["pages/about.md"] ?? "").replace("/guides/choosing", "/categories/counters");
  expect(
    await problemsWith({
      "categories/tills.md": tills,
      "products/tills/till.md": newProduct("till"),
      "pages/about.md": about,
    }),
  ).toEqual([
    "content/categories/tills.md:5: The address /categories/barcode-scanners is also used by content/categories/barcode-scanners.md:1. Choose another one.",
    "content/pages/about.md:7: The page `/categories/counters` has moved. Write `/categories/tills`.",
  ]);
});

test("two categories can't have the same title", async () => {
  const category = validContent["categories/barcode-scanners.md"] ?? "";
  expect(
    await problemsWith({ "categories/readers.md": category, "products/readers/reader.md": newProduct("reader") }),
  ).toEqual([
    "content/categories/readers.md:2: The title “Barcode scanners” is also used by content/categories/barcode-scanners.md:2. Choose another one.",
  ]);
});

test("a file with an invalid name, in the wrong place or of the wrong type is reported", async () => {
  const page = validContent["pages/about.md"] ?? "";
  const problems = await problemsWith({
    "pages/About_Us.md": page,
    "pages/search.md": page,
    "products/stray.md": page,
    "products/barcode-scanners/photo.JPG": "x",
  });
  expect(problems.map((problem) => problem.split(":1: ")[0])).toEqual(
    expect.arrayContaining([
      "content/pages/About_Us.md",
      "content/pages/search.md",
      "content/products/stray.md",
      "content/products/barcode-scanners/photo.JPG",
    ]),
  );
});

test("a name that is longer than the build's files and the database take is reported, and shortened it is taken", async () => {
  const about = validContent["pages/about.md"] ?? "";
  expect(await problemsWith({ [`pages/${"a".repeat(192)}.md`]: about })).toEqual([
    `content/pages/${"a".repeat(192)}.md:1: The file's name "${"a".repeat(20)}…" has 192 bytes, of which an address takes 180. Shorten it.`,
  ]);
  for (const longest of ["a".repeat(180), "é".repeat(90), "अ".repeat(60)])
    expect(await problemsWith({ [`pages/${longest}.md`]: about })).toEqual([]);
});

test("names in any script are taken, and what isn't one is told with the right name", async () => {
  const about = validContent["pages/about.md"] ?? "";
  const names = ["größe-ä", "נעל-ריצה", "παπούτσι", "नापने-के-यंत्र", "한국어", "3-ячейки"];
  expect(await problemsWith(Object.fromEntries(names.map((name) => [`pages/${name}.md`, about])))).toEqual([]);
  const apart = "content/pages/gro\u0308ße.md";
  const wrong = {
    "Größe Ä": "größe-ä",
    ΜΈΤΡΑ: "μέτρα",
    "½-preis": "preis",
    "a\u200bb": "a-b",
    "é--b": "é-b",
    "\u0301a": "kestrel-c2",
  };
  const found = await problemsWith(
    Object.fromEntries([...Object.keys(wrong), "gro\u0308ße"].map((name) => [`pages/${name}.md`, about])),
  );
  expect(new Set(found)).toEqual(
    new Set([
      ...Object.entries(wrong).map(
        ([name, right]) =>
          `content/pages/${name}.md:1: The file's name "${name}" can't be part of a URL. Use lowercase letters, digits and single hyphens: \`${right}\`.`,
      ),
      `${apart}:1: The path has letters and their accents apart, as some Macs write them. Rename it: \`git mv "${apart}" "${apart.normalize("NFC")}"\`.`,
    ]),
  );
});

test.each([
  ["accounting", "/account"],
  ["cart-guide", "/cart"],
  ["administration", "/admin"],
])("a page called %s is reported, because robots.txt hides its address", async (slug, hidden) => {
  expect(await problemsWith({ [`pages/${slug}.md`]: validContent["pages/about.md"] ?? "" })).toEqual([
    `content/pages/${slug}.md:1: robots.txt keeps search engines away from addresses that start with ${hidden}. Start the name with another word: \`about-${slug}.md\`.`,
  ]);
});

test.each([
  ["latin1", 7],
  ["utf16le", 1],
] as const)("a file in %s is reported with its line, and its words are still read", async (encoding, line) => {
  const text = validContent["pages/about.md"] ?? "";
  const written = encoding === "latin1" ? text.replace("We", "Café") : `\uFEFF${text}`;
  expect(await problemsWith({ "pages/about.md": Buffer.from(written, encoding) })).toEqual([
    `content/pages/about.md:${line}: Letters here aren't in UTF-8. Save the file with the encoding “UTF-8”, then check its text.`,
  ]);
});

test("all problems in all files are reported at once, by file and line", async () => {
  const problems = await problemsWith({
    [kestrel]: (validContent[kestrel] ?? "")
      .replace("brand", "barnd")
      .replace("189.00", "189,00")
      .replace("## W", "# W"),
    "pages/about.md": (validContent["pages/about.md"] ?? "").replace("/guides/choosing", "/guide"),
  });
  expect(problems.map((problem) => /^\S+:(\d+)/.exec(problem)?.[0])).toEqual([
    "content/pages/about.md:7",
    `content/${kestrel}:3`,
    `content/${kestrel}:10`,
    `content/${kestrel}:18`,
  ]);
});

test("missing settings and a missing required page are reported", async () => {
  expect(await problemsWith({ "store.yaml": null, "pages/shipping.md": null })).toEqual(
    expect.arrayContaining([
      "content/store.yaml:1: The file is missing.",
      "content/pages/shipping.md:1: The page is missing, and others link to it.",
    ]),
  );
});
