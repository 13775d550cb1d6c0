/**
 * Returns the face for an Accept header. A second implementation of RFC 9110 §12.5.1 to compare nginx with: it scans the
 * grammar instead of splitting, so that the two are unlikely to share a mistake.
 */
export function referenceFace(header: string): "html" | "md" {
  const ranges = elements(header).flatMap((element) => readElement(element) ?? []);
  const html = judge(ranges, "html", ["charset=utf-8"]);
  const md = judge(ranges, "markdown", ["charset=utf-8", "variant=gfm"]);
  if (html.q !== md.q) return md.q > html.q ? "md" : "html";
  if (md.q === 0) return "html";
  if (html.rank !== md.rank) return md.rank > html.rank ? "md" : "html";
  return md.rank >= 3000 && md.index < html.index ? "md" : "html";
}

interface Range {
  type: string;
  subtype: string;
  parameters: string[];
  q: number;
  index: number;
}

/** #element (§5.6.1): separated by commas outside quoted strings; surrounding white space and empty elements are ignored. */
function elements(header: string): { text: string; index: number }[] {
  return [...header.matchAll(/(?:"(?:\\[\s\S]|[^"\\])*(?:"|\\?$)|[^",])+/g)]
    .map((match) => match[0].replace(/^[ \t]+/, "").replace(/[ \t]+$/, ""))
    .filter((text) => text !== "")
    .map((text, index) => ({ text, index }));
}

/** media-range [ weight ] (§12.5.1); undefined if the element doesn't follow the grammar. */
function readElement({ text, index }: { text: string; index: number }): Range | undefined {
  const tchar = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]";
  const head = new RegExp(`^(${tchar}+)/(${tchar}+)`).exec(text);
  if (!head?.[1] || !head[2] || (head[1] === "*" && head[2] !== "*")) return undefined;
  const parameter = new RegExp(`^[ \\t]*;[ \\t]*(?:(${tchar}+)=(${tchar}+|"(?:[^"\\\\]|\\\\.)*"))?`);
  const range: Range = { type: head[1].toLowerCase(), subtype: head[2].toLowerCase(), parameters: [], q: 1, index };
  let rest = text.slice(head[0].length);
  let weighed = false;
  while (rest !== "") {
    const found = parameter.exec(rest);
    if (!found) return undefined;
    rest = rest.slice(found[0].length);
    const [, name, value] = found;
    if (name === undefined || value === undefined) continue;
    if (name.toLowerCase() === "q") {
      if (weighed || !/^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(value)) return undefined;
      weighed = true;
      range.q = Number.parseFloat(value);
    } else {
      const plain = value.startsWith('"') ? value.slice(1, -1).replaceAll(/\\(.)/g, "$1") : value;
      range.parameters.push(`${name}=${plain}`.toLowerCase());
    }
  }
  return range;
}

/** The weight of text/`subtype` with `parameters`, and the specificity and position of the range that decides it. */
function judge(ranges: Range[], subtype: string, parameters: string[]) {
  const matching = ranges
    .filter((range) => range.parameters.every((parameter) => parameters.includes(parameter)))
    .flatMap((range) => {
      const name = `${range.type}/${range.subtype}`;
      const level = name === `text/${subtype}` ? 3 : name === "text/*" ? 2 : name === "*/*" ? 1 : 0;
      return level ? [{ q: range.q, rank: level * 1000 + range.parameters.length, index: range.index }] : [];
    })
    .sort((a, b) => b.rank - a.rank || b.q - a.q || a.index - b.index);
  return matching[0] ?? { q: 0, rank: 0, index: 0 };
}
