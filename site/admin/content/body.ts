import type { Nodes, Root, RootContent } from "mdast";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { visit } from "unist-util-visit";

const markdown = unified().use(remarkParse).use(remarkGfm);

/**
 * The text below a file's fields with what an editor has changed. Paragraphs, lists and tables that mean the same keep
 * their bytes: Sveltia writes `_word_` for `*word*`, and tables in its own way. MDX is edited as it is.
 */
export function keepBlocks(base: string, next: string, { isMdx, eol }: { isMdx: boolean; eol: string }): string {
  const [old, text] = [base.replaceAll("\r\n", "\n"), next.replaceAll("\r\n", "\n").trim()];
  if (old.trim() === text) return base;
  const body = isMdx ? text : mergeBlocks(old, text);
  if (body === old.trim()) return base;
  const [lead = ""] = /^\s*/.exec(old) ?? [];
  const written = body === "" ? "" : `${old.trim() === "" ? "" : lead}${body}\n`;
  return written.replaceAll("\n", eol);
}

function mergeBlocks(old: string, next: string): string {
  const [oldTree, nextTree] = [markdown.parse(old), markdown.parse(next)];
  const [before, after] = [oldTree.children, nextTree.children];
  const [meanings, wanted] = [oldTree, nextTree].map((tree) => tree.children.map(meaningOf)) as [string[], string[]];
  if (JSON.stringify(meanings) === JSON.stringify(wanted)) return old.trim();
  const free = new Set(before.keys());
  let text = "";
  let last: number | undefined;
  for (const [index, node] of after.entries()) {
    const kept = [...free].find((each) => meanings[each] === wanted[index]);
    if (kept !== undefined) free.delete(kept);
    const gap = kept !== undefined && last === kept - 1 ? between(old, before[last], before[kept]) : "\n\n";
    text += (index === 0 ? "" : gap) + (kept === undefined ? sliceOf(next, node) : sliceOf(old, before[kept]));
    last = kept;
  }
  return text;
}

const rangeOf = (node: RootContent | undefined): [number, number] => [
  node?.position?.start.offset ?? 0,
  node?.position?.end.offset ?? 0,
];

const sliceOf = (text: string, node: RootContent | undefined): string => text.slice(...rangeOf(node));

const between = (text: string, one: RootContent | undefined, other: RootContent | undefined): string =>
  text.slice(rangeOf(one)[1], rangeOf(other)[0]);

/** A block's tree without places, and with a space for each line break within a paragraph. */
function meaningOf(block: RootContent): string {
  const tree: Root = { type: "root", children: [structuredClone(block)] };
  visit(tree, (node: Nodes) => {
    delete node.position;
    if (node.type === "text") node.value = node.value.replaceAll(/\s+/g, " ");
    // A blank line between the items of a list is a matter of taste.
    if (node.type === "list" || node.type === "listItem") delete node.spread;
  });
  return JSON.stringify(tree);
}
