import { deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { kestrel, problemsWith } from "./content-problems.ts";
import { validContent } from "./content-tree.ts";

const folder = "products/barcode-scanners";
const files = {
  [`${folder}/kestrel-c2-manual.pdf`]: "%PDF-1.7\n",
  [`${folder}/kestrel-c2-driver.zip`]: "PK\u0003\u0004",
  [`${folder}/kestrel-c2-codes.txt`]: "Scan this: größer\n",
};

/** The problems of the valid shop whose Kestrel has one document with these lines. */
const problemsOf = (lines: string, more: Record<string, string | Uint8Array> = {}) => {
  const documents = `documents:\n  - ${["kind: manual", "title: Quick start", "language: en", ...lines.split("\n")].join("\n    ")}\n`;
  const text = (validContent[kestrel] ?? "").replace("formerly:", `${documents}formerly:`);
  return problemsWith({ ...files, ...more, [kestrel]: text });
};

test.each([
  "file: ./kestrel-c2-manual.pdf",
  "file: ./kestrel-c2-driver.zip",
  "file: ./kestrel-c2-codes.txt",
  "link: https://kestrel.example/c2/manual.pdf?lang=en",
])("a document with %s is valid", async (line) => {
  expect(await problemsOf(line)).toEqual([]);
});

test.each([
  [
    "file: ./kestrel-c2-manul.pdf",
    "content/products/barcode-scanners/kestrel-c2.md:18: No file ./kestrel-c2-manul.pdf. Did you mean `./kestrel-c2-manual.pdf`?",
  ],
  [
    "file: ../manual.pdf",
    `content/${kestrel}:18: document 1, file "../manual.pdf" can't be published. Put it beside the product's file, and write its name like \`file: ./kestrel-c2-manual.pdf\`: lowercase letters, digits and hyphens, with the ending pdf, txt, zip.`,
  ],
  [
    "file: ./setup.exe",
    `content/${kestrel}:18: document 1, file "./setup.exe" can't be published. Put it beside the product's file, and write its name like \`file: ./kestrel-c2-manual.pdf\`: lowercase letters, digits and hyphens, with the ending pdf, txt, zip.`,
  ],
  [
    "link: http://kestrel.example/manual.pdf",
    `content/${kestrel}:18: document 1, link "http://kestrel.example/manual.pdf" isn't an address that starts with https://. Copy it from the browser.`,
  ],
  [
    "link: https://test.example/manual.pdf",
    `content/${kestrel}:18: The document /manual.pdf is the shop's own. Put the file beside this one and write \`file: ./…\`.`,
  ],
  [
    "file: ./kestrel-c2-manual.pdf\nlink: https://kestrel.example/",
    `content/${kestrel}:15: document 1 has a \`file\` and a \`link\`. Delete one of them.`,
  ],
])("%s is reported with its line and what to write", async (lines, problem) => {
  expect(await problemsOf(lines)).toEqual([problem]);
});

const stream = (dictionary: string, content: string) => {
  const packed = deflateSync(content).toString("latin1");
  return `%PDF-1.7\n1 0 obj<<${dictionary}/Filter/FlateDecode/Length ${packed.length}>>stream\n${packed}\nendstream`;
};

test.each([
  ["in its properties", "%PDF-1.7\n<</Author (Ada \\(\\101\\) Novak)>>", "Ada (A) Novak"],
  ["with others' parentheses", "%PDF-1.7\n<</Author (Ada (Novak (Brno)) Ltd)/Title(x)>>", "Ada (Novak (Brno)) Ltd"],
  ["in an object of its own", "%PDF-1.3\n3 0 obj\n(Ada)\nendobj\n13 0 obj<</Title 9 0 R/Author 3 0 R>>", "Ada"],
  ["in UTF-16", "%PDF-1.7\n<</Author<FEFF004C0069006E0161>>>", "Linš"],
  ["in a compressed stream of objects", stream("/Type/ObjStm", "1 0 <</Author(Ada)>>"), "Ada"],
  [
    "in its XMP",
    stream("/Type/Metadata/Subtype/XML", "<dc:creator><rdf:Seq><rdf:li>Zoë</rdf:li></rdf:Seq></dc:creator>"),
    "Zoë",
  ],
])("a PDF that names its author %s is a doubt", async (_where, text, author) => {
  const manual = { [`${folder}/kestrel-c2-manual.pdf`]: Buffer.from(text, "latin1") };
  expect(await problemsOf("file: ./kestrel-c2-manual.pdf", manual)).toEqual([
    `content/${kestrel}:18: ./kestrel-c2-manual.pdf names “${author}” as its author. Save it without, unless visitors may read that.`,
  ]);
});

test("a PDF with an empty author, or one that can't be read, is valid", async () => {
  for (const text of [
    "<</Author()/Title(x)>>",
    "<</Author<>>>",
    "<</Encrypt 9 0 R/Author(\x01\x02)>>",
    stream("/Type/ObjStm", "x").slice(0, -30),
  ])
    expect(
      await problemsOf("file: ./kestrel-c2-manual.pdf", {
        [`${folder}/kestrel-c2-manual.pdf`]: Buffer.from(`%PDF-1.7\n${text}`, "latin1"),
      }),
    ).toEqual([]);
});

test("a document needs a file or a link, a known kind and a language", async () => {
  const text = (validContent[kestrel] ?? "").replace(
    "formerly:",
    "documents:\n  - kind: manuel\n    title: Quick start\n    language: English\nformerly:",
  );
  expect(await problemsWith({ [kestrel]: text })).toEqual([
    `content/${kestrel}:15: document 1, kind "manuel" isn't one of data_sheet, manual, driver. Did you mean \`manual\`?`,
    `content/${kestrel}:17: document 1, language "English" isn't the code of a language. Write, for example, \`language: en\`.`,
  ]);
  expect(await problemsOf("file:")).toEqual([
    `content/${kestrel}:18: document 1, file is empty. Put it beside the product's file, and write its name like \`file: ./kestrel-c2-manual.pdf\`.`,
  ]);
});

test("a file that isn't what its name says is reported", async () => {
  const pdf = { [`${folder}/kestrel-c2-manual.pdf`]: "<html>Not found</html>" };
  expect(await problemsOf("file: ./kestrel-c2-manual.pdf", pdf)).toEqual([
    `content/${kestrel}:18: ./kestrel-c2-manual.pdf isn't a PDF file, although its name says so. Save it again.`,
  ]);
  const text = { [`${folder}/kestrel-c2-codes.txt`]: Buffer.from("größer", "latin1") };
  expect(await problemsOf("file: ./kestrel-c2-codes.txt", text)).toEqual([
    `content/${kestrel}:18: ./kestrel-c2-codes.txt isn't in UTF-8. Save it with the encoding “UTF-8”.`,
  ]);
});
