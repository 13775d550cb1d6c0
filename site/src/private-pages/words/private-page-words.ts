import type { Forms } from "../../words/grammar.ts";
import type english from "./en.ts";

/**
 * The words of the private pages in one language. A value is a text with `{name}` places, or the plural forms of one;
 * `{count}` is the number. A word missing in another language's file is a type error.
 */
export type PrivatePageWords = Translated<typeof english>;

type Translated<T> = T extends string
  ? string
  : T extends { other: string }
    ? Forms
    : { [Name in keyof T]: Translated<T[Name]> };
