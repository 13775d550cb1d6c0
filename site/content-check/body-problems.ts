import { readFileSync } from "node:fs";
import { isSeq } from "yaml";
import { findObject } from "../content-schema/api-objects.ts";
import { didYouMean } from "../content-schema/suggest.ts";
import { type Body, type Element, factOf, type KnownPage, parseBody, questionAnchors } from "./content-files.ts";
import { locate, type Yaml } from "./front-matter.ts";
import { linkProblem, type Targets } from "./links.ts";
import { altWarning, type PictureFiles, textPictureProblem } from "./pictures.ts";
import type { Problem } from "./problem.ts";

/** What a text may refer to. */
export interface References extends PictureFiles {
  skus: ReadonlySet<string>;
  /** The names of the fields in store.yaml; undefined while it can't be read. */
  storeFields: ReadonlySet<string> | undefined;
  targets: Targets;
}

/** Finds problems in a page's text. */
export function findBodyProblems({ page: { file }, path }: KnownPage, body: Body, references: References): Problem[] {
  const { skus, storeFields, targets } = references;
  const found = [
    ...body.headings.map(({ line, depth, text }, index) => ({
      line,
      message: headingProblem(depth, body.headings[index - 1]?.depth ?? 1, text),
    })),
    ...body.links.map(({ line, url }) => ({ line, message: linkProblem(url, path, targets) })),
    ...body.pictures.map(({ line, url }) => ({ line, message: textPictureProblem(url, file, references) })),
    ...body.pictures.map(({ line, alt }) => ({ line, message: altProblem(alt) })),
    ...body.code.map(({ line, text, isModule }) => ({ line, message: codeProblem(text, isModule) })),
    ...body.unseen.map(({ line, what }) => ({ line, message: `This has ${what}, written as an entity. Delete it.` })),
    ...body.leaks.map(({ line, text }) => ({ line, message: leakProblem(text) })),
    ...body.html.map(({ line, value }) => ({ line, message: htmlProblem(value) })),
    ...body.elements.map(({ line, element, isInText }) => ({ line, message: elementProblem(element, isInText, skus) })),
    ...body.elements.map(({ line, element }) => ({ line, message: policyProblem(element.name, storeFields) })),
  ];
  const warnings = body.pictures.map(({ line, alt }) => ({ line, message: altWarning(alt), isWarning: true as const }));
  return [...found, ...warnings].flatMap(({ message, ...rest }) =>
    message === undefined ? [] : { file, message, ...rest },
  );
}

/** `before` is the level of the heading above: 1, the page's title, above the first one. */
function headingProblem(depth: number, before: number, text: string): string | undefined {
  if (depth === 1) return `Only the page's title is a heading of level 1. Write \`## ${text}\` with two signs.`;
  if (depth <= before + 1) return undefined;
  const right = "#".repeat(before + 1);
  return `A heading of level ${depth} can't follow one of level ${before}. Write \`${right} ${text}\`.`;
}

function altProblem(alt: string): string | undefined {
  return alt.trim() === "" ? "The picture has no description. Write `![What it shows](./picture.svg)`." : undefined;
}

// HTML; code; a heading whose address could be that of a question (`q-…`); a heading of level 1 or 3 and more, also in a list or quotation; a picture; a link's definition.
const doubtful =
  /<[a-z/!?]|^(?:im|ex)port\s|^[\W\d_]*[q&]|^[\s>*+.)\d-]*(#\s|###|=+\s*$)|!\[|^[\s>*+.)\d-]*\[[^\]]*\]:/im;

/** The links of a .md text; `isPlain` if nothing else in it can be wrong. */
interface Links {
  isPlain: boolean;
  urls: string[];
}

/** Reads the links of a text without parsing it: a parser takes a millisecond, and a catalogue may have 10,000 products. */
export function readLinks(text: string, baseUrl: string | undefined): Links {
  const urls = Array.from(text.matchAll(/\]\(\s*([^\s)]*)/g), ([, url = ""]) => url);
  const hasOwnHost = baseUrl !== undefined && text.toLowerCase().includes(new URL(baseUrl).host);
  return { isPlain: !hasOwnHost && !doubtful.test(text) && !urls.some((url) => /[\\&]/.test(url)), urls };
}

/** Whether a text is correct for certain. False for some correct texts, and for every wrong one. */
export const isSurelyCorrect = ({ isPlain, urls }: Links, path: string, targets: Targets): boolean =>
  isPlain && urls.every((url) => linkProblem(url, path, targets) === undefined);

