import { defaultHandlers, type Handle } from "mdast-util-to-markdown";

/**
 * Serialises a text as remark does, then takes back the escapes that do nothing: agents quote what they read, and
 * `sales\@shop.example` or `\[0]` come back wrong.
 */
export const writeText: Handle = (node, parent, state, info) => {
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
  const isFollowed = afterNode !== undefined || marks.has(parent?.type);
  const relaxed = needlessEscapes.reduce(
    (text, { pattern, inLabel }) => (isInLabel && !inLabel ? text : text.replace(pattern, "")),
    isFollowed ? `${escaped}\\` : escaped,
  );
  const result = isFollowed ? relaxed.slice(0, -1) : relaxed;
  const isWholeLine = siblings.length === 1 && lines.has(parent?.type);
  return isWholeLine ? freeLoneMarkers(result, node.value) : result;
};

const marks = new Set<string | undefined>(["strong", "emphasis", "delete"]);
const lines = new Set<string | undefined>(["paragraph", "heading", "tableCell"]);

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

/** Serialises a link as remark does, but for the backslash before `&` in its URL where it isn't needed. */
export const writeLink = withPlainUrl(defaultHandlers.link, "[");

/** Serialises a picture likewise. */
export const writeImage = withPlainUrl(defaultHandlers.image, "!");

// `first` is what the result begins with, which remark asks for beforehand.
function withPlainUrl(write: Handle, first: string) {
  const handle: Handle = (node, parent, state, info) => plainUrl(write(node, parent, state, info));
  return Object.assign(handle, { peek: () => first });
}

// The URL begins after the last `](`: its own parentheses are percent-encoded.
function plainUrl(link: string): string {
  const start = link.lastIndexOf("](");
  return link.slice(0, start) + link.slice(start).replace(/\\(?=&(?!#?\w+;))/g, "");
}
