import { didYouMean } from "../content-schema/suggest.ts";
import type { Element } from "./body.ts";

/** The components of an .mdx file (src/components/mdx-components.ts) with their attribute and an example. */
const components = new Map([
  ["Callout", { attribute: "kind", example: '<Callout kind="tip">' }],
  ["ProductCard", { attribute: "sku", example: '<ProductCard sku="KES-C2-BK" />' }],
  ["Endpoints", { attribute: undefined, example: "<Endpoints />" }],
  ["Fields", { attribute: "of", example: '<Fields of="Order" />' }],
  ["ReturnPolicy", { attribute: undefined, example: "<ReturnPolicy />" }],
  ["ShippingTable", { attribute: undefined, example: "<ShippingTable />" }],
]);

const kinds = ["tip", "note", "warning"];

// HTML for which Markdown has no sign of its own, and that brings no style along; the attribute that each may have.
const plainTags = new Map([
  ["br", ""],
  ["kbd", ""],
  ["sub", ""],
  ["sup", ""],
  ["abbr", "title"],
]);

/** Why a component or an HTML element of an .mdx file can't stand there. */
export function elementProblem(element: Element, isInText: boolean, skus: ReadonlySet<string>): string | undefined {
  const name = element.name ?? "";
  const code = element.attributes.find((each) => each.type !== "mdxJsxAttribute" || typeof each.value === "object");
  if (code !== undefined) return `<${name}> has code in its attributes. Write their text in quotes: name="text".`;
  const attribute = plainTags.get(name) ?? components.get(name)?.attribute ?? "";
  const unknown = element.attributes.find((each) => each.type === "mdxJsxAttribute" && each.name !== attribute);
  if (plainTags.has(name)) return unknown && pastedHtml(`<${name} …>`);
  if (/^[a-z]/.test(name)) return pastedHtml(`<${name}>`);
  const component = components.get(name);
  if (component === undefined) return `There is no component <${name}>.${didYouMean(name, components.keys())}`;
  if (isInText) return `<${name}> must stand on lines of its own, with an empty line before and after.`;
  if (unknown?.type === "mdxJsxAttribute")
    return `<${name}> has no attribute ${unknown.name}. Write \`${component.example}\`.`;
  return component.attribute === undefined
    ? undefined
    : attributeProblem(element, component.attribute, component.example, skus);
}

// Components that show a field of store.yaml.
const policies = new Map([
  ["ShippingTable", "shipping"],
  ["ReturnPolicy", "returns"],
]);

/** Why a component has nothing to show; `storeFields` are those of store.yaml. */
export function policyProblem(name: string | null, storeFields: ReadonlySet<string> | undefined): string | undefined {
  const field = policies.get(name ?? "");
  if (field === undefined || storeFields === undefined || storeFields.has(field)) return undefined;
  return `<${name} /> shows \`${field}\` of content/store.yaml, which has none. Write it there, or take this line out.`;
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

/** Why what an .mdx file would run can't stand there: content is read, never run. */
export function codeProblem(text: string, isModule: boolean): string {
  const [line = ""] = text.trim().split("\n");
  if (isModule) return `\`${line}\` is code. Components need no import; as text, begin the line with another word.`;
  return `\`{${line}}\` is code. For the signs themselves write \`\\{${line}\\}\`.`;
}

/** Why raw HTML can't stand in a .md file. Comments may, where HTML (13.1.6) agrees on their end: they are notes among editors. */
export function htmlProblem(html: string): string | undefined {
  const tags = html.replace(/<!--(?!-?>)(?:(?!--!?>)[\s\S])*-->/g, "").matchAll(/<\/?([a-z][^\s/>]*)([^>]*)>?/gi);
  for (const [tag, name = "", rest = ""] of tags) {
    if (components.has(name)) return `<${name}> works in an .mdx file only. Rename this file to end in .mdx.`;
    const attribute = plainTags.get(name.toLowerCase());
    const isPlain =
      rest.trim() === "" ||
      rest.trim() === "/" ||
      (attribute && rest.trim().match(/^(\w+)="[^"<>]*"$/)?.[1] === attribute);
    if (attribute === undefined || !isPlain) return pastedHtml(tag);
  }
  return undefined;
}

const pastedHtml = (tag: string) =>
  `Found \`${tag}\`, pasted from Word or a website? Paste it as plain text (Ctrl+Shift+V) and write Markdown.`;
