import Type, { type Static } from "typebox";

/** .session/manifest.json, which the API reads first. Hashes are SHA-256 in hexadecimal digits. */
export const Manifest = Type.Object({
  /** The variables of each page, and of each part of a mail, as paths into its view: `lines[].total`. */
  templates: Type.Record(Type.String(), Type.Object({ variables: Type.Array(Type.String()) })),
  /** Every other file in the folder that pages and mails are made of. */
  files: Type.Array(Type.String({ pattern: "^[a-z0-9_][\\w./-]*$" })),
  /** Of all `files` in this order, so that a mixture of two builds is noticed. */
  hash: Type.String(),
  /** Of search.index and assistant.json, which are large and read separately. */
  search: Type.String(),
  assistant: Type.String(),
});
export type Manifest = Static<typeof Manifest>;
