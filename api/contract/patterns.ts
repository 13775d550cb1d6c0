// Regular expressions as text, for JSON Schema and for RegExp.

/** A slug, which becomes part of a URL. */
export const SLUG = "^[a-z0-9]+(-[a-z0-9]+)*$";
/** What a column of the database takes, and a file's name together with what a build adds to it. */
export const MAX_SLUG_LENGTH = 191;

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

const CONTROLS = "\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\ud800-\\udfff";

/** One line of at most so many characters, without blanks around it; with the flag `u`. */
export const oneLine = (most: number): string => `^[^\\s${CONTROLS}]([^${CONTROLS}]{0,${most - 2}}[^\\s${CONTROLS}])?$`;
