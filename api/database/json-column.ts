declare const content: unique symbol;

/** The text of a JSON column that holds a T: what the database stores, and what it gives back (`jsonStrings`). */
export type JsonText<T> = string & { readonly [content]: T };

export const readJson = <T>(text: JsonText<T>): T => JSON.parse(text);

export const writeJson = <T>(value: T) => JSON.stringify(value) as JsonText<T>;
