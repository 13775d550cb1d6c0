import GithubSlugger from "github-slugger";
import type { Nodes, Root } from "mdast";
import { toString as textOf } from "mdast-util-to-string";
import remarkGfm from "remark-gfm";
import remarkMdx from "remark-mdx";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { visit } from "unist-util-visit";

type Located<Facts> = Facts & { line: number };
export type Element = Extract<Nodes, { type: "mdxJsxFlowElement" | "mdxJsxTextElement" }>;

/** What a body holds that can be wrong. */
export interface Body {
  headings: Located<{ depth: number; text: string; id: string }>[];
  links: Located<{ url: string }>[];
  pictures: Located<{ url: string; alt: string }>[];
  /** What an .mdx file would run: `{1 + 1}`, `import …`. */
  code: Located<{ text: string; isModule: boolean }>[];
  footnotes: Located<object>[];
  /** Raw HTML of a .md file. */
  html: Located<{ value: string }>[];
  /** HTML and components of an .mdx file. */
  elements: Located<{ element: Element; isInText: boolean }>[];
}

const markdown = unified().use(remarkParse).use(remarkGfm);
const mdx = unified().use(remarkParse).use(remarkGfm).use(remarkMdx);

/** Reads a body that begins on `firstLine` of its file. Throws what remark-mdx throws when an .mdx file's code is wrong. */
export function parseBody(text: string, isMdx: boolean, firstLine: number): Body {
  const body: Body = { headings: [], links: [], pictures: [], code: [], footnotes: [], html: [], elements: [] };
  const tree: Root = (isMdx ? mdx : markdown).parse("\n".repeat(firstLine - 1) + text);
  const slugger = new GithubSlugger();
  const definitions = new Map<string, string>();
  visit(tree, "definition", ({ identifier, url }) => void definitions.set(identifier, url));
  visit(tree, (node, _index, parent) => {
    const line = node.position?.start.line ?? firstLine;
    if (node.type === "heading") {
      const text = textOf(node);
      body.headings.push({ depth: node.depth, text, id: slugger.slug(text), line });
    } else if (node.type === "link") body.links.push({ url: node.url, line });
    else if (node.type === "linkReference") body.links.push({ url: definitions.get(node.identifier) ?? "", line });
    else if (node.type === "image") body.pictures.push({ url: node.url, alt: node.alt ?? "", line });
    else if (node.type === "imageReference")
      body.pictures.push({ url: definitions.get(node.identifier) ?? "", alt: node.alt ?? "", line });
    else if (node.type === "footnoteReference" || node.type === "footnoteDefinition") body.footnotes.push({ line });
    else if (node.type === "html") body.html.push({ value: node.value, line });
    else if (node.type === "mdxjsEsm") body.code.push({ text: node.value, isModule: true, line });
    else if (node.type === "mdxFlowExpression" || node.type === "mdxTextExpression")
      body.code.push({ text: node.value, isModule: false, line });
    else if (node.type === "mdxJsxFlowElement") body.elements.push({ element: node, isInText: false, line });
    else if (node.type === "mdxJsxTextElement")
      body.elements.push({ element: node, isInText: !standsAlone(parent), line });
  });
  return body;
}

/** MDX lifts components out of a paragraph that holds nothing else. */
function standsAlone(parent: Nodes | undefined): boolean {
  return (
    parent?.type === "paragraph" &&
    parent.children.every((child) => child.type === "mdxJsxTextElement" || !textOf(child).trim())
  );
}
