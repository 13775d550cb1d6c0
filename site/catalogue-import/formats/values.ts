import { checkDigit } from "../../../api/contract/gtin.ts";
import { withoutHidden } from "../../../api/contract/hidden-characters.ts";
import { type Element, isElement, isText, readHtml } from "../../markdown-face/html.ts";

/** A text without characters that content/ can't have: hidden ones, control characters, halves of surrogates. */
export const cleanText = (text: string): string =>
  withoutHidden(text.toWellFormed().replaceAll("\uFFFD", ""))
    .replaceAll(/\r\n?|[\u2028\u2029\u0085]/g, "\n")
    .replaceAll(/[\v\f]/g, " ");

const silent = new Set(["script", "style", "template", "noscript", "iframe"]);

/** The words of HTML, on one line. */
function wordsIn({ childNodes }: Element): string {
  return childNodes
    .map((node) => {
      if (isText(node)) return node.value;
      if (!isElement(node) || silent.has(node.tagName)) return "";
      return node.tagName === "br" ? " " : wordsIn(node);
    })
    .join("");
}

/** A text on one line, as fields are: of HTML its words. Quotes around all of it are straight or none. */
export function plainLine(written: string): string {
  const text = /<[a-z/!?]|&[a-z#]/i.test(written) ? wordsIn(readHtml(written)) : written;
  const line = cleanText(text).replaceAll(/\s+/g, " ").trim();
  return /^[“”„].*[“”]$/.test(line) ? line.slice(1, -1).trim() : line;
}

/** A line of at most so many characters, cut between words. */
export function shorten(line: string, longest: number): string {
  if (line.length <= longest) return line;
  const cut = line
    .slice(0, longest - 1)
    .toWellFormed()
    .replaceAll("\uFFFD", "");
  const words = cut.replace(/\s+\S*$/, "");
  return `${(words.length > longest / 2 ? words : cut).replace(/[\s,;:.–-]+$/, "")}…`;
}

const segmenters = new Map<string, Intl.Segmenter>();

// Kept, because making one takes longer than using it.
function segmenterFor(locale: string): Intl.Segmenter {
  const segmenter = segmenters.get(locale) ?? new Intl.Segmenter(locale, { granularity: "sentence" });
  segmenters.set(locale, segmenter);
  return segmenter;
}

/** The first sentence of a text, of at most so many characters. */
export function firstSentence(text: string, longest: number, locale: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim().slice(0, 2000);
  const [first] = segmenterFor(locale).segment(line);
  return shorten(first?.segment.trim() ?? "", longest);
}

/** What a barcode is for content/: a GTIN of 13 digits, another code, or, with a reason, nothing. */
export function readBarcode(written: string): { gtin?: string; barcode?: string; note?: string } {
  // An apostrophe keeps spreadsheets from making a number of it.
  const text = plainLine(written).replace(/^'/, "");
  if (text === "") return {};
  if (/^\d+([.,]\d+)?E\+\d+$/i.test(text))
    return { note: "A barcode that a spreadsheet had shortened (9.78E+12) was left out." };
  const digits = text.replaceAll(/[\s-]/g, "");
  const full = digits.length === 12 ? `0${digits}` : digits.length === 14 ? digits.replace(/^0/, "") : digits;
  const isGtin = /^\d{13}$/.test(full) && !/^0+$/.test(full) && checkDigit(full.slice(0, 12)) === Number(full[12]);
  if (isGtin) return { gtin: full };
  const note = "A barcode that isn't a GTIN of 13 digits was written as `barcode`.";
  return text.length <= 64 ? { barcode: text, note } : { note: "A barcode of more than 64 characters was left out." };
}

const GRAMS: Readonly<Record<string, number>> = {
  ...{ g: 1, gr: 1, gram: 1, grams: 1, kg: 1000, kgs: 1000, kilogram: 1000, mg: 0.001 },
  ...{ lb: 453.592_37, lbs: 453.592_37, oz: 28.349_523_125 },
};

/** A weight in whole grams, such as of `0.45` in `kg`; undefined if it is none. */
export function gramsOf(amount: string, unit: string): number | undefined {
  const factor = GRAMS[unit.toLowerCase()];
  const number = Number(amount.replace(",", "."));
  if (amount === "" || factor === undefined || !Number.isFinite(number) || number <= 0) return undefined;
  const grams = Math.max(1, Math.round(number * factor));
  return grams <= 10_000_000 ? grams : undefined;
}

const UNITS: Readonly<Record<string, string>> = {
  ...{ mg: "mg", g: "g", kg: "kg", ml: "ml", cl: "cl", l: "l", mm: "mm", cm: "cm", m: "m" },
  ...{ m2: "m²", sqm: "m²", "m²": "m²", m3: "m³", cbm: "m³", "m³": "m³", dl: "dl" },
};

/** What a piece holds, such as `750` in `ml`; undefined if that isn't a measure. */
export function contentOf(amount: string, unit: string): { amount: string; unit: string } | undefined {
  const known = UNITS[unit.toLowerCase()];
  const plain = amount.replace(",", ".").replace(/^(\d+)\.0*$/, "$1");
  return known !== undefined && /^(?=.*[1-9])(0|[1-9]\d{0,5})(\.\d{1,3})?$/.test(plain)
    ? { amount: plain, unit: known }
    : undefined;
}

/** `A > B` as `["A", "B"]`. */
export const pathOf = (written: string): string[] =>
  written
    .split(">")
    .map((name) => shorten(plainLine(name), 100))
    .filter(Boolean);

/** A text as a slug, without accents where its letters are Latin, as other shops write addresses. */
export const addressWords = (text: string): string =>
  /[^\P{L}\p{Script=Latin}]/u.test(text) ? text : text.normalize("NFKD").replaceAll(/\p{M}/gu, "");
