/** A sentence for each plural form of a language; `{count}` is the number. */
export type Forms = { readonly other: string } & Partial<Readonly<Record<Intl.LDMLPluralRule, string>>>;

/** Wraps a part of a sentence in HTML, such as a link. */
export type Wrap = (text: string) => string;

/** Helpers for a language's sentences. */
export interface Grammar {
  /** A number in the locale's format: `2,500`. */
  number: (value: number) => string;
  /** `plural(2, { one: "{count} day", other: "{count} days" })` is `2 days`. */
  plural: (count: number, forms: Forms, values?: Values) => string;
  /** The same with `{min}` and `{max}`: `1 to 3 days`; with `{count}` if both are equal. */
  range: (span: Span, single: Forms, several: Forms) => string;
}

/** A range of numbers, such as days. */
export interface Span {
  min: number;
  max: number;
}

type Values = Readonly<Record<string, string | number>>;

/** Replaces names by values: `fill("Remove {product}", { product: "Pip" })`. */
export const fill = (text: string, values: Values): string =>
  text.replace(/\{(\w+)\}/g, (sign, name: string) => String(values[name] ?? sign));

/** The plural forms and number format of a locale. Also used in the browser. */
export function grammarOf(locale: string): Grammar {
  const rules = new Intl.PluralRules(locale);
  const { format } = new Intl.NumberFormat(locale);
  const plural: Grammar["plural"] = (count, forms, values) =>
    fill(forms[rules.select(count)] ?? forms.other, { ...values, count: format(count) });
  return {
    number: format,
    plural,
    range({ min, max }, single, several) {
      if (min === max) return plural(max, single);
      // TypeScript's library lacks selectRange(); in nearly all languages a range has the plural form of its end (CLDR).
      return fill(several[rules.select(max)] ?? several.other, { min: format(min), max: format(max) });
    },
  };
}
