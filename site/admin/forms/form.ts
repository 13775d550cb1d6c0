import { type Document, isAlias, isMap, isScalar, isSeq, type Pair } from "yaml";
import type { Field, Kind } from "./fields.ts";

// A form is what an editor's browser holds of a file: plain JSON in a shape that Sveltia can edit. Lists of texts are one
// text with a line each; names that the editor chooses are rows with a `name`, because they are in order and may have dots;
// a picture's path is without `./`.

export type Form = string | number | boolean | Form[] | { [name: string]: Form | undefined } | undefined;
export type FormGroup = { [name: string]: Form | undefined };

const LINE: Kind = { kind: "line", longest: undefined };

/** Begins what isn't of the schema's type, such as a price without quotes, so that saving it writes the right type. */
const WRONG_TYPE = "\0";

/** The form of a YAML node. What is so wrong that a form can't hold it is left out. */
export function formOf(kind: Kind, written: unknown, document: Document, markWrongTypes = false): Form {
  const node = resolve(written, document);
  const of = (kind: Kind, node: unknown) => formOf(kind, node, document, markWrongTypes);
  switch (kind.kind) {
    case "group":
      if (isMap(node)) return groupOf(kind.fields, node.items, of);
      return kind.short !== undefined && isScalar(node) ? { [kind.short]: of(LINE, node) } : undefined;
    case "list":
      return isSeq(node) ? node.items.map((item) => of(kind.item, item)) : undefined;
    case "texts": {
      const items = isSeq(node) ? node.items : kind.orText || (isScalar(node) && node.value !== null) ? [node] : [];
      const texts = items.map((item) => of(kind.item, item)).filter((text) => typeof text === "string");
      return kind.item.kind === "line" ? texts.join("\n") : texts;
    }
    case "named":
      return isMap(node) ? node.items.map((pair) => rowOf(kind, pair, of)) : undefined;
    default:
      return isScalar(node) ? scalarOf(kind, node.value, node.source, markWrongTypes) : undefined;
  }
}

/** The node itself, or what an alias stands for. */
const resolve = (node: unknown, document: Document): unknown => (isAlias(node) ? node.resolve(document) : node);

/** A pair's key as it is written. */
export const keyOf = ({ key }: Pair): string =>
  isScalar(key) ? String(typeof key.value === "string" ? key.value : (key.source ?? key.value)) : String(key);

const groupOf = (
  fields: readonly Field[],
  pairs: readonly Pair[],
  of: (kind: Kind, node: unknown) => Form,
): FormGroup =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const pair = pairs.find((each) => keyOf(each) === field.name);
      return pair === undefined ? [] : [[field.name, of(field, pair.value)]];
    }),
  );

function rowOf({ value }: Kind & { kind: "named" }, pair: Pair, of: (kind: Kind, node: unknown) => Form): FormGroup {
  const name = keyOf(pair);
  const form = of(value, pair.value);
  return value.kind === "group" ? { name, ...(form as FormGroup | undefined) } : { name, value: form };
}

function scalarOf({ kind }: Kind, value: unknown, source: string | undefined, markWrongTypes: boolean): Form {
  if (value === null || value === undefined) return undefined;
  if (kind === "boolean") return typeof value === "boolean" ? value : undefined;
  if (kind === "integer") return typeof value === "number" ? value : undefined;
  // Grams and pieces are numbers.
  if (kind === "measure" && typeof value === "number") return source ?? String(value);
  if (typeof value !== "string") return (markWrongTypes ? WRONG_TYPE : "") + (source ?? String(value));
  return kind === "picture" || kind === "document" ? value.replace(/^\.\//, "") : value;
}

/** Whether two forms say the same. Sveltia trims texts, and writes empty fields and `false` for what isn't there. */
export const saysTheSame = (kind: Kind, one: Form, other: Form): boolean =>
  JSON.stringify(prune(kind, one)) === JSON.stringify(prune(kind, other));

/** Whether a form says nothing. */
export const isEmpty = (kind: Kind, form: Form): boolean => prune(kind, form) === undefined;

/** What a form says, in one way. */
function prune(kind: Kind, form: Form): Form {
  if (form === undefined || form === null) return undefined;
  switch (kind.kind) {
    case "group":
      return pruneGroup(kind.fields, form as FormGroup);
    case "list":
      return orNothing((Array.isArray(form) ? form : []).map((item) => prune(kind.item, item)));
    case "texts":
      return orNothing(textsOf(form));
    case "named":
      return orNothing(namedRows(form).map(({ name, form }) => [name, prune(kind.value, form(kind.value))]));
    case "boolean":
      return form === true ? true : undefined;
    case "integer":
      return form === "" ? undefined : Number(form);
    default:
      return textOf(kind, form) || undefined;
  }
}

function pruneGroup(fields: readonly Field[], form: FormGroup): Form {
  const entries = fields.map((field) => [field.name, prune(field, form[field.name])] as const);
  const said = entries.filter(([, value]) => value !== undefined);
  return said.length > 0 ? Object.fromEntries(said) : undefined;
}

function orNothing(items: Form[]): Form {
  const said = items.filter((item) => item !== undefined);
  return said.length > 0 ? said : undefined;
}

/** A text as it is written into a file. */
export function textOf({ kind }: Kind, form: Form): string {
  const text = String(form ?? "")
    .replaceAll("\r\n", "\n")
    .trim();
  return kind === "picture" || kind === "document" ? text.replace(/^(?:\.\/)?(?=.)/, "./") : text;
}

/** The items of a list of texts. */
export const textsOf = (form: Form): string[] =>
  (Array.isArray(form) ? form.map(String) : String(form ?? "").split(/\r?\n/))
    .map((text) => text.trim())
    .filter((text) => text !== "");

/** The rows of names that an editor has chosen, each with its value's form by its kind. */
export const namedRows = (rows: Form): { name: string; form: (value: Kind) => Form }[] =>
  (Array.isArray(rows) ? (rows as FormGroup[]) : [])
    .map(({ name, ...rest }) => ({
      name: String(name ?? "").trim(),
      form: ({ kind }: Kind): Form => (kind === "group" ? rest : rest["value"]),
    }))
    .filter(({ name }) => name !== "");
