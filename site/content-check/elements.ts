import { didYouMean } from "../src/content/suggest.ts";
import type { Element } from "./body.ts";

/** The components of an .mdx file (src/mdx-components.ts) with their attribute and an example. */
const components = new Map([
  ["Callout", { attribute: "kind", example: '<Callout kind="tip">' }],
  ["ProductCard", { attribute: "sku", example: '<ProductCard sku="KES-C2-BK" />' }],
  ["Endpoints", { attribute: undefined, example: "<Endpoints />" }],
  ["Fields", { attribute: "of", example: '<Fields of="Order" />' }],
]);

const kinds = ["tip", "note", "warning"];

// HTML for which Markdown has no sign of its own, and that brings no style along.
const plainTags = new Set(["br", "kbd", "sub", "sup", "abbr"]);

/** Why a component or an HTML element of an .mdx file can't stand there. */
export function elementProblem(element: Element, isInText: boolean, skus: ReadonlySet<string>): string | undefined {
  const name = element.name ?? "";
  if (plainTags.has(name)) return undefined;
  if (/^[a-z]/.test(name)) return pastedHtml(`<${name}>`);
  const component = components.get(name);
  if (component === undefined) return `There is no component <${name}>.${didYouMean(name, components.keys())}`;
  if (isInText) return `<${name}> must stand on lines of its own, with an empty line before and after.`;
  return component.attribute === undefined
    ? undefined
    : attributeProblem(element, component.attribute, component.example, skus);
}

function attributeProblem(
  element: Element,
  attribute: string,
  example: string,
  skus: ReadonlySet<string>,
): string | undefined {
  const value = element.attributes.find((each) => each.type === "mdxJsxAttribute" && each.name === attribute)?.value;
  if (typeof value !== "string") return `<${element.name}> needs ${attribute}="…". Write \`${example}\`.`;
  // The build knows the objects of the API's description, and ends at one that is not there.
  if (attribute === "of") return undefined;
  const known = attribute === "kind" ? kinds : skus;
  if ([...known].includes(value)) return undefined;
  if (attribute === "kind") return `<Callout> has no kind "${value}": ${kinds.join(", ")}.${didYouMean(value, kinds)}`;
  return `No product has the SKU ${value}.${didYouMean(value, skus)}`;
}

/** Why raw HTML can't stand in a .md file. Comments may: they are notes among editors. */
export function htmlProblem(html: string): string | undefined {
  const tags = html.replace(/<!--[\s\S]*?-->/g, "").matchAll(/<\/?([a-z][\w-]*)[^>]*>/gi);
  for (const [tag, name = ""] of tags) {
    if (components.has(name)) return `<${name}> works in an .mdx file only. Rename this file to end in .mdx.`;
    if (!plainTags.has(name.toLowerCase())) return pastedHtml(tag);
  }
  return undefined;
}

const pastedHtml = (tag: string) =>
  `Found \`${tag}\`, pasted from Word or a website? Paste it as plain text (Ctrl+Shift+V) and write Markdown.`;
