import { inflateSync } from "node:zlib";

const MOST_BYTES = 10_000_000;

const PLAIN = String.raw`\\[\s\S]|[^\\()]`;
/** A string (7.3.4), literal, with pairs of parentheses in it, or of hexadecimal digits. */
const STRING = String.raw`(?:\(((?:${PLAIN}|\((?:${PLAIN}|\((?:${PLAIN})*\))*\))*)\)|<([\da-fA-F\s]*)>)`;
/** Its string, or a reference to the object that is the string (7.3.10), as macOS writes it. */
const AUTHOR = new RegExp(String.raw`/Author\s*(?:${STRING}|(\d+)\s+(\d+)\s+R\b)`);

/**
 * Who a PDF says has written it, in its information dictionary (ISO 32000-2, 14.3.3) or its XMP (14.3.2), wherever they
 * stand; undefined if nobody, or if the PDF is encrypted.
 */
export function pdfAuthor(bytes: Buffer): string | undefined {
  const text = bytes.toString("latin1");
  if (/\/Encrypt\b/.test(text)) return undefined;
  for (const part of [text, ...inflated(text)]) {
    const [, ownLiteral, ownHex, id, generation] = AUTHOR.exec(part) ?? [];
    const object = id && new RegExp(String.raw`\b${id}\s+${generation}\s+obj\s*${STRING}`).exec(text);
    const [literal, hex] = object ? [object[1], object[2]] : [ownLiteral, ownHex];
    const [, creator] = /<dc:creator>\s*(?:<rdf:(?:Seq|Bag|Alt)>\s*<rdf:li[^>]*>)?([^<]+)/.exec(part) ?? [];
    const written = literal === undefined ? Buffer.from(hex?.replaceAll(/\s/g, "") ?? "", "hex") : readLiteral(literal);
    const author =
      decodeText(written) ||
      Buffer.from(creator ?? "", "latin1")
        .toString("utf8")
        .trim();
    if (author !== "") return author;
  }
  return undefined;
}

/** What stands compressed in streams of objects (7.5.7) and of metadata. */
function* inflated(text: string): Generator<string> {
  for (const { 0: head, index } of text.matchAll(/\/(?:ObjStm|Metadata)\b[\s\S]{0,500}?stream\r?\n/g)) {
    const start = index + head.length;
    try {
      const compressed = Buffer.from(text.slice(start, text.indexOf("endstream", start)), "latin1");
      yield inflateSync(compressed, { maxOutputLength: MOST_BYTES }).toString("latin1");
    } catch {
      // Not compressed, or by another filter.
    }
  }
}

/** The bytes of a literal string (7.3.4.2). */
function readLiteral(literal: string): Buffer {
  const plain = literal.replaceAll(/\\(?:([0-7]{1,3})|\r?\n|([\s\S]))/g, (_, octal?: string, other?: string) =>
    octal === undefined ? (named.get(other ?? "") ?? other ?? "") : String.fromCharCode(Number.parseInt(octal, 8)),
  );
  return Buffer.from(plain, "latin1");
}

const named = new Map(Object.entries({ n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" }));

/** A text string (7.9.2.2), in UTF-16 or UTF-8 if its first bytes say so. */
function decodeText(bytes: Buffer): string {
  const start = bytes.subarray(0, 3).toString("hex");
  if (start.startsWith("feff")) return new TextDecoder("utf-16be").decode(bytes).trim();
  if (start === "efbbbf") return bytes.subarray(3).toString("utf8").trim();
  return bytes.toString("latin1").trim();
}
