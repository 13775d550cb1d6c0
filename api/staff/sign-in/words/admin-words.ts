import type english from "./en.ts";

/** The words of signing in, in one language. A word missing in another language's file is a type error. */
export type AdminWords = typeof english;
