import { EU_VAT_AREA } from "../../contract/territories.ts";

/** The part after the country, as the European Commission's VIES publishes it; Greece is EL here. */
const PATTERNS: Record<string, RegExp> = {
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{9}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  EL: /^\d{9}$/,
  ES: /^([A-Z]\d{7}[A-Z0-9]|\d{8}[A-Z])$/,
  FI: /^\d{8}$/,
  FR: /^[A-HJ-NP-Z0-9]{2}\d{9}$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^(\d[0-9A-Z+*]\d{5}[A-Z]|\d{7}[A-Z]{2})$/,
  IT: /^\d{11}$/,
  LT: /^(\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^\d{9}B\d{2}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{2,10}$/,
  SE: /^\d{12}$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
  XI: /^(\d{9}|\d{12}|(GD|HA)\d{3})$/,
};

/** A VAT number of the EU or Northern Ireland. */
export interface VatNumber {
  /** As VAT numbers begin: EL for Greece, XI for Northern Ireland, otherwise the ISO code. */
  country: string;
  /** The part after the country. */
  number: string;
}

/** Tax names that people write in front of a number without a blank. */
const START = "(?<![\\p{L}\\p{N}])(?:VAT|TVA|BTW|IVA|MWST|UST|IDNR)?";

/** Where a number can begin in a text, and where it can end. */
const BEGINNINGS = new RegExp(`(?<=${START})[A-Z0-9]`, "gu");
const ENDS = /[A-Z0-9+*](?![\p{L}\p{N}])/gu;

/** The text in capitals with plain hyphens and single blanks, full-width letters as others, without what can't be seen. */
const toPlain = (text: string) =>
  text
    .replaceAll("º", "°")
    .replaceAll("№", "N°") // NFKC would make both the "No" of Norway
    .normalize("NFKC")
    .replaceAll(/\p{Cf}/gu, "")
    .replaceAll(/[\p{Pd}\u2212]/gu, "-")
    .replaceAll(/\s+/g, " ")
    .trim()
    .toUpperCase();

const compact = (text: string) => text.replaceAll(/[^\p{L}\p{N}+*]/gu, "");

/** Characters of a number with its blanks and punctuation, and of what is kept of a text. */
const MAX_CHARACTERS = 40;

/**
 * Each part of a plain text that stands on its own and has all its digits, shortest first, with what stands before and
 * after it; the digits of a paragraph (`§ 27 a UStG`) don't count.
 */
function partsOf(plain: string): { part: string; before: string; after: string }[] {
  const text = plain.replaceAll(/§ ?\d+/g, "§");
  const digits = [...text.matchAll(/\p{N}/gu)].map(({ index }) => index);
  const [first = -1, last = -1] = [digits[0], digits.at(-1)];
  const ends = [...text.matchAll(ENDS)].map(({ index }) => index + 1).filter((to) => to > last);
  return [...text.matchAll(BEGINNINGS)]
    .filter(({ index }) => index <= first)
    .flatMap(({ index: from }) =>
      ends
        .filter((to) => to - from <= MAX_CHARACTERS)
        .map((to) => ({ part: text.slice(from, to), before: text.slice(0, from), after: text.slice(to) })),
    )
    .sort((a, b) => a.part.length - b.part.length);
}

/**
 * How numbers begin that are, or claim to be, of the EU: with a member state's letters, or with EU (One Stop Shop). Up to
 * two letters more can follow: `ATU`, `ESX`, `XIGD`.
 */
const CLAIMS_EU = new RegExp(
  `${START}(?:${[...Object.keys(PATTERNS), "GR", "EU"].join("|")})[^\\p{L}\\p{N}]*(?:[A-Z][^\\p{L}\\p{N}]*){0,2}\\d`,
  "u",
);

/**
 * Countries whose businesses write their VAT number without its letters, and have no other number of that form, so that
 * the letters of a number from there may be missing.
 */
const WITHOUT_LETTERS = new Set(["AT", "BE", "DK", "ES", "FI", "FR", "HR", "IT", "NL", "PT", "SI"]);

/** Words of these countries before such a number. Any other could be that of a foreign number: `EIN`, `NO`, `Norway`. */
const LABELS = new Set([
  ..."VAT TAX REG REGISTRATION N NR NUM NUMBER NUMMER NUMERO NÚMERO NUMÉRO CODE ID IDNR IDENTIFICATION DE UID".split(
    " ",
  ),
  ..."UST MWST UMSATZSTEUER IDENTIFIKATIONSNUMMER BTW TVA INTRACOM INTRACOMMUNAUTAIRE IVA NIF CIF P PI PIVA".split(" "),
  ..."PARTITA C F CF E MOMS CVR ALV PDV OIB DDV".split(" "),
]);

/**
 * Reads a VAT number of the EU: `USt-IdNr.: de 136.695–976` is `{ country: "DE", number: "136695976" }`. It may stand
 * anywhere among words, if it is the only number there. `home` is the ISO 3166 code of the buyer's country, where the
 * letters may be missing. Undefined if there is none, or which it is isn't clear; only VIES knows whether it is registered
 * (vies.ts).
 */
export function readVatNumber(text: string, home = ""): VatNumber | undefined {
  const plain = toPlain(text);
  const parts = partsOf(plain);
  const named = readOnly(parts.flatMap(({ part }) => (/^[A-Z]{2}/.test(part) ? [compact(part)] : [])));
  if (named || !WITHOUT_LETTERS.has(home) || CLAIMS_EU.test(plain)) return named;
  const isHome = (word: string) => word === home;
  const unnamed = parts.filter(
    ({ part, before, after }) =>
      !/^[A-Z]{2}/.test(compact(part)) &&
      // `No` without a full stop is Norway.
      wordsOf(before.replaceAll(/\bNO[.:°]/g, "")).every((word) => LABELS.has(word) || isHome(word)) &&
      wordsOf(after).every(isHome),
  );
  return readOnly(unnamed.map(({ part }) => home + compact(part)));
}

const wordsOf = (text: string): string[] => text.match(/\p{L}+/gu) ?? [];

/** The only one of these texts that is a VAT number. */
function readOnly(texts: string[]): VatNumber | undefined {
  const found = [...new Set(texts)].map(readCompact).filter((each) => each !== undefined);
  return found.length === 1 ? found[0] : undefined;
}

function readCompact(text: string): VatNumber | undefined {
  const [, prefix = "", rest = ""] = /^([A-Z]{2})(.+)$/.exec(text) ?? [];
  const country = prefix === "GR" ? "EL" : prefix;
  // Older Belgian numbers are still printed with nine digits; the tenth is a 0 in front.
  const number = country === "BE" && /^\d{9}$/.test(rest) ? `0${rest}` : rest;
  return Object.hasOwn(PATTERNS, country) && PATTERNS[country]?.test(number) ? { country, number } : undefined;
}

/** Swiss, Norwegian and British numbers; those of British public bodies begin with GBGD and GBHA. */
const FOREIGN = /^(?:CHE\d{9}(?:MWST|TVA|IVA|VAT)?|NO\d{9}|(?:NO)?\d{9}MVA|GB(?:\d{9}|\d{12}|(?:GD|HA)\d{3}))$/;
const regions = new Intl.DisplayNames("en", { type: "region", fallback: "none" });

/**
 * Reads a VAT number of a country outside the EU's VAT area, of which nobody is asked: `UID: che–123.456.789 MWSt` is
 * `CHE-123.456.789 MWST`, for the invoice. `home` is the ISO 3166 code of the buyer's country, or empty. Other numbers,
 * whose forms are many, are kept as a whole, up to 40 characters in Latin letters: those with a country's letters in
 * front, and outside the EU any text with three digits. Undefined for anything else, and for what begins like a number of
 * the EU.
 */
export function readForeignVatNumber(text: string, home: string): string | undefined {
  const plain = toPlain(text);
  if (CLAIMS_EU.test(plain)) return undefined;
  const known = partsOf(plain).findLast(({ part, before }) => {
    // Without MVA it could also be the end of `VAT no`.
    const isLabel = /^NO[.:°]/.test(part) || (/^NO(?!.*MVA$)/.test(part) && before !== "");
    return FOREIGN.test(compact(part)) && !isLabel;
  })?.part;
  const kept = known ?? plain;
  if (kept.length > MAX_CHARACTERS || !/^[\p{Script=Latin}\d .,:;/()+*&#°'’-]+$/u.test(kept)) return undefined;
  if (known) return known;
  if (home !== "" && !EU_VAT_AREA.has(home)) return /(?:\d\D*){3}/.test(plain) ? plain : undefined;
  // `US EIN 12-3456789`, but not `My VAT 12345`: Malaysia. Norway's are known.
  const [, letters = "", label = ""] = /^(?!NO)([A-Z]{2})(?![A-Z])[^A-Z\d]*([A-Z]{0,6})[^A-Z\d]*\d/.exec(plain) ?? [];
  const isNamed = letters !== "" && regions.of(letters) !== undefined && !LABELS.has(letters) && !LABELS.has(label);
  return isNamed && /(?:\d\D*){5}/.test(plain) ? plain : undefined;
}

/** The country of a VAT number by ISO 3166 (XI stays XI); undefined if its form isn't valid. */
export function countryOfVatNumber(text: string): string | undefined {
  const vatNumber = readVatNumber(text);
  return vatNumber && toIso(vatNumber.country);
}

function toIso(prefix: string): string {
  return prefix === "EL" ? "GR" : prefix;
}
