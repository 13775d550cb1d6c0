import type { Image, InlineCode, Link, Root } from "mdast";
import { gfmToMarkdown } from "mdast-util-gfm";
import { defaultHandlers, type Handle, type Info, type Options, toMarkdown } from "mdast-util-to-markdown";
import { isLine, isMark } from "./markdown-tree.ts";

// Most texts contain nothing that Markdown could read as syntax: they skip remark, which tests each text against some seventy
// patterns.
const plain = /^(?!\()(?:[^\t\r\n!&*<[\]\\_`|~@:.]|&(?= )|:(?!\/)|(?<![Ww])\.)*$/;
const plainAtStart = /^(?![ #+\-=>:]|\d+[.)])/;
const plainAtEnd = /[^ #]$/;

const isPlain = (value: string, { before, after }: Pick<Info, "before" | "after">) =>
  plain.test(value) && (before !== "\n" || plainAtStart.test(value)) && (after !== "\n" || plainAtEnd.test(value));

/**
 * Serialises text as remark does, then removes escapes that have no effect: agents quote what they read, and would repeat
 * `sales\@shop.example` or `\[0]`.
 */
const writeText: Handle = (node, parent, state, info) => {
  if (isPlain(node.value, info)) return node.value;
  const siblings = parent?.children ?? [];
  const index = state.indexStack.at(-1) ?? 0;
  const [beforeNode, afterNode] = [siblings[index - 1], siblings[index + 1]];
  const escaped = state.safe(node.value, {
    ...info,
    ...(beforeNode && { beforeNode }),
    ...(afterNode && { afterNode }),
  });
  const isInLabel = state.stack.includes("label");
  // A character that follows, such as `*`, would continue an address that ends here: the backslash represents it.
  const isFollowed = afterNode !== undefined || (parent && isMark(parent) && parent.type !== "link");
  const relaxed = needlessEscapes.reduce(
    (text, { pattern, inLabel }) => (isInLabel && !inLabel ? text : text.replace(pattern, "")),
    isFollowed ? `${escaped}\\` : escaped,
  );
  const result = isFollowed ? relaxed.slice(0, -1) : relaxed;
  const isWholeLine = siblings.length === 1 && parent && isLine(parent);
  return isWholeLine ? freeLoneMarkers(result, node.value) : result;
};

// A single `*` (footnote) or `~` (about) in a line opens nothing, except a list at the line's start.
function freeLoneMarkers(escaped: string, value: string): string {
  return ["*", "~"].reduce((text, marker) => {
    const isLone = value.split(marker).length === 2 && !value.startsWith(marker);
    return isLone ? text.replace(`\\${marker}`, marker) : text;
  }, escaped);
}

// A host or path, or the end of a sentence, and then white space or the end.
const address = /[\w.-]+(?::\d+)?(?:[/?#][^\s\\<|[\]]*|[.,;:!?)"'”’]*)(?:\s|$)/.source;

// Each pattern matches one backslash that isn't preceded by another: that pair is a literal backslash.
const needlessEscapes = [
  // Only a complete character reference has a meaning (CommonMark 2.5).
  { pattern: /(?<!\\)\\(?=&(?!#?\w+;))/g, inLabel: true },
  // Between spaces, neither can open or close emphasis (CommonMark 6.2).
  { pattern: /(?<=\s)\\(?=[*_]\s)/g, inLabel: true },
  // A bracket makes a link only with a `(` after it, which stays escaped, or with a definition, which we never write. At the
  // start of a line it could begin a definition, a task or an alert; in a label it could end the label.
  { pattern: /(?<=[^\\!\n])\\(?=\[)/g, inLabel: false },
  // GFM (6.9) turns a bare address into a link to itself. The address reaches to the next space and no escape works in it, so
  // text with another backslash in it stays escaped.
  { pattern: new RegExp(`(?<=[\\w.+-])\\\\(?=@${address})`, "g"), inLabel: true },
  { pattern: new RegExp(`(?<=\\bhttps?)\\\\(?=://${address})`, "g"), inLabel: true },
  { pattern: new RegExp(`(?<=\\bwww)\\\\(?=\\.${address})`, "gi"), inLabel: true },
] as const;

/** Inline code, in a fence that it doesn't contain. In a table cell a pipe is escaped even in code (GFM 4.10). */
const writeCode: Handle = Object.assign(
  (({ value }: InlineCode, _parent, state) => {
    const runs = new Set(value.match(/`+/g));
    let fence = "`";
    while (runs.has(fence)) fence += "`";
    const code = /^`|`$/.test(value) ? ` ${value} ` : value;
    return fence + (state.stack.includes("tableCell") ? code.replaceAll("|", "\\|") : code) + fence;
  }) satisfies Handle,
  { peek: () => "`" },
);

/** Serialises a link as remark does, without a needless backslash before `&` in its URL. */
const writeLink: Handle = Object.assign(
  ((node: Link, parent, state, info) => {
    if (node.title || !isPlainAddress(node.url)) return plainUrl(defaultHandlers.link(node, parent, state, info));
    const exits = [state.enter("link"), state.enter("label")];
    const text = state.containerPhrasing(node, { ...info, before: "[", after: "](" });
    for (const exit of exits.reverse()) exit();
    // Could be read as a definition.
    if (text.includes("]:")) return plainUrl(defaultHandlers.link(node, parent, state, info));
    return `[${text}](${node.url})`;
  }) satisfies Handle,
  { peek: () => "[" },
);

/** Serialises a picture in the same way. */
const writeImage: Handle = Object.assign(
  ((node: Image, parent, state, info) => {
    if (node.title || !isPlainAddress(node.url) || !plain.test(node.alt ?? ""))
      return plainUrl(defaultHandlers.image(node, parent, state, info));
    return `![${node.alt}](${node.url})`;
  }) satisfies Handle,
  { peek: () => "!" },
);

// Contains nothing that might need escaping; parentheses are percent-encoded.
const isPlainAddress = (url: string) => !/[\0- <>[\]\\|()\u007f]|&#?\w+;/.test(url);

// The URL begins after the last `](`, as its own parentheses are percent-encoded.
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

/** Writes a Markdown tree as text that parses back into the same tree. */
export const toText = (tree: Root): string => toMarkdown(tree, options);