/** Finds problems in the answers to a page's questions, which are Markdown. */
export function findAnswerProblems(known: KnownPage, references: References): Problem[] {
  const { page, path } = known;
  const { targets } = references;
  return readAnswers(known).flatMap(({ line, text }) => {
    if (!heading.test(text) && isSurelyCorrect(readLinks(text, targets.baseUrl), path, targets)) return [];
    const body = parseBody(text, false, line);
    const at = { file: page.file, line };
    const misplaced = forbidden.flatMap(({ part, message }) => (body[part].length > 0 ? [{ ...at, message }] : []));
    // The line of the field, since a block of text starts on the next line or the one after.
    const others = findBodyProblems(known, { ...body, headings: [], pictures: [], html: [] }, references);
    return [...misplaced, ...others.map((problem) => ({ ...problem, ...at }))];
  });
}

// `# …`, or underlined.
const heading = /^\s*(#|[-=]+\s*$)/m;

/** Finds what is meant as a table and stays text: lines with bars whose head row has no dashes below it (GFM, 4.10). */
export const findLooseTables = factOf("looseTables", ({ page: { file }, yaml, text = "", textLine }): Problem[] => [
  ...readAnswerTexts(yaml).flatMap(({ line, text }) =>
    looseTables(text).length > 0 ? tableProblem(file, line, text) : [],
  ),
  ...looseTables(text).map(({ index, row }) => tableProblem(file, textLine + index, row)),
]);

/** The first row of each, with its place among the lines. */
function looseTables(text: string): { index: number; row: string }[] {
  let fence: string | undefined;
  const lines = text.split("\n").map((written) => {
    const [mark = ""] = containers.exec(written) ?? [];
    const line = written.slice(mark.length);
    const [, sign] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence === undefined) fence = sign;
    else if (sign?.startsWith(fence) && line.trim() === sign) fence = undefined;
    const bare = line.replaceAll(/`[^`]*`|\\\|/g, "");
    const isRow = fence === undefined && /^ {0,3}\S.*\|/.test(bare) && /\|.*\|/.test(bare);
    return { row: isRow ? bare.trim() : undefined, isItem: /[^\s>]/.test(mark) };
  });
  return lines.flatMap(({ row, isItem }, index) => {
    if (row === undefined || (lines[index - 1]?.row !== undefined && !isItem)) return [];
    const end = lines.findIndex((each, place) => place > index && (each.row === undefined || each.isItem));
    const run = lines.slice(index, end === -1 ? undefined : end).map((each) => each.row ?? "");
    const isTable = run.some((each, place) => dashes.test(each) && cells(each) === cells(run[place - 1] ?? ""));
    return isTable || run.length < 2 ? [] : { index, row };
  });
}

// The quotations that a line is in, and the list items that it begins.
const containers = /^(?: {0,3}(?:> ?|(?:[-+*]|\d{1,9}[.)]) +))+/;
const dashes = /^[\s|:]*-[\s|:-]*$/;
const cells = (row: string) => row.replaceAll(/^\||\|$/g, "").split("|").length;

function tableProblem(file: string, line: number, row: string): Problem {
  const right = `|${"---|".repeat(cells(row.trim()))}`;
  const message = `A table without a head row stays text with bars. Write \`${right}\` below the row of column names. If it has none, put a row of names above this one first.`;
  return { file, line, message, isWarning: true };
}

/** Finds headings with the same address as a question of the page. */
export function findHeadingClashes(known: KnownPage, { headings }: Body): Problem[] {
  const taken = questionAnchors(known);
  return headings.flatMap(({ id, line, text }) => {
    const message = `The heading “${text}” has the same address, #${id}, as the page's \`questions\`. Reword it.`;
    return taken.includes(id) ? [{ file: known.page.file, line, message }] : [];
  });
}

const forbidden = [
  { part: "headings", message: "An answer can't have headings. Write a second question instead." },
  { part: "pictures", message: "An answer can't have pictures. Put them in the text below." },
  { part: "footnotes", message: "An answer can't have footnotes. Put their text in the answer." },
  // Search engines and agents get answers as plain text.
  { part: "html", message: "An answer can't have HTML, not even <br>. Use Markdown." },
] as const;

const readAnswers = factOf("answers", ({ yaml }) => readAnswerTexts(yaml));

function readAnswerTexts(yaml: Yaml | undefined): { line: number; text: string }[] {
  if (yaml === undefined) return [];
  const { node } = locate(yaml, ["questions"]);
  return (isSeq(node) ? node.items : []).flatMap((_, index) => {
    const path = ["questions", index, "answer"];
    const text: unknown = yaml.document.getIn(path);
    const { line } = locate(yaml, path);
    return typeof text === "string" ? [{ line, text }] : [];
  });
}

/** The components of an .mdx file (src/components/text/mdx-components.ts) with their attribute and an example. */
const components = new Map([
  ["Callout", { attribute: "kind", example: '<Callout kind="tip">' }],
  ["ProductCard", { attribute: "sku", example: '<ProductCard sku="KES-C2-BK" />' }],
  ["Endpoints", { attribute: undefined, example: "<Endpoints />" }],
  ["Fields", { attribute: "of", example: '<Fields of="Order" />' }],
  ["ReturnPolicy", { attribute: undefined, example: "<ReturnPolicy />" }],
  ["ShippingTable", { attribute: undefined, example: "<ShippingTable />" }],
]);

const kinds = ["tip", "note", "warning"];

// HTML that Markdown can't express, each with the attribute that it may have.
const plainTags = new Map([
  ["br", ""],
  ["kbd", ""],
  ["sub", ""],
  ["sup", ""],
  ["abbr", "title"],
]);

/** Why an .mdx file can't use a component or an HTML element; undefined when it can. */
function elementProblem(element: Element, isInText: boolean, skus: ReadonlySet<string>): string | undefined {
  const name = element.name ?? "";
  const code = element.attributes.find((each) => each.type !== "mdxJsxAttribute" || typeof each.value === "object");
  if (code !== undefined) return `<${name}> has code in its attributes. Write them as text in quotes: name="text".`;
  const attribute = plainTags.get(name) ?? components.get(name)?.attribute ?? "";
  const unknown = element.attributes.find((each) => each.type === "mdxJsxAttribute" && each.name !== attribute);
  if (plainTags.has(name)) return unknown && pastedHtml(`<${name} …>`);
  if (/^[a-z]/.test(name)) return pastedHtml(`<${name}>`);
  const component = components.get(name);
  if (component === undefined) return `<${name}> isn't a component.${didYouMean(name, components.keys())}`;
  if (isInText) return `<${name}> must be on its own line, with an empty line before and after.`;
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

/** Why a component would be empty: its field is missing from store.yaml. */
function policyProblem(name: string | null, storeFields: ReadonlySet<string> | undefined): string | undefined {
  const field = policies.get(name ?? "");
  if (field === undefined || storeFields === undefined || storeFields.has(field)) return undefined;
  return `<${name} /> needs \`${field}\` in content/store.yaml. Add it there, or delete this line.`;
}

function attributeProblem(
  element: Element,
  attribute: string,
  example: string,
  skus: ReadonlySet<string>,
): string | undefined {
  const value = element.attributes.find((each) => each.type === "mdxJsxAttribute" && each.name === attribute)?.value;
  if (typeof value !== "string") return `<${element.name}> needs ${attribute}="…". Write \`${example}\`.`;
  if (attribute === "of") return objectProblem(value);
  const known = attribute === "kind" ? kinds : skus;
  if ([...known].includes(value)) return undefined;
  if (attribute === "kind")
    return `"${value}" isn't a kind of <Callout>. Use ${kinds.join(", ")}.${didYouMean(value, kinds)}`;
  return `No product has the SKU ${value}.${didYouMean(value, skus)}`;
}

function objectProblem(path: string): string | undefined {
  const text = readFileSync(new URL("../../api/openapi.json", import.meta.url), "utf8");
  const { schemas } = JSON.parse(text).components;
  if (findObject(schemas, path) !== undefined) return undefined;
  const known = Object.keys(schemas);
  return `"${path}" isn't an object of the API. Write one of ${known.join(", ")}, or a path from there, such as \`Order.lines\`.${didYouMean(path, known)}`;
}

/** The message about code in an .mdx file: content is read, never run. */
function codeProblem(text: string, isModule: boolean): string {
  const [line = ""] = text.trim().split("\n");
  if (isModule)
    return `\`${line}\` is code. Components work without an import. To show it as text, start the line with another word.`;
  return `\`{${line}}\` is code. To show it as text, write \`\\{${line}\\}\`.`;
}

const leakProblem = (text: string) =>
  `\`${text}\` is code, and would be shown as text. Put code in backticks, and use components in .mdx files only.`;

/** Why a .md file can't use some HTML. Comments are allowed as notes between editors, if they are well-formed (HTML 13.1.6). */
function htmlProblem(html: string): string | undefined {
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
