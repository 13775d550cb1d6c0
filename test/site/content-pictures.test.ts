import { expect, test } from "vitest";
import { kestrel, type Mistake, problemsAfter } from "./content-problems.ts";

const mistakes: Mistake[] = [
  [
    "a picture that is not there",
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
    `content/${kestrel}:6: No file ./Kestrel-C2.svg; there is ./kestrel-c2.svg (capitals matter).`,
  ],
  [
    "a picture's path without a dot",
    kestrel,
    "./kestrel-c2.svg",
    "kestrel-c2.svg",
    `content/${kestrel}:6: A picture's path begins with a dot: write \`./kestrel-c2.svg\`.`,
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
    "a picture from elsewhere",
    kestrel,
    "It scans.",
    "![A](https://example.com/a.png)",
    `content/${kestrel}:20: The picture https://example.com/a.png is elsewhere on the web. Save it beside this file and name it here.`,
  ],
];

test.each(mistakes)(
  "%s is named with its file, its line and what to write",
  async (_what, file, text, replacement, problem) => {
    expect(await problemsAfter(file, text, replacement)).toContain(problem);
  },
);
