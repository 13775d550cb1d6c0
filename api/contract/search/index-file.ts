// How .session/search.index is stored: numbers as the processor has them, so that whoever has read the file can use it as
// it is. What the numbers mean is in write-index.ts, how they are looked up in api/people/search/search-index.ts.

/** What the file has, each list without gaps. Where a list's items have several numbers, `…Ends` says where each ends. */
const SECTIONS = {
  /** Words and terms, sorted, one after the other in UTF-8. A term is a word's stem, or several stems with blanks between. */
  texts: Uint8Array,
  textEnds: Uint32Array,
  /** Of each text the place of its stem; NONE for one that isn't a word of its own. */
  stems: Uint32Array,
  /** Of each text where it occurs, in the order of the entries; see `packPosting`. */
  postings: Uint32Array,
  postingEnds: Uint32Array,
  /** The words that a slip may have meant, as places among the texts: by length, each in the order in which they occur. */
  meantWords: Uint32Array,
  /** Of each of them which letters it has, as bits. */
  meantLetters: Uint32Array,
  /** By the words' length, from 0. */
  meantEnds: Uint32Array,
  /** Squeezed SKUs, GTINs and other barcodes, sorted. */
  codes: Uint8Array,
  codeEnds: Uint32Array,
  /** Of each code the versions that have it. */
  codeVersions: Uint32Array,
  codeVersionEnds: Uint32Array,
  /** The products' slugs, sorted, and of each its product. */
  slugs: Uint8Array,
  slugEnds: Uint32Array,
  slugProducts: Uint32Array,
  /** Of each version its SKU, prices in ten-thousandths (gross is the net one where no tax is charged) and availability. */
  skus: Uint8Array,
  skuEnds: Uint32Array,
  nets: BigUint64Array,
  grosses: BigUint64Array,
  availabilities: Uint8Array,
  /** Of each version the terms that it has itself, as places among the texts. */
  versionTerms: Uint32Array,
  versionTermEnds: Uint32Array,
  /** Of each product where its versions end. */
  versionEnds: Uint32Array,
  /** Of each entry its place among KINDS, its category's place among the shop's or NO_CATEGORY, and its place among equals. */
  kinds: Uint8Array,
  categories: Uint16Array,
  places: Uint32Array,
  /** Of each product the other categories that list it, as places among the shop's. */
  otherCategories: Uint16Array,
  otherCategoryEnds: Uint32Array,
  /** Of each product and page where its JSON ends. */
  recordEnds: Uint32Array,
} as const;

type Name = keyof typeof SECTIONS;
export type Sections = { -readonly [Each in Name]: ReturnType<(typeof SECTIONS)[Each]["from"]> };

/** What can be found: products first, then guides and pages, then categories. */
export const KINDS = ["product", "guide", "page", "developers", "category"] as const;

export const NONE = 0xffff_ffff;
export const NO_CATEGORY = 0xffff;

const NAME = 0x80;

/** An entry, how much a term's match with it counts (at most 127), and whether the term is (a part of) its name. */
export const packPosting = (entry: number, weight: number, isName: boolean): number =>
  entry * 256 + (isName ? NAME : 0) + weight;
export const entryOf = (posting: number): number => posting >>> 8;
export const weightOf = (posting: number): number => posting & 0x7f;
export const isName = (posting: number): boolean => (posting & NAME) !== 0;

/** To be raised whenever a section comes, goes, or means something else, and whenever the facts or records do. */
const FORMAT = 4;
/** "find" in ASCII. */
const MAGIC = 0x646e_6966;
/** MAGIC, FORMAT and the length of what follows, which is JSON: the facts, and how long each section is. */
const PREFIX = Uint32Array.BYTES_PER_ELEMENT * 3;

/** Not shared with other threads. */
export type Bytes = Uint8Array<ArrayBuffer>;

interface Header {
  facts: unknown;
  lengths: Record<Name, number>;
}

/** Numbers of 8 bytes may only stand at multiples of 8. */
const align = (length: number): number => Math.ceil(length / 8) * 8;

const names = Object.keys(SECTIONS) as Name[];

/** The file, in pieces. `records` are the products' and pages' JSON in UTF-8. */
export function packIndex(facts: object, sections: Sections, records: readonly Bytes[]): Bytes[] {
  const lengths = Object.fromEntries(names.map((name) => [name, sections[name].byteLength])) as Header["lengths"];
  const header = new TextEncoder().encode(JSON.stringify({ facts, lengths } satisfies Header));
  const pad = (bytes: Bytes, before = 0) => {
    const length = before + bytes.byteLength;
    return [bytes, new Uint8Array(align(length) - length)];
  };
  return [
    new Uint8Array(Uint32Array.of(MAGIC, FORMAT, header.byteLength).buffer),
    ...pad(header, PREFIX),
    ...names.flatMap((name) => {
      const { buffer, byteOffset, byteLength } = sections[name];
      return pad(new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength));
    }),
    ...records,
  ];
}

/**
 * The same as views of the bytes, which must begin at a multiple of 8 of their buffer.
 *
 * @returns undefined if another release wrote it
 */
export function unpackIndex(
  bytes: Uint8Array,
): { facts: unknown; sections: Sections; records: Uint8Array } | undefined {
  if (bytes.byteLength < PREFIX) return undefined;
  const { buffer, byteOffset } = bytes;
  const [magic, format, length = 0] = new Uint32Array(buffer, byteOffset, 3);
  if (magic !== MAGIC || format !== FORMAT) return undefined;
  const { facts, lengths }: Header = JSON.parse(new TextDecoder().decode(bytes.subarray(PREFIX, PREFIX + length)));
  let at = align(PREFIX + length);
  const sections = Object.fromEntries(
    names.map((name) => {
      const Section = SECTIONS[name];
      const begin = at;
      at += align(lengths[name]);
      return [name, new Section(buffer as ArrayBuffer, byteOffset + begin, lengths[name] / Section.BYTES_PER_ELEMENT)];
    }),
  ) as Sections;
  return { facts, sections, records: bytes.subarray(at) };
}
