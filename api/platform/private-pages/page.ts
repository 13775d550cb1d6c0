import Type, { type TSchema } from "typebox";

/**
 * A private page: the name of its template (site/src/private-pages/), which ends in `.md` for Markdown, and the schema of its
 * view, an object whose fields are always present, null where they don't apply. A view with `errors` gets "Error: "
 * before its title, which is the word `<template>.title`, with a dot for a slash, with its places filled from the view, or
 * the word named by the view's `title_word`.
 */
export interface PrivatePage<View extends TSchema = TSchema> {
  template: string;
  view: View;
}

/** A field of a view that holds the key of a word: `order.status.paid`, of the section `order.status`. */
export const wordOf = <const Section extends string, const Name extends string>(
  section: Section,
  names: readonly Name[],
) => Type.Unsafe<`${Section}.${Name}`>({ type: "string", words: names.map((name) => `${section}.${name}`) });

/** The keys of all words that the fields of a view can hold. */
export function wordsIn(view: TSchema): string[] {
  const { words = [], anyOf = [], properties = {}, items }: WithWords = view;
  return [...words, ...[...anyOf, ...Object.values(properties), ...(items ? [items] : [])].flatMap(wordsIn)];
}

interface WithWords {
  words?: string[];
  anyOf?: TSchema[];
  properties?: Record<string, TSchema>;
  items?: TSchema;
}

/** Whether a template is the Markdown face of a page, such as `buy.md`, which has no layout. */
export const isMarkdown = (template: string): boolean => template.endsWith(".md");

/** Whether a template is a piece of a page of the build, such as `version-fault.html`, which has neither layout nor title. */
export const isPiece = (template: string): boolean => template.endsWith(".html");

/** The paths, such as `lines[].total`, that a view of this schema may lack. Null on the way is allowed. */
export const findMissing = (view: TSchema, paths: readonly string[]): string[] =>
  paths.filter((path) => resolve([view], path.match(/\[\]|[^.[\]]+/g) ?? []) === undefined);

/** The schemas that the steps lead to from each of the given ones, without null; undefined if one of them lacks a step. */
function resolve(schemas: readonly TSchema[], [step, ...rest]: readonly string[]): TSchema[] | undefined {
  const forms = schemas.flatMap(formsOf);
  if (step === undefined) return forms;
  const next = forms.map((form) => stepInto(form, step));
  const found = next.filter((schema) => schema !== undefined);
  return found.length > 0 && found.length === next.length ? resolve(found, rest) : undefined;
}

/** The members of a union without null. */
function formsOf(schema: TSchema): TSchema[] {
  const { anyOf, type }: { anyOf?: TSchema[]; type?: string } = schema;
  if (anyOf) return anyOf.flatMap(formsOf);
  return type === "null" ? [] : [schema];
}

function stepInto(schema: TSchema, step: string): TSchema | undefined {
  const { type, properties, items, required = [] }: ObjectOrArray = schema;
  if (type === "array") return { "[]": items, first: items, last: items, size: { type: "integer" } }[step];
  if (type === "string" && step === "size") return { type: "integer" };
  return properties && Object.hasOwn(properties, step) && required.includes(step) ? properties[step] : undefined;
}

interface ObjectOrArray {
  type?: string;
  properties?: Record<string, TSchema>;
  required?: string[];
  items?: TSchema;
}
