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

/**
 * Reads a VAT number with its country: `de 136.695-976` is `{ country: "DE", number: "136695976" }`. Undefined if its
 * form isn't valid; only VIES knows whether it is registered (vies.ts).
 */
export function readVatNumber(text: string): VatNumber | undefined {
  const [, prefix = "", number = ""] = /^([A-Z]{2})(.+)$/.exec(text.toUpperCase().replace(/[\s.-]/g, "")) ?? [];
  const country = prefix === "GR" ? "EL" : prefix;
  return Object.hasOwn(PATTERNS, country) && PATTERNS[country]?.test(number) ? { country, number } : undefined;
}

/** The country of a VAT number by ISO 3166 (XI stays XI); undefined if its form isn't valid. */
export function countryOfVatNumber(text: string): string | undefined {
  const vatNumber = readVatNumber(text);
  return vatNumber && toIso(vatNumber.country);
}

function toIso(prefix: string): string {
  return prefix === "EL" ? "GR" : prefix;
}
