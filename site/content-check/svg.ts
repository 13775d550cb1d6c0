import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from "saxes";

const svg = "http://www.w3.org/2000/svg";

// What runs, or shows what is not in the file: SVG 2, 15 (scripting), 12.3 (foreignObject), SVG Tiny 1.2 (handler, listener).
const forbidden = /^(script|foreignobject|handler|listener|iframe|embed|object|audio|video)$/i;
const ownReference = /^\s*(#|data:image\/(png|jpe?g|gif|webp|avif)[;,])/i;
// In a style: other files, whatever function names them, and escapes, which could spell anything.
const foreignStyle = /@import|\\|:\/\/|(?<![\w-])(?:image|image-set|src)\(|url\((?!\s*["']?(?:#|data:image\/(?!svg)))/i;

/**
 * Why an SVG picture can't be published: it is not well-formed, it could run something, or it needs other files. The rest
 * of a sentence that begins with the picture's name; undefined when all is well.
 */
export function svgProblem(text: string): string | undefined {
  let problem: string | undefined;
  let style: string | undefined;
  let depth = 0;
  const parser = new SaxesParser({ xmlns: true });
  const report = (what: string | undefined) => {
    problem ??= what && `${what} in line ${parser.line}. Save it as “plain SVG”, without scripts and links.`;
  };
  const readStyle = (part: string) => {
    if (style !== undefined) style += part;
  };
  parser.on("error", ({ message }) => report(`is no well-formed SVG (${message.replace(/^[\d:]+ |\.$/g, "")})`));
  parser.on("doctype", (doctype) => {
    if (doctype.includes("[")) report("defines entities in its DOCTYPE");
  });
  parser.on("processinginstruction", ({ target }) => report(`has a <?${target}?>`));
  parser.on("opentag", (tag) => {
    if (depth++ === 0 && (tag.local !== "svg" || tag.uri !== svg)) report(`does not begin with <svg xmlns="${svg}">`);
    report(tagProblem(tag));
    if (tag.local === "style") style = "";
  });
  parser.on("text", readStyle);
  parser.on("cdata", readStyle);
  parser.on("closetag", ({ local }) => {
    if (local !== "style") return;
    if (style !== undefined && foreignStyle.test(style)) report("has a style that refers to other files");
    style = undefined;
  });
  parser.write(text).close();
  return problem;
}

function tagProblem({ local, uri, attributes }: SaxesTagNS): string | undefined {
  if (forbidden.test(local) || uri === "http://www.w3.org/1999/xhtml") return `contains <${local}>`;
  for (const attribute of Object.values(attributes)) {
    const problem = attributeProblem(attribute);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function attributeProblem({ local, uri, name, value }: SaxesAttributeNS): string | undefined {
  if (uri === "" && /^on/i.test(local)) return `has the attribute ${name}, which runs a script`;
  // Control characters and blanks within are dropped by browsers (URL standard, 4.4).
  if (/(java|vb)script:/i.test(value.replace(/[\0- ]/g, ""))) return `has a script in ${name}`;
  if (local === "href" && !ownReference.test(value)) return `refers to ${value}`;
  // An animation could set later what may not stand there now.
  if (local === "attributeName" && /^\s*(on|(\w+:)?href)/i.test(value)) return `animates ${value}`;
  const isStyle = local === "style" || /url\(/i.test(value);
  return isStyle && foreignStyle.test(value) ? `refers to other files in ${name}` : undefined;
}
