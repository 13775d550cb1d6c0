/** A sentence for each plural form of a language that reads otherwise; `{count}` stands for the number. */
export type Forms = { readonly other: string } & Partial<Readonly<Record<Intl.LDMLPluralRule, string>>>;

/** Makes a piece of a sentence into HTML, a link for instance. */
export type Wrap = (text: string) => string;

/** What a language's sentences are put together with. */
export interface Grammar {
  /** A number as the locale writes it: `2,500`. */
  number: (value: number) => string;
  /** `plural(2, { one: "{count} day", other: "{count} days" })` is `2 days`. */
  plural: (count: number, forms: Forms, values?: Values) => string;
  /** The same with `{min}` and `{max}`: `1 to 3 days`; with `{count}` where both are equal. */
  range: (span: Span, single: Forms, several: Forms) => string;
}

/** A number of days or of something else, from the fewest to the most. */
export interface Span {
  min: number;
  max: number;
}

type Values = Readonly<Record<string, string | number>>;

/** Puts values in the place of their names: `fill("Remove {product}", { product: "Pip" })`. */
export const fill = (text: string, values: Values): string =>
  text.replace(/\{(\w+)\}/g, (sign, name: string) => String(values[name] ?? sign));

/** Plural forms and numbers as a locale has them. Runs in the browser too. */
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
      // TypeScript's library lacks selectRange(); in nearly all languages a range has the form of its end (CLDR).
      return fill(several[rules.select(max)] ?? several.other, { min: format(min), max: format(max) });
    },
  };
}
