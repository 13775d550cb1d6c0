import { isUtf8 } from "node:buffer";
import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from "saxes";

const svg = "http://www.w3.org/2000/svg";
const xlink = "http://www.w3.org/1999/xlink";
const xml = "http://www.w3.org/XML/1998/namespace";
const xmlns = "http://www.w3.org/2000/xmlns/";

/**
 * Elements that say something about a drawing and draw nothing (SVG 2, 5.8): drawing programs put names and files
 * there.
 */
const describing = new Set(["metadata", "title", "desc"]);

/** Whether a drawing may hold what `cleanDrawing` removes, without parsing it. */
const suspicious =
  /<!--|<!DOCTYPE|<(?:[\w.-]+:)?(?:metadata|title|desc)\b|\bxmlns(?!:xlink=|=["']http:\/\/www\.w3\.org\/2000\/svg["'])|\b(?:xlink:(?!href)|xml:(?!space|lang))|\sdata-/;

/**
 * A drawing without what it says about its making: comments, metadata, titles, and all elements and attributes of
 * drawing programs (RDF, Inkscape, Illustrator). The page describes a picture itself. A drawing without any stays the
 * same bytes.
 *
 * @param bytes a well-formed SVG in UTF-8 without entities of its own, as the content check demands (drawingProblem)
 */
export function cleanDrawing(bytes: Uint8Array): Uint8Array {
  const text = isUtf8(bytes) ? Buffer.from(bytes).toString("utf8") : "";
  if (!suspicious.test(text)) return bytes;
  let clean = "";
  // Inside an element that is left out.
  let hidden = 0;
  const write = (part: string) => {
    if (hidden === 0) clean += part;
  };
  const parser = new SaxesParser({ xmlns: true });
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", (tag) => {
    if (hidden > 0 || isLeftOut(tag)) hidden += 1;
    else clean += writeTag(tag);
  });
  parser.on("closetag", ({ name, isSelfClosing }) => {
    if (hidden > 0) hidden -= 1;
    else if (!isSelfClosing) clean += `</${name}>`;
  });
  parser.on("text", (part) => write(escapeText(part)));
  parser.on("cdata", (part) => write(`<![CDATA[${part}]]>`));
  parser.write(text).close();
  return Buffer.from(`${clean.trim()}\n`);
}

const isLeftOut = ({ uri, local }: SaxesTagNS) => (uri !== "" && uri !== svg) || describing.has(local);

/** What a browser uses to draw: SVG's own attributes, `xlink:href`, `xml:space` and `xml:lang`, and their namespaces. */
function isDrawn({ uri, prefix, local, value }: SaxesAttributeNS): boolean {
  if (uri === xmlns) return prefix === "" || value === svg || value === xlink;
  if (uri === xlink) return local === "href";
  if (uri === xml) return local === "space" || local === "lang";
  return uri === "" && !local.startsWith("data-");
}

function writeTag({ name, attributes, isSelfClosing }: SaxesTagNS): string {
  const drawn = Object.values(attributes).filter(isDrawn);
  const written = drawn.map(({ name, value }) => ` ${name}="${escapeValue(value)}"`);
  return `<${name}${written.join("")}${isSelfClosing ? "/" : ""}>`;
}

const escapeText = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

// Line breaks and tabs would be read as spaces (XML 1.0, 3.3.3).
const escapeValue = (value: string) =>
  escapeText(value)
    .replaceAll('"', "&quot;")
    .replaceAll(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
