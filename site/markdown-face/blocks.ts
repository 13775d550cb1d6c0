import type { PhrasingContent, RootContent } from "mdast";
import { isMark, type Mark } from "./marks.ts";
import { isBlank, isPhrasing, paragraph } from "./phrasing.ts";

/** Puts what stands between blocks into paragraphs; blanks and line breaks alone are none. */
export const blocksOf = (content: readonly RootContent[]): RootContent[] =>
  lineByLine(
    content.flatMap(divided),
    (line) => (line.every(isBlank) ? [] : [paragraph(...line)]),
    (block) => block,
  );

/** A link or another mark around blocks, which Markdown can't write, as one in each of their lines. */
function divided(node: RootContent): RootContent | RootContent[] {
  if (!isMark(node)) return node;
  const content = node.children.flatMap(divided);
  return content.every(isPhrasing) ? node : marked(content, node);
}

const marked = (content: readonly RootContent[], mark: Mark): RootContent[] =>
  lineByLine(
    content,
    (line) => [{ ...mark, children: line }],
    (block) => ("children" in block ? withContent(block, marked(block.children, mark)) : block),
  );

// A mark changes no block into one of another kind: what could stand in it still can.
const withContent = <Block extends RootContent>(block: Block, children: RootContent[]): Block => ({
  ...block,
  children,
});

function lineByLine(
  content: readonly RootContent[],
  onLine: (line: PhrasingContent[]) => RootContent[],
  onBlock: (block: Exclude<RootContent, PhrasingContent>) => RootContent,
): RootContent[] {
  const result: RootContent[] = [];
  let line: PhrasingContent[] = [];
  for (const node of content) {
    if (isPhrasing(node)) {
      line.push(node);
      continue;
    }
    if (line.length > 0) result.push(...onLine(line));
    line = [];
    result.push(onBlock(node));
  }
  if (line.length > 0) result.push(...onLine(line));
  return result;
}
