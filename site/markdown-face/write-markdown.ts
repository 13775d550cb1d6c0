import type { Root } from "mdast";
import { gfmToMarkdown } from "mdast-util-gfm";
import { type Options, toMarkdown } from "mdast-util-to-markdown";
import { writeCode, writeImage, writeLink, writeText } from "./escaping.ts";

const options: Options = {
  extensions: [gfmToMarkdown({ tablePipeAlign: false })],
  bullet: "-",
  emphasis: "*",
  fences: true,
  resourceLink: true,
  rule: "-",
  handlers: { image: writeImage, inlineCode: writeCode, link: writeLink, text: writeText },
};

/** Writes Markdown's tree as text that reads back as the same tree. */
export const toText = (tree: Root): string => toMarkdown(tree, options);
