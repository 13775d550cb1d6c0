// Regular expressions as text, for JSON Schema and for RegExp.

const LETTER = "\\p{Ll}\\p{Lm}\\p{Lo}\\p{Nd}";
const WORD = `[${LETTER}][${LETTER}\\p{M}]*`;
/**
 * A slug, which becomes part of a URL: lowercase letters of every script, their marks, digits and single hyphens, without
 * characters that nobody sees; with the flag `u`. `isSlug` knows the rest.
 */
export const SLUG = `^(?!.*\\p{Default_Ignorable_Code_Point})${WORD}(-${WORD})*$`;
/** In UTF-8: what a column of the database takes, and a file's name together with what a build adds to it. */
export const MAX_SLUG_BYTES = 180;

const slug = new RegExp(SLUG, "u");
const utf8 = new TextEncoder();

/** The bytes of a text in UTF-8. */
export const utf8Length = (text: string): number => utf8.encode(text).length;

/** Whether a text can be a slug: of each letter one spelling alone, NFC (UAX #15), because addresses are compared by bytes. */
export const isSlug = (text: string): boolean =>
  slug.test(text) && text.normalize("NFC") === text && utf8Length(text) <= MAX_SLUG_BYTES;

/** A SKU: printable ASCII without blanks, which every ERP can read. The content's check also limits its length. */
export const SKU = "^[!-~]+$";

/** An amount that isn't negative, such as a price: 15 digits at most before the point, and four after it. */
export const AMOUNT = "^(0|[1-9][0-9]{0,14})(\\.[0-9]{1,4})?$";

/** A tax rate as a decimal fraction: 0.21 is 21 %. */
export const RATE = "^(0(\\.[0-9]{1,6})?|1(\\.0{1,6})?)$";

/** ISO 4217. */
export const CURRENCY = "^[A-Z]{3}$";

/** ISO 3166-1 alpha-2. */
export const COUNTRY = "^[A-Z]{2}$";

/** A country, or a territory that store.yaml may name (territories.ts). */
export const PLACE = "^[A-Z]{2}(-[A-Z0-9]{1,12})?$";

/** The code of a delivery method. */
export const METHOD_CODE = "^(?=.{1,64}$)[a-z0-9]+([_-][a-z0-9]+)*$";

const CONTROLS = "\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\ud800-\\udfff";

/** One line of at most so many characters, without blanks around it; with the flag `u`. */
export const oneLine = (most: number): string => `^[^\\s${CONTROLS}]([^${CONTROLS}]{0,${most - 2}}[^\\s${CONTROLS}])?$`;
