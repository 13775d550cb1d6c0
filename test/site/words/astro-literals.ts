import { parse } from "@astrojs/compiler-rs";

type Node = { type: string; [key: string]: unknown };

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";

const hasLetters = (text: string) => /\p{L}/u.test(text);
/** Text that people read; some of our components take an element's name as their title. */
const isReadText = (text: string) => hasLetters(text) && !/^(?:h[1-6]|p)$/.test(text);
/** Text that looks like a sentence or a heading, unlike a name in code. */
const isWording = (text: string) => /^\p{Lu}\p{Ll}|\p{L}.* .*\p{L}/u.test(text.replace(/<[^>]*>?/g, ""));

/** Attributes that people read or hear. */
const readAttributes =
  /^(?:alt|title|placeholder|label|description|summary|aria-(?:label|description|roledescription|valuetext))$/;

/**
 * The words in an .astro file: any text in its markup, and text in its code that looks like a sentence or a heading.
 * Error messages are left out, because they are for developers.
 */
export function readLiterals(template: string): string[] {
  const { ast } = parse(template);
  if (!isNode(ast)) throw new Error("the compiler gives no tree");
  const { frontmatter, body } = ast;
  return [...literalsIn(frontmatter, isWording), ...markupOf(body)];
}

/** The text and readable attributes of the markup, including markup inside expressions. */
function markupOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(markupOf);
  if (!isNode(value)) return [];
  if (value.type === "JSXText") return [String(value["value"]).trim()].filter(hasLetters);
  if (value.type === "JSXAttribute") return isReadAttribute(value) ? literalsIn(value["value"], isReadText) : [];
  if (value.type === "JSXExpressionContainer") return expressionOf(value["expression"]);
  if (value.type === "JSXElement" && isScript(value)) return markupOf(value["openingElement"]);
  return Object.values(value).flatMap(markupOf);
}

/** The strings that an expression shows, and the markup that it makes. */
function expressionOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(expressionOf);
  if (!isNode(value)) return [];
  if (value.type.startsWith("JSX")) return markupOf(value);
  // A string in a comparison or a call isn't shown.
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

/** The text of a string or of part of a template literal. */
function textOf({ type, value }: Node): string | undefined {
  if (type === "Literal") return typeof value === "string" ? value : undefined;
  if (type !== "TemplateElement" || typeof value !== "object" || value === null || !("raw" in value)) return undefined;
  return String(value.raw);
}

const nameOf = ({ name }: Node): string => (isNode(name) && typeof name["name"] === "string" ? name["name"] : "");
const isReadAttribute = (attribute: Node) => readAttributes.test(nameOf(attribute));
const isScript = ({ openingElement }: Node) =>
  isNode(openingElement) && /^(?:script|style)$/.test(nameOf(openingElement));
