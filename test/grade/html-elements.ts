import { type DefaultTreeAdapterTypes as Html, parse } from "parse5";

export interface Element {
  name: string;
  attributes: ReadonlyMap<string, string>;
  /** Its own text, without that of nested elements. */
  text: string;
}

/** Reads the elements of an HTML document, parents before children. */
export const readElements = (html: string): Element[] => elementsIn(parse(html));

function elementsIn(parent: Html.ParentNode): Element[] {
  return parent.childNodes.flatMap((node) => {
    if (!("tagName" in node)) return [];
    const attributes = new Map(node.attrs.map(({ name, value }) => [name, value]));
    const text = node.childNodes.map((child) => ("value" in child ? child.value : "")).join("");
    return [{ name: node.tagName, attributes, text }, ...elementsIn(node)];
  });
}
