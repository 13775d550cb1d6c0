import { parse } from "@astrojs/compiler-rs";

type Node = { type: string; [key: string]: unknown };

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";

const hasLetters = (text: string) => /\p{L}/u.test(text);
/** Our components take the name of an element as their title. */
const isSaid = (text: string) => hasLetters(text) && !/^(?:h[1-6]|p)$/.test(text);
/** How a sentence or a heading looks, as opposed to the name of a thing in code. */
const isWording = (text: string) => /^\p{Lu}\p{Ll}|\p{L}.* .*\p{L}/u.test(text.replace(/<[^>]*>?/g, ""));

/** Attributes that people read or hear. */
const spoken =
  /^(?:alt|title|placeholder|label|description|summary|aria-(?:label|description|roledescription|valuetext))$/;

/**
 * The words that stand in an .astro file: in its markup any text, in the code above it what looks like a sentence or a
 * heading. Messages of errors are for developers.
 */
export function readLiterals(template: string): string[] {
  const { ast } = parse(template);
  if (!isNode(ast)) throw new Error("the compiler gives no tree");
  const { frontmatter, body } = ast;
  return [...literalsIn(frontmatter, isWording), ...markupOf(body)];
}

/** Text and spoken attributes of the markup, and the markup within its expressions. */
function markupOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(markupOf);
  if (!isNode(value)) return [];
  if (value.type === "JSXText") return [String(value["value"]).trim()].filter(hasLetters);
  if (value.type === "JSXAttribute") return isSpoken(value) ? literalsIn(value["value"], isSaid) : [];
  if (value.type === "JSXExpressionContainer") return expressionOf(value["expression"]);
  if (value.type === "JSXElement" && isScript(value)) return markupOf(value["openingElement"]);
  return Object.values(value).flatMap(markupOf);
}

/** An expression's own strings where they are shown, and the markup that it makes. */
function expressionOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(expressionOf);
  if (!isNode(value)) return [];
  if (value.type.startsWith("JSX")) return markupOf(value);
  // What is compared or called with a string doesn't show it.
  if (value.type === "BinaryExpression" && value["operator"] !== "+") return [];
  if (value.type === "CallExpression") return markupOf(value["arguments"]);
  const own = textOf(value);
  return own === undefined ? Object.values(value).flatMap(expressionOf) : [own].filter(hasLetters);
}

function literalsIn(value: unknown, isWanted: (text: string) => boolean): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => literalsIn(each, isWanted));
  if (!isNode(value) || /^(?:Import|TS|ThrowStatement)/.test(value.type)) return [];
  const own = textOf(value);
  if (own !== undefined) return [own].filter(isWanted);
  return Object.values(value).flatMap((each) => literalsIn(each, isWanted));
}

/** The text of a string, or of a part of a template. */
function textOf({ type, value }: Node): string | undefined {
  if (type === "Literal") return typeof value === "string" ? value : undefined;
  if (type !== "TemplateElement" || typeof value !== "object" || value === null || !("raw" in value)) return undefined;
  return String(value.raw);
}

const nameOf = ({ name }: Node): string => (isNode(name) && typeof name["name"] === "string" ? name["name"] : "");
const isSpoken = (attribute: Node) => spoken.test(nameOf(attribute));
const isScript = ({ openingElement }: Node) =>
  isNode(openingElement) && /^(?:script|style)$/.test(nameOf(openingElement));
