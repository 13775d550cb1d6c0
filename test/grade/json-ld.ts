import { readElements } from "./html-elements.ts";

export type JsonLdNode = Readonly<Record<string, unknown>>;

/** Reads the top-level nodes of a page's JSON-LD. Throws if one isn't JSON or isn't an object. */
export function readJsonLd(html: string): JsonLdNode[] {
  const scripts = readElements(html).filter(({ name, attributes }) => {
    return name === "script" && attributes.get("type") === "application/ld+json";
  });
  return scripts.flatMap(({ text }) => {
    const data: unknown = JSON.parse(text);
    const roots = isNode(data) && Array.isArray(data["@graph"]) ? data["@graph"] : data;
    return [roots].flat().map((root) => {
      if (!isNode(root)) throw new Error(`JSON-LD isn't an object: ${JSON.stringify(root)}`);
      return root;
    });
  });
}

/** A node and all nodes nested in it. */
export function nodesIn(node: JsonLdNode): JsonLdNode[] {
  return [node, ...Object.values(node).flat().filter(isNode).flatMap(nodesIn)];
}

export const typesOf = (node: JsonLdNode): string[] =>
  [node["@type"]].flat().filter((type) => typeof type === "string");

function isNode(value: unknown): value is JsonLdNode {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
