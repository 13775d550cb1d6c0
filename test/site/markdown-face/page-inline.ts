import type { DefaultTreeAdapterTypes as Html } from "parse5";

export const isElement = (node: Html.ChildNode): node is Html.Element => "tagName" in node;

export const attribute = (element: Html.Element, name: string) =>
  element.attrs.find((each) => each.name === name)?.value;

/** False for elements that a page's Markdown leaves out: controls, hidden elements and those only useful on a screen. */
export const isSeen = (element: Html.Element) =>
  attribute(element, "data-markdown-ignore") === undefined &&
  attribute(element, "hidden") === undefined &&
  attribute(element, "aria-hidden") !== "true" &&
  !unseen.has(element.tagName);

const unseen = new Set(
  "button datalist dialog label legend noscript option script select style template textarea".split(" "),
);

const marks = new Map<string, string>([
  ...["strong", "b"].map((name) => [name, "strong"] as const),
  ...["em", "i", "u", "mark"].map((name) => [name, "em"] as const),
  ...["del", "s", "strike"].map((name) => [name, "del"] as const),
]);

const codes = new Set(["code", "kbd", "samp", "tt", "var"]);

/**
 * Text with its marks: `a ‹strong›b‹/strong› ‹a https://…›c‹/a› ‹img https://…|alt›`. Equivalent HTML gives the same
 * result.
 *
 * @param base the base of relative addresses
 * @param within the marks already open, so that bold inside bold is marked once
 */
export function inlineOf(nodes: readonly Html.ChildNode[], base: string, within: readonly string[] = []): string {
  return nodes.map((node) => (isElement(node) ? elementText(node, base, within) : textOf(node))).join("");
}

const textOf = (node: Html.ChildNode) => ("value" in node ? node.value.replace(/[ \t\n\f\r]+/g, " ") : "");

function elementText(element: Html.Element, base: string, within: readonly string[]): string {
  const { tagName, childNodes } = element;
  if (!isSeen(element)) return "";
  const mark = marks.get(tagName);
  if (mark && !within.includes(mark)) return `‹${mark}›${inlineOf(childNodes, base, [...within, mark])}‹/${mark}›`;
  const text = inlineOf(childNodes, base, within);
  if (codes.has(tagName)) return `‹code›${text}‹/code›`;
  if (tagName === "br") return "‹br›";
  if (tagName === "q") return `"${text}"`;
  if (tagName === "a") return linkText(element, text, base);
  if (tagName === "img") return pictureText(element, base);
  if (tagName === "svg") return attribute(element, "aria-label") ?? titleOf(element);
  if (tagName === "sup" || tagName === "sub") return scriptText(tagName, text);
  if (tagName === "abbr") return text + (attribute(element, "title") ? ` (${attribute(element, "title")})` : "");
  if (tagName === "input") return checkboxText(element);
  return text;
}

const titleOf = ({ childNodes }: Html.Element): string =>
  childNodes
    .flatMap((node) => (isElement(node) && node.tagName === "title" ? node.childNodes.map(textOf) : []))
    .join("");

/** The absolute address with its parentheses encoded. An invalid address is kept. */
const addressOf = (url: string, base?: string) =>
  (URL.parse(url, base)?.href ?? url).replaceAll("(", "%28").replaceAll(")", "%29");

function linkText(link: Html.Element, text: string, base: string): string {
  const href = attribute(link, "href");
  if (href === undefined) return text;
  const url = addressOf(href, base);
  const name = text.trim() || (attribute(link, "aria-label") ?? "");
  // A link back from a footnote is only useful on a screen, and a link without a name is invisible.
  if (attribute(link, "data-footnote-backref") !== undefined) return "";
  if (name === "") return text;
  // GFM turns bare addresses into links (6.9), so a link that shows its own address counts as text.
  if (isAddress(name, url)) return text;
  // A picture that links to its own full size.
  const only = text.trim();
  const isItself = [" ", "|"].some((next) => only.startsWith(`‹img ${url}${next}`));
  if (isItself && only.indexOf("›") === only.length - 1) return text;
  return `‹a ${[url, ...titleAttribute(link)].join(" ")}›${text.trim() === "" ? name : text}‹/a›`;
}

const isAddress = (text: string, url: string) =>
  ["", "http://", "mailto:"].some((scheme) => URL.canParse(scheme + text) && addressOf(scheme + text) === url);

const titleAttribute = (element: Html.Element) => {
  const title = attribute(element, "title")?.replace(/\s+/g, " ").trim();
  return title ? [JSON.stringify(title)] : [];
};

function pictureText(picture: Html.Element, base: string): string {
  const alt = attribute(picture, "alt")
    ?.replace(/[ \t\n\f\r]+/g, " ")
    .replace(/^ | $/g, "");
  if (alt === "") return "";
  const url = addressOf(attribute(picture, "src") ?? "", base);
  return `‹img ${[url, ...titleAttribute(picture)].join(" ")}|${alt}›`;
}

const scripts = { sup: "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", sub: "₀₁₂₃₄₅₆₇₈₉₊₋" };

const scriptText = (kind: "sup" | "sub", text: string) =>
  /^[0-9+\-−]+$/.test(text)
    ? [...text.replaceAll("−", "-")].map((sign) => [...scripts[kind]]["0123456789+-".indexOf(sign)]).join("")
    : text;

const checkboxText = (input: Html.Element) => {
  if (attribute(input, "type") !== "checkbox" || attribute(input, "disabled") === undefined) return "";
  return attribute(input, "checked") === undefined ? "‹todo›" : "‹done›";
};

/** A code block: its language, and its text as JSON. */
export function codeText(pre: Html.Element): string {
  const code = pre.childNodes.find((node) => isElement(node) && node.tagName === "code");
  const classes = code && isElement(code) ? (attribute(code, "class") ?? "") : "";
  const language = attribute(pre, "data-language") ?? /(?<=language-)\S+/.exec(classes)?.[0];
  const text = (node: Html.ChildNode): string =>
    isElement(node) ? node.childNodes.map(text).join("") : "value" in node ? node.value : "";
  return `${language ?? "text"} ${JSON.stringify(text(pre).replace(/\n$/, ""))}`;
}

/** Normalises spaces and breaks to those Markdown can express, and drops empty marks. */
export function tidy(inline: string): string {
  const moved = inline
    .replace(/(‹(?:strong|em|del|code|a [^›]*)›)((?:\s|‹br›)+)/g, "$2$1")
    .replace(/((?:\s|‹br›)+)(‹\/(?:strong|em|del|code|a)›)/g, "$2$1")
    .replace(/‹(strong|em|del|code|a)(?: [^›]*)?›‹\/\1›/g, "")
    .replace(/ *‹br› */g, "‹br›")
    .replace(/ {2,}/g, " ");
  if (moved !== inline) return tidy(moved);
  // Adjacent marks of one kind are merged, except code.
  const joined = inline.replace(/‹\/(strong|em|del)›‹\1›/g, "").replaceAll("‹/code›‹code›", "‹/code› ‹code›");
  return joined === inline ? inline.replace(/^(?: |‹br›)+|(?: |‹br›)+$/g, "") : tidy(joined);
}
