import type { Image, InlineCode, Link, Root } from "mdast";
import { gfmToMarkdown } from "mdast-util-gfm";
import { defaultHandlers, type Handle, type Options, toMarkdown } from "mdast-util-to-markdown";
import { isLine, isMark } from "./markdown-tree.ts";

// Most texts hold nothing that Markdown could read as its own, within a line and at its ends: remark, which looks for each
// of seventy patterns, gives them back as they are.
const plain = /^(?!\()(?:[^\t\r\n!&*<[\]\\_`|~@:.]|:(?!\/)|(?<![Ww])\.)*$/;
const plainAtEnds = /^(?![ #+\-=>:]|\d+[.)]).*[^ #]$/;

/**
 * Serialises a text as remark does, then takes back the escapes that do nothing: agents quote what they read, and
 * `sales\@shop.example` or `\[0]` come back wrong.
 */
export const writeText: Handle = (node, parent, state, info) => {
  const isAtEnd = info.before === "\n" || info.after === "\n";
  if (plain.test(node.value) && (!isAtEnd || plainAtEnds.test(node.value))) return node.value;
  const siblings = parent?.children ?? [];
  const index = state.indexStack.at(-1) ?? 0;
  const [beforeNode, afterNode] = [siblings[index - 1], siblings[index + 1]];
  const escaped = state.safe(node.value, {
    ...info,
    ...(beforeNode && { beforeNode }),
    ...(afterNode && { afterNode }),
  });
  const isInLabel = state.stack.includes("label");
  // What follows, a `*` for example, would continue an address that ends here: the backslash stands for it.
  const isFollowed = afterNode !== undefined || (parent && isMark(parent) && parent.type !== "link");
  const relaxed = needlessEscapes.reduce(
    (text, { pattern, inLabel }) => (isInLabel && !inLabel ? text : text.replace(pattern, "")),
    isFollowed ? `${escaped}\\` : escaped,
  );
  const result = isFollowed ? relaxed.slice(0, -1) : relaxed;
  const isWholeLine = siblings.length === 1 && parent && isLine(parent);
  return isWholeLine ? freeLoneMarkers(result, node.value) : result;
};

// A `*` (footnote) or `~` (about) without a second one in its line begins nothing; at the line's start it might a list.
function freeLoneMarkers(escaped: string, value: string): string {
  return ["*", "~"].reduce((text, marker) => {
    const isLone = value.split(marker).length === 2 && !value.startsWith(marker);
    return isLone ? text.replace(`\\${marker}`, marker) : text;
  }, escaped);
}

// A host, a path or a sentence's end, and then nothing more.
const address = /[\w.-]+(?::\d+)?(?:[/?#][^\s\\<|[\]]*|[.,;:!?)"'”’]*)(?:\s|$)/.source;

// Each pattern matches a backslash alone. The one before the backslash must not be a backslash: that pair is a literal one.
const needlessEscapes = [
  // Only a whole character reference means something (CommonMark 2.5).
  { pattern: /(?<!\\)\\(?=&(?!#?\w+;))/g, inLabel: true },
  // Between spaces, neither can open or close an emphasis (CommonMark 6.2).
  { pattern: /(?<=\s)\\(?=[*_]\s)/g, inLabel: true },
  // A bracket makes a link with a following `(`, which stays escaped, or with a definition, which we never write. At the
  // start of a line it could be a definition, a task or GitHub's alert; in a label it could end it.
  { pattern: /(?<=[^\\!\n])\\(?=\[)/g, inLabel: false },
  // A bare address becomes a link in GFM (6.9), which is what it says anyway. But it reaches to the next space, and in it
  // no escape works: one with a backslash in it stays text, and so does one that is none.
  { pattern: new RegExp(`(?<=[\\w.+-])\\\\(?=@${address})`, "g"), inLabel: true },
  { pattern: new RegExp(`(?<=\\bhttps?)\\\\(?=://${address})`, "g"), inLabel: true },
  { pattern: new RegExp(`(?<=\\bwww)\\\\(?=\\.${address})`, "gi"), inLabel: true },
] as const;

/** Code in a line: a fence that isn't in it; in a cell of GFM a pipe is escaped even here (GFM 4.10). */
export const writeCode: Handle = Object.assign(
  (({ value }: InlineCode, _parent, state) => {
    const runs = new Set(value.match(/`+/g));
    let fence = "`";
    while (runs.has(fence)) fence += "`";
    const code = /^`|`$/.test(value) ? ` ${value} ` : value;
    return fence + (state.stack.includes("tableCell") ? code.replaceAll("|", "\\|") : code) + fence;
  }) satisfies Handle,
  { peek: () => "`" },
);

/** Serialises a link as remark does, but for the backslash before `&` in its URL where it isn't needed. */
export const writeLink: Handle = Object.assign(
  ((node: Link, parent, state, info) => {
    if (node.title || !isPlainAddress(node.url)) return plainUrl(defaultHandlers.link(node, parent, state, info));
    const exits = [state.enter("link"), state.enter("label")];
    const text = state.containerPhrasing(node, { ...info, before: "[", after: "](" });
    for (const exit of exits.reverse()) exit();
    // It could be taken for a definition.
    if (text.includes("]:")) return plainUrl(defaultHandlers.link(node, parent, state, info));
    return `[${text}](${node.url})`;
  }) satisfies Handle,
  { peek: () => "[" },
);

/** Serialises a picture likewise. */
export const writeImage: Handle = Object.assign(
  ((node: Image, parent, state, info) => {
    if (node.title || !isPlainAddress(node.url) || !plain.test(node.alt ?? ""))
      return plainUrl(defaultHandlers.image(node, parent, state, info));
    return `![${node.alt}](${node.url})`;
  }) satisfies Handle,
  { peek: () => "!" },
);

// Nothing in it that would have to be escaped somewhere; parentheses are percent-encoded.
const isPlainAddress = (url: string) => !/[\0- <>[\]\\|()\u007f]|&#?\w+;/.test(url);

// The URL begins after the last `](`: its own parentheses are percent-encoded.
function plainUrl(link: string): string {
  const start = link.lastIndexOf("](");
  return link.slice(0, start) + link.slice(start).replace(/\\(?=&(?!#?\w+;))/g, "");
}

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
