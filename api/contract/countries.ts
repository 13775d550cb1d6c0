const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
// Codes with a name in Intl that aren't ISO countries: the European Union, the United Nations, islands, unknown.
const noCountries = /^(?:AC|CP|CQ|DG|EA|EU|EZ|IC|Q[M-Z]|TA|UN|X[A-Z]|ZZ)$/;

/** Whether a text is an ISO 3166-1 alpha-2 country code. */
export function isCountry(code: string): boolean {
  if (!/^[A-Z]{2}$/.test(code) || noCountries.test(code)) return false;
  // Intl resolves aliases such as UK to the country's code.
  const isCode = new Intl.Locale(`und-${code}`).region === code;
  return isCode && names.of(code) !== undefined;
}

const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

/** All of them. */
export const COUNTRIES: readonly string[] = LETTERS.flatMap((first) =>
  LETTERS.map((second) => first + second).filter(isCountry),
);
