import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { checkContent } from "../../../site/content-check/check.ts";
import { kestrel, type Mistake, problemsAfter, problemsWith } from "./content-problems.ts";
import { validContent, writeContent } from "./content-tree.ts";

const mistakes: Mistake[] = [
  [
    "a missing picture file",
    kestrel,
    "./kestrel-c2.svg",
    "./kestrl-c2.svg",
    `content/${kestrel}:6: No file ./kestrl-c2.svg. Did you mean \`./kestrel-c2.svg\`?`,
  ],
  [
    "capitals in a picture's name",
    kestrel,
    "./kestrel-c2.svg",
    "./Kestrel-C2.svg",
    `content/${kestrel}:6: No file ./Kestrel-C2.svg. Write ./kestrel-c2.svg, with the same capitals.`,
  ],
  [
    "a picture's path without a dot",
    kestrel,
    "./kestrel-c2.svg",
    "kestrel-c2.svg",
    `content/${kestrel}:6: Start a picture's path with a dot. Write \`./kestrel-c2.svg\`.`,
  ],
  [
    "a picture's path with the slashes of Windows",
    kestrel,
    "./kestrel-c2.svg",
    String.raw`'.\kestrel-c2.svg'`,
    `content/${kestrel}:6: Start a picture's path with a dot. Write \`./kestrel-c2.svg\`.`,
  ],
  [
    "a picture without a description",
    kestrel,
    "    alt: The Kestrel C2 in its cradle\n",
    "",
    `content/${kestrel}:6: picture 1, alt is missing. Write, for example, \`alt: The scanner in its cradle, seen from the left\`.`,
  ],
  [
    "a picture in a text without a description",
    kestrel,
    "It scans.",
    "![](./kestrel-c2.svg)",
    `content/${kestrel}:20: The picture has no description. Write \`![What it shows](./picture.svg)\`.`,
  ],
  [
    "a picture from another website",
    kestrel,
    "It scans.",
    "![A](https://example.com/a.png)",
    `content/${kestrel}:20: The picture https://example.com/a.png is on another website. Save it beside this file and use its file name.`,
  ],
  [
    "a description that starts by calling itself an image",
    kestrel,
    "alt: The Kestrel",
    "alt: Image of the Kestrel",
    `content/${kestrel}:7: The description begins with “Image of”, which screen readers already say. Start with what the picture shows: “the Kestrel C2 in its cradle”.`,
  ],
  [
    "a description in a text that starts by calling itself an image",
    kestrel,
    "It scans.",
    "![A photo showing a till](./kestrel-c2.svg)",
    `content/${kestrel}:20: The description begins with “A photo showing”, which screen readers already say. Start with what the picture shows: “a till”.`,
  ],
  [
    "a missing picture of the home page",
    "pages/home.md",
    "kestrel-c2.svg",
    "kestrl-c2.svg",
    "content/pages/home.md:5: No file ../products/barcode-scanners/kestrl-c2.svg. Did you mean `./kestrel-c2.svg`?",
  ],
  [
    "a broken link of the home page's button",
    "pages/home.md",
    "updated:",
    "action:\n  text: Look at the scanner\n  link: /products/kestrl-c2\nupdated:",
    "content/pages/home.md:9: No page `/products/kestrl-c2`. Did you mean `/products/kestrel-c2`?",
  ],
  [
    "a large picture on another page",
    "pages/about.md",
    "updated:",
    "scene:\n  src: ./about.svg\n  alt: A shop\nupdated:",
    "content/pages/about.md:4: Only the home page has a `scene`. Put pictures and links into the text.",
  ],
];

test("a picture's description may contain the word image, and its wording is only a warning", async () => {
  expect(await problemsAfter(kestrel, "alt: The Kestrel", "alt: An image sensor of the Kestrel")).toEqual([]);
  const root = writeContent({ [kestrel]: (validContent[kestrel] ?? "").replace("alt: The", "alt: Picture of the") });
  const problems = await checkContent(root);
  rmSync(root, { recursive: true });
  expect(problems.map(({ isWarning }) => isWarning)).toEqual([true]);
});

test.each(mistakes)(
  "%s is reported with its file, its line and what to write",
  async (_what, file, text, replacement, problem) => {
    expect(await problemsAfter(file, text, replacement)).toContain(problem);
  },
);

test.each([
  [
    "100%25.svg",
    "./100%25.svg",
    "The name ./100%25.svg has a character that breaks addresses. Rename the file: `./100-25.svg`.",
  ],
  ["a#b.svg", "./a%23b.svg", "No file ./a%23b.svg. Write ./a#b.svg, as the file is called."],
  ["a b.svg", "./a%20b.svg", "No file ./a%20b.svg. Write ./a b.svg, as the file is called."],
  [
    "e\u0301.svg",
    "./é.svg",
    "No file ./é.svg: its name has accents in another form, as some Macs write them. Rename the file, and type its name again.",
  ],
])("a file %j that a field names %j is reported with what to do", async (name, source, problem) => {
  const changes = {
    [kestrel]: (validContent[kestrel] ?? "").replace("./kestrel-c2.svg", JSON.stringify(source)),
    [`products/barcode-scanners/${name}`]: validContent["products/barcode-scanners/kestrel-c2.svg"] ?? "",
  };
  expect(await problemsWith(changes)).toEqual([`content/${kestrel}:6: ${problem}`]);
});

test("a % alone in a text's picture is reported, since Markdown reads it as part of a character", async () => {
  expect(await problemsAfter(kestrel, "It scans.", "![A](./100%.svg)")).toEqual([
    `content/${kestrel}:20: The address ./100%.svg has a % that stands for nothing. Write %25 for a %, or rename the picture.`,
  ]);
});
