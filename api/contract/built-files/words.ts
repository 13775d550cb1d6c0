import Type, { type Static } from "typebox";

/** Words by section and name. A text has `{name}` places; a group of texts with `other` is the plural forms of one. */
export interface Words {
  readonly [name: string]: string | Words;
}

const Words = Type.Unsafe<Words>(
  Type.Cyclic({ Words: Type.Record(Type.String(), Type.Union([Type.String(), Type.Ref("Words")])) }, "Words"),
);

/** .session/words.json: the words in the shop's language, and how the shop writes money and dates. */
export const ShopWords = Type.Object({
  name: Type.String(),
  /** A BCP 47 tag. */
  locale: Type.String(),
  /** An ISO 4217 code. */
  currency: Type.String(),
  words: Words,
});
export type ShopWords = Static<typeof ShopWords>;
