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

/** The member states of the EU by ISO 3166, and XI: Northern Ireland, which belongs to its VAT area for goods. */
export const EU_VAT_AREA: ReadonlySet<string> = new Set(Object.keys(PATTERNS).map(toIso));

/** A VAT number of the EU or Northern Ireland. */
export interface VatNumber {
  /** As VAT numbers begin: EL for Greece, XI for Northern Ireland, otherwise the ISO code. */
  country: string;
  /** The part after the country. */
  number: string;
}

/** What people write in front of a number: the tax, or the number, as the languages of the EU and Switzerland name it. */
const LABELS = [
  ..."VAT BTW TVA IVA MWST UST UMSATZSTEUER MOMS ALV AFA DPH PDV DDV PVM PVN KMKR FPA ΦΠΑ ДДС VATIN".split(" "),
  ..."ID IDNR NR NRO NO NUM NUMBER NUMMER NUMERO REG REGISTRATION CODE CODICE PARTITA PIVA TAX EUVAT".split(" "),
  ..."IDENTIFICATION IDENTIFIKATIONSNUMMER INTRACOM INTRACOMMUNAUTAIRE INTRACOMUNITARIO NUMERODETVA NUMERODEIVA".split(
    " ",
  ),
  ..."UID NIF CIF CUI NIP DIC ICDPH CVR OIB AFM ΑΦΜ".split(" "),
];

/** One label, the longest that fits, with what stands between its letters and after it: `P. IVA:`. */
const LABEL = new RegExp(
  `^(?:${LABELS.toSorted((a, b) => b.length - a.length)
    .map((label) => [...label].join("[^\\p{L}\\p{N}]{0,2}"))
    .join("|")})[^\\p{L}\\p{N}]*`,
  "u",
);

/**
 * The text in capitals with plain hyphens and single blanks, without accents and what can't be seen, and again with each
 * label less.
 */
function readings(text: string): string[] {
  const plain = text
    .replaceAll(/n[°º]/gi, "NO ")
    .normalize("NFKD")
    .replaceAll(/[\p{M}\p{Cf}]/gu, "")
    .replaceAll(/[\p{Pd}\u2212]/gu, "-")
    .replaceAll(/\s+/g, " ")
    .trim()
    .toUpperCase();
  const found = [plain];
  for (let last = plain, next = ""; ; last = next) {
    next = last.replace(LABEL, "");
    if (next === last) return found;
    found.push(next);
  }
}

const compact = (text: string) => text.replaceAll(/[^\p{L}\p{N}+*]/gu, "");

/** The letters of a country that stands there twice. */
const TWICE = /^(?:([A-Z]{2})(?=\1)|(?:EL|GR)(?=EL|GR))/;

/**
 * Countries whose businesses write their VAT number without its letters, and have no other number of that form, so that
 * the letters of a number from there may be missing.
 */
const WITHOUT_LETTERS = new Set(["AT", "BE", "DK", "ES", "FI", "FR", "HR", "IT", "NL", "PT", "SI"]);

/**
 * Reads a VAT number of the EU: `USt-IdNr.: de 136.695–976` is `{ country: "DE", number: "136695976" }`. What people paste
 * with it is passed over: blanks, punctuation and dashes of any kind, labels, the country's letters twice. `home` is the
 * ISO 3166 code of the buyer's country, where the letters may be missing. Undefined if the form isn't valid; only VIES
 * knows whether it is registered (vies.ts).
 */
export function readVatNumber(text: string, home = ""): VatNumber | undefined {
  const numbers = readings(text).map((each) => compact(each).replace(TWICE, ""));
  const prefixed = WITHOUT_LETTERS.has(home) ? numbers.map((number) => home + number) : [];
  for (const number of [...numbers, ...prefixed]) {
    const read = readCompact(number);
    if (read) return read;
  }
  return undefined;
}

function readCompact(text: string): VatNumber | undefined {
  const [, prefix = "", rest = ""] = /^([A-Z]{2})(.+)$/.exec(text) ?? [];
  const country = prefix === "GR" ? "EL" : prefix;
  // Older Belgian numbers are still printed with nine digits; the tenth is a 0 in front.
  const number = country === "BE" && /^\d{9}$/.test(rest) ? `0${rest}` : rest;
  return Object.hasOwn(PATTERNS, country) && PATTERNS[country]?.test(number) ? { country, number } : undefined;
}

/** As numbers from outside the EU begin: Swiss ones with CHE, British ones of public bodies with GBGD and GBHA. */
const FOREIGN = /^(?:CHE\d{9}|GB(?:GD|HA)\d{3}|[A-Z]{2}\d{5})/;
const NORWEGIAN = /^NO\d{9}MVA$/;
const regions = new Intl.DisplayNames("en", { type: "region", fallback: "none" });

/**
 * Reads a VAT number of a country outside the EU's VAT area, of which nobody is asked: `che–123.456.789 MWSt` is
 * `CHE-123.456.789 MWST`, for the invoice. `home` is the ISO 3166 code of the buyer's country, or empty; outside the EU
 * any text of at most 40 characters with three digits is taken for a number, since their forms are many. Undefined for
 * anything else, and for what begins like a number of the EU.
 */
export function readForeignVatNumber(text: string, home: string): string | undefined {
  const candidates = readings(text);
  const number = candidates.find((each) => NORWEGIAN.test(compact(each))) ?? candidates.at(-1) ?? "";
  if (!/^[\p{L}\p{N} .,:;/()+*&-]{1,40}$/u.test(number) || !/(?:\d\D*){3}/.test(number)) return undefined;
  const letters = /^([A-Z]{2})\d/.exec(compact(number))?.[1] ?? "";
  if (letters === "GR" || Object.hasOwn(PATTERNS, letters)) return undefined;
  if (home !== "" && !EU_VAT_AREA.has(home)) return number;
  const isForeign = FOREIGN.test(compact(number)) && (letters === "" || regions.of(letters) !== undefined);
  return isForeign || NORWEGIAN.test(compact(number)) ? number : undefined;
}

/** The country of a VAT number by ISO 3166 (XI stays XI); undefined if its form isn't valid. */
export function countryOfVatNumber(text: string): string | undefined {
  const vatNumber = readVatNumber(text);
  return vatNumber && toIso(vatNumber.country);
}

function toIso(prefix: string): string {
  return prefix === "EL" ? "GR" : prefix;
}
