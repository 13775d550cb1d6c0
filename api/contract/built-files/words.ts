import Type, { type Static } from "typebox";
import type { WordTree } from "../words.ts";

const Words = Type.Unsafe<WordTree>(
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
