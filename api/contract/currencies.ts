// From ISO 4217 (list one, 2026), since V8's Intl uses CLDR, which differs, such as 0 for IQD.
const DIGITS = new Map<string, number>([
  ...["BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF"].map((code) => [code, 0] as const),
  ...["UGX", "UYI", "VND", "VUV", "XAF", "XOF", "XPF"].map((code) => [code, 0] as const),
  ...["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"].map((code) => [code, 3] as const),
  ...["CLF", "UYW"].map((code) => [code, 4] as const),
]);

/** A currency's digits after the decimal point by ISO 4217. Throws RangeError for an invalid currency code. */
export function currencyDigits(currency: string): number {
  if (!/^[A-Z]{3}$/.test(currency)) throw new RangeError("A currency is three capital letters (ISO 4217).");
  return DIGITS.get(currency) ?? 2;
}
