import type { Options } from "remark-stringify";

type Handlers = NonNullable<Options["handlers"]>;

/**
 * Serialises a text as remark does, then takes back the escapes that do nothing: agents quote what they read, and
 * `sales\@shop.example` or `\[0]` come back wrong.
 */
export const writeText: NonNullable<Handlers["text"]> = (node, parent, state, info) => {
  const siblings = parent?.children ?? [];
  const index = state.indexStack.at(-1) ?? 0;
  const [beforeNode, afterNode] = [siblings[index - 1], siblings[index + 1]];
  const escaped = state.safe(node.value, {
    ...info,
    ...(beforeNode && { beforeNode }),
    ...(afterNode && { afterNode }),
  });
  const isInLabel = state.stack.includes("label");
  return needlessEscapes.reduce(
    (text, { pattern, inLabel }) => (isInLabel && !inLabel ? text : text.replace(pattern, "")),
    escaped,
  );
};

// Each pattern matches a backslash alone. The one before the backslash must not be a backslash: that pair is a literal one.
const needlessEscapes = [
  // A bare address becomes a link in GFM (§6.9), which is what it says anyway.
  { pattern: /(?<=[\w.+-])\\(?=@\w)/g, inLabel: true },
  { pattern: /(?<=\bhttps?)\\(?=:\/\/)/g, inLabel: true },
  { pattern: /(?<=\bwww)\\(?=\.\w)/gi, inLabel: true },
  // Only a whole character reference means something (CommonMark 2.5).
  { pattern: /(?<!\\)\\(?=&(?!#?\w+;))/g, inLabel: true },
  // Between spaces, neither can open or close an emphasis (CommonMark 6.2).
  { pattern: /(?<=\s)\\(?=[*_]\s)/g, inLabel: true },
  // A bracket makes a link with a following `(`, which stays escaped, or with a definition, which we never write. At the
  // start of a line it could be a definition, a task or GitHub's alert; in a label it could end it.
  { pattern: /(?<=[^\\!\n])\\(?=\[(?!\^))/g, inLabel: false },
] as const;
