import {
  Document,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  type Node,
  Pair,
  parseDocument,
  Scalar,
  stringify,
  YAMLMap,
  YAMLSeq,
} from "yaml";
import { keepBlocks } from "./body.ts";
import type { Field, Kind } from "./fields.ts";
import { type Form, type FormGroup, formOf, isEmpty, keyOf, namedRows, saysTheSame, textOf, textsOf } from "./form.ts";

// Writes what an editor has changed into a file, and nothing else: values that say the same keep their bytes, with their
// quotes, comments, order, flow style and line ends. `yaml` alone would rewrite the whole file in its own style.

/** How a kind of file is written. */
export interface FileFormat {
  fields: readonly Field[];
  /** Whether text follows the fields. */
  body: "none" | "markdown" | "mdx";
}

/** What the browser holds of a file. */
export interface FileForm {
  values: FormGroup;
  body: string;
}

/** A file that can't be read as fields and text. The message is for the editor. */
export class Unreadable extends Error {
  override name = "Unreadable";
}

interface Parts {
  /** Up to the first line of YAML. */
  open: string;
  yaml: string;
  /** From the line below the YAML to the text. */
  close: string;
  body: string;
}

/** Reads a file's form. Throws Unreadable. */
export function readFile(format: FileFormat, text: string): FileForm {
  const { yaml, body } = split(format, text);
  const values = formOf(rootOf(format.fields), ...parse(yaml)) as FormGroup | undefined;
  return { values: values ?? {}, body: body.replaceAll("\r\n", "\n").trim() };
}

/**
 * The file as it was, with what the form says otherwise; without `base`, a new file. `shown` is what Sveltia made of its
 * text before anybody typed (body.ts). Throws Unreadable.
 */
export function writeFile(format: FileFormat, base: string | undefined, form: FileForm, shown?: string): string {
  const { fields } = format;
  if (base === undefined) {
    const empty = format.body === "none" ? "" : "---\n---\n";
    return writeFile(format, empty, form);
  }
  const parts = split(format, base);
  const eol = /\r\n/.test(base) ? "\r\n" : "\n";
  const yaml = new YamlWriter(parts.yaml, eol).write(fields, form.values);
  if (format.body === "none") return parts.open + yaml;
  const body = keepBlocks(parts.body, form.body, { isMdx: format.body === "mdx", eol, shown });
  return join({ ...parts, yaml, body });
}

/** The text below a file's fields, with its line ends. Throws Unreadable. */
export const bodyOf = (format: FileFormat, text: string): string => split(format, text).body;

/** A file with another text below its fields. Throws Unreadable. */
export function replaceBody(format: FileFormat, text: string, body: string): string {
  return join({ ...split(format, text), body });
}

/** The whole file. Its fields may be its last line, which has no end then. */
function join({ open, yaml, close, body }: Parts): string {
  const [eol] = /\r?\n$/.exec(open) ?? [""];
  return open + yaml + close + (body === "" || close.endsWith("\n") ? "" : eol) + body;
}

function split({ body }: FileFormat, text: string): Parts {
  const [, mark = "", rest = ""] = /^(\uFEFF?)([\s\S]*)$/.exec(text) ?? [];
  if (body === "none") return { open: mark, yaml: rest, close: "", body: "" };
  const found = /^(---[ \t]*\r?\n)((?:(?!---[ \t]*(?:\r?\n|$))[^\n]*\n)*)(---[ \t]*(?:\r?\n|$))([\s\S]*)$/.exec(rest);
  if (!found) throw new Unreadable("The fields must stand between two lines `---`.");
  const [, open = "", yaml = "", close = "", after = ""] = found;
  return { open: mark + open, yaml, close, body: after };
}

/** The contents and the document. */
function parse(yaml: string): [unknown, Document.Parsed] {
  const document = parseDocument(yaml, { prettyErrors: false });
  const [error] = document.errors;
  if (error) throw new Unreadable(`The fields can't be read: ${error.message}`);
  return [document.contents, document];
}

/** Rewrites YAML from the slices of its source. */
class YamlWriter {
  readonly #text: string;
  readonly #eol: string;
  readonly #contents: unknown;
  readonly #document: Document.Parsed;

  constructor(text: string, eol: string) {
    this.#text = text;
    this.#eol = eol;
    [this.#contents, this.#document] = parse(text);
  }

  write(fields: readonly Field[], form: FormGroup): string {
    const root = rootOf(fields);
    const contents = this.#contents;
    if (this.#isUnchanged(root, contents, form)) return this.#text;
    const written = isMap(contents) ? this.#group(contents, fields, form) : undefined;
    const start = isMap(contents) ? rangeOf(contents)[0] : this.#text.length;
    const end = isMap(contents) ? this.#endOf(contents) : this.#text.length;
    const added = written ?? this.#newLines(toNode(root, form), 0).replace(/\r?\n$/, "");
    const text = this.#text.slice(0, start) + added + (this.#text.slice(end) || (added === "" ? "" : this.#eol));
    const [now, document] = parse(text);
    if (!saysTheSame(root, formOf(root, now, document, true), form)) throw new Error("the fields were written wrongly");
    return text;
  }

  #isUnchanged(kind: Kind, node: unknown, form: Form): boolean {
    return saysTheSame(kind, formOf(kind, node, this.#document, true), form);
  }

  /** A value's text in the place of its node; undefined where it needs lines of its own. */
  #value(kind: Kind, node: Node, form: Form, inFlow: boolean): string | undefined {
    if (this.#isUnchanged(kind, node, form)) return this.#text.slice(rangeOf(node)[0], this.#endOf(node));
    const flow = inFlow || (isCollection(node) && node.flow === true);
    if (flow && isCollection(node)) return this.#flow(kind, node, form);
    if (kind.kind === "group" && isMap(node)) return this.#group(node, kind.fields, form as FormGroup);
    if (kind.kind === "named" && isMap(node)) return this.#named(node, kind, form as FormGroup[]);
    if (kind.kind === "list" && isSeq(node)) return this.#items(node, kind.item, form as Form[]);
    if (kind.kind === "texts") {
      const texts = textsOf(form);
      if (isSeq(node)) return this.#items(node, kind.item, texts);
      return isScalar(node) ? flowText(toNode(kind, form)) : undefined;
    }
    if (kind.kind === "group" && isScalar(node) && !isMap(toNode(kind, form)))
      return this.#scalar(LINE, node, (form as FormGroup)[kind.short ?? ""], flow);
    if (kind.kind === "group" || kind.kind === "named" || kind.kind === "list") return undefined;
    return isScalar(node) ? this.#scalar(kind, node, form, flow) : flowText(toNode(kind, form));
  }

  #scalar(kind: Kind, node: Scalar, form: Form, inFlow: boolean): string | undefined {
    const next = toNode(kind, form);
    if (!isScalar(next)) return undefined;
    const isBlock = node.type === Scalar.BLOCK_FOLDED || node.type === Scalar.BLOCK_LITERAL;
    if (isBlock || String(next.value).includes("\n")) return inFlow ? flowText(next) : undefined;
    if (node.type === Scalar.QUOTE_DOUBLE || node.type === Scalar.QUOTE_SINGLE) next.type = node.type;
    return flowText(next, inFlow);
  }

  /** A flow collection, such as `[USB, LAN]`, whose unchanged values keep their bytes. */
  #flow(kind: Kind, node: YAMLMap | YAMLSeq, form: Form): string {
    if (isSeq(node)) {
      const item = kind.kind === "texts" || kind.kind === "list" ? kind.item : kind;
      const forms = kind.kind === "texts" ? textsOf(form) : (form as Form[]);
      const aligned = this.#align(node, item, forms);
      const texts = aligned.map(({ node, form }) =>
        node ? this.#value(item, node, form, true) : flowText(toNode(item, form)),
      ) as string[];
      const nodes = node.items as Node[];
      const inPlace = aligned.length === nodes.length && aligned.every((each, index) => each.node === nodes[index]);
      return inPlace ? this.#replaceAll(node, nodes, texts) : `[${texts.join(", ")}]`;
    }
    const fields = kind.kind === "group" ? kind.fields : kind.kind === "named" ? fieldsOfRows(kind, form) : undefined;
    if (fields === undefined) return flowText(toNode(kind, form));
    const values = kind.kind === "named" ? valuesOfRows(kind, form) : (form as FormGroup);
    const pairs = node.items as Pair[];
    const entries = this.#order(node, fields, values, kind.kind === "named");
    const texts = entries.map(({ field, pair }) => {
      const value = pair?.value as Node | null | undefined;
      if (field === undefined) return value ? this.#text.slice(rangeOf(value)[0], this.#endOf(value)) : "";
      const text = value && this.#value(field, value, values[field.name], true);
      return text ?? flowText(toNode(field, values[field.name]));
    });
    const isInPlace =
      entries.length === pairs.length && entries.every(({ pair }, at) => pair?.value && pair === pairs[at]);
    if (isInPlace)
      return this.#replaceAll(
        node,
        pairs.map(({ value }) => value as Node),
        texts,
      );
    const keys = entries.map(({ field, pair }) =>
      pair ? this.#text.slice(...rangeOf(pair.key)) : flowText(new Scalar(field?.name)),
    );
    return `{ ${texts.map((text, index) => `${keys[index]}: ${text}`).join(", ")} }`;
  }

  /** A node's text with that of some nodes in it replaced. */
  #replaceAll(node: Node, nodes: readonly Node[], texts: readonly string[]): string {
    let [at] = rangeOf(node);
    const parts = nodes.map((each, index) => {
      const before = this.#text.slice(at, rangeOf(each)[0]);
      at = this.#endOf(each);
      return before + texts[index];
    });
    return parts.join("") + this.#text.slice(at, this.#endOf(node));
  }

  #group(node: YAMLMap, fields: readonly Field[], form: FormGroup): string {
    return this.#pairs(node, this.#order(node, fields, form), form);
  }

  #named(node: YAMLMap, kind: Kind & { kind: "named" }, rows: FormGroup[]): string {
    const values = valuesOfRows(kind, rows);
    return this.#pairs(node, this.#order(node, fieldsOfRows(kind, rows), values, true), values);
  }

  /**
   * The pairs to write, in order: those that stay where they are, and each new one below the field that precedes it in
   * the schema. With `inOrder`, the order of the fields is the editor's own.
   */
  #order(node: YAMLMap, fields: readonly Field[], form: FormGroup, inOrder = false): Entry[] {
    const fieldOf = (pair: Pair) => fields.find(({ name }) => name === keyOf(pair));
    const pairOf = (field: Field) => (node.items as Pair[]).find((pair) => keyOf(pair) === field.name);
    const stays = (field: Field, pair: Pair) =>
      !isGone(field, form[field.name]) || isEmpty(field, formOf(field, pair.value, this.#document));
    if (inOrder) return fields.map((field) => ({ field, pair: pairOf(field) }));
    const entries: Entry[] = (node.items as Pair[])
      .map((pair) => ({ field: fieldOf(pair), pair }))
      .filter(({ field, pair }) => field === undefined || stays(field, pair));
    for (const [index, field] of fields.entries()) {
      if (pairOf(field) || isGone(field, form[field.name])) continue;
      const before = fields.slice(0, index).map(({ name }) => name);
      const last = entries.findLastIndex((entry) => entry.field && before.includes(entry.field.name));
      entries.splice(last + 1, 0, { field, pair: undefined });
    }
    return entries;
  }

  #pairs(node: YAMLMap, entries: readonly Entry[], form: FormGroup): string {
    const column = this.#columnOf(node);
    const pieces = this.#pieces(
      node,
      (node.items as Pair[]).map((pair) => [rangeOf(pair.key)[0], this.#endOfPair(pair)]),
    );
    const texts = entries.map(({ field, pair }) => {
      const written = () => {
        const map = new YAMLMap();
        if (field) map.items.push(new Pair(new Scalar(field.name), toNode(field, form[field.name])));
        return this.#newLines(map, column);
      };
      if (pair === undefined) return written();
      const piece = pieces.get((node.items as Pair[]).indexOf(pair)) as Piece;
      const value = pair.value as Node | null;
      if (field === undefined) return piece.text;
      if (value === null || isEmpty(field, formOf(field, value, this.#document)))
        return this.#isUnchanged(field, value, form[field.name]) ? piece.text : written();
      const text = this.#value(field, value, form[field.name], false);
      return text === undefined ? written() : replaceIn(piece, rangeOf(value)[0], this.#endOf(value), text);
    });
    // The first line starts where the collection did.
    return texts.join(this.#eol).trimStart();
  }

  #items(node: YAMLSeq, item: Kind, forms: readonly Form[]): string {
    const column = this.#columnOf(node);
    const nodes = node.items as Node[];
    const pieces = this.#pieces(
      node,
      nodes.map((each) => [rangeOf(each)[0], this.#endOf(each)]),
    );
    const texts = this.#align(node, item, forms).map(({ node: kept, form }) => {
      const written = () => {
        const list = new YAMLSeq();
        list.items.push(toNode(item, form));
        return this.#newLines(list, column);
      };
      if (kept === undefined) return written();
      const piece = pieces.get(nodes.indexOf(kept)) as Piece;
      const text = this.#value(item, kept, form, false);
      return text === undefined ? written() : replaceIn(piece, rangeOf(kept)[0], this.#endOf(kept), text);
    });
    // The first line starts where the collection did.
    return texts.join(this.#eol).trimStart();
  }

  /** Finds the node from which each item of a list comes: one that says the same, or else the one in its place. */
  #align(node: YAMLSeq, item: Kind, forms: readonly Form[]): { node: Node | undefined; form: Form }[] {
    const free = new Set(node.items as Node[]);
    const written = forms.filter((form) => !isEmpty(item, form));
    const same = written.map((form) => {
      const found = [...free].find((each) => this.#isUnchanged(item, each, form));
      if (found) free.delete(found);
      return found;
    });
    return written.map((form, index) => {
      const inPlace = (node.items as Node[])[index];
      const kept = same[index] ?? (inPlace && free.has(inPlace) ? inPlace : undefined);
      if (kept) free.delete(kept);
      return { node: kept, form };
    });
  }

  /**
   * The lines of each item of a block collection: from the line below the item before it, with the comments there, to its
   * own last line.
   */
  #pieces(node: YAMLMap | YAMLSeq, ranges: readonly (readonly [number, number])[]): Map<number, Piece> {
    const column = this.#columnOf(node);
    let from = rangeOf(node)[0];
    return new Map(
      ranges.map(([, end], index) => {
        const lineEnd = this.#text.indexOf("\n", end);
        const isLast = index === ranges.length - 1;
        const to = isLast || lineEnd === -1 ? end : lineEnd;
        const lead = index === 0 ? " ".repeat(column) : "";
        const text = lead + this.#text.slice(from, to).replace(/\r$/, "");
        const piece = { text, offset: from - lead.length };
        from = to + 1;
        return [index, piece];
      }),
    );
  }

  /** New lines of YAML at a column, without the last line end. */
  #newLines(node: Node, column: number): string {
    const text = new Document(node).toString({ lineWidth: 0, flowCollectionPadding: false }).trimEnd();
    if (text === "{}") return "";
    const lines = text.split("\n").map((line) => (line === "" ? "" : " ".repeat(column) + line));
    return lines.join(this.#eol);
  }

  #columnOf(node: Node): number {
    const [start] = rangeOf(node);
    return start - (this.#text.lastIndexOf("\n", start - 1) + 1);
  }

  /** Where a node's own text ends, without the line ends and comments below it. */
  #endOf(node: Node): number {
    if (isCollection(node) && !node.flow) {
      const last = node.items.at(-1);
      if (isMap(node) && last) return this.#endOfPair(last as Pair);
      if (last) return this.#endOf(last as Node);
    }
    const [start, end] = rangeOf(node);
    return start + this.#text.slice(start, end).trimEnd().length;
  }

  #endOfPair({ key, value }: Pair): number {
    if (!value || rangeOf(value)[0] === rangeOf(value)[1]) {
      const [, end] = rangeOf(key);
      const colon = /^[ \t]*:/.exec(this.#text.slice(end))?.[0].length ?? 0;
      return end + colon;
    }
    return this.#endOf(value as Node);
  }
}

const LINE: Kind = { kind: "line", longest: undefined };

/** The fields of a file as one group. */
export const rootOf = (fields: readonly Field[]): Kind => ({ kind: "group", fields, short: undefined });

interface Entry {
  /** Undefined for a field that the schema doesn't know. */
  field: Field | undefined;
  /** Undefined for a new one. */
  pair: Pair | undefined;
}

interface Piece {
  text: string;
  /** Where in the source it would start. */
  offset: number;
}

const replaceIn = ({ text, offset }: Piece, start: number, end: number, value: string): string =>
  text.slice(0, start - offset) + value + text.slice(end - offset);

const rangeOf = (node: unknown): [number, number] => {
  const [start, end] = (node as Node).range as [number, number, number];
  return [start, end];
};

/** Whether a field is left out. `false` is written only where a value must be. */
const isGone = (field: Field, form: Form): boolean =>
  isEmpty(field, form) && !(field.kind === "boolean" && field.required && form === false);

/** Rows of chosen names as fields and their values. */
const fieldsOfRows = ({ value }: Kind & { kind: "named" }, rows: Form): Field[] =>
  namedRows(rows).map(({ name }) => ({ ...value, name, required: true }));

const valuesOfRows = ({ value }: Kind & { kind: "named" }, rows: Form): FormGroup =>
  Object.fromEntries(namedRows(rows).map(({ name, form }) => [name, form(value)]));

/** What a form says as new YAML: texts that begin with a digit in quotes, as content/README.md asks for. */
function toNode(kind: Kind, form: Form): Node {
  switch (kind.kind) {
    case "group": {
      const given = kind.fields.filter((field) => !isGone(field, (form as FormGroup | undefined)?.[field.name]));
      const [first] = given;
      if (first && given.length === 1 && first.name === kind.short)
        return toNode(LINE, (form as FormGroup)[first.name]);
      return toMap(given, (form ?? {}) as FormGroup);
    }
    case "named":
      return toMap(fieldsOfRows(kind, form), valuesOfRows(kind, form));
    case "texts": {
      const texts = textsOf(form);
      const [only] = texts;
      if (kind.orText && texts.length === 1) return toNode(kind.item, only);
      return toList(kind.item, texts, true);
    }
    case "list":
      return toList(
        kind.item,
        (Array.isArray(form) ? form : []).filter((item) => !isEmpty(kind.item, item)),
        false,
      );
    case "boolean":
      return new Scalar(form === true);
    case "integer":
      return new Scalar(isEmpty(kind, form) ? null : Number(form));
    case "measure":
      // Grams and pieces are numbers, and an amount has quotes.
      if (/^[1-9]\d{0,8}$/.test(textOf(kind, form))) return new Scalar(Number(form));
      return toNode(LINE, form);
    default: {
      const text = textOf(kind, form);
      const scalar = new Scalar(text === "" ? null : text);
      if (/^\d/.test(text) && kind.kind !== "date" && !text.includes("\n")) scalar.type = Scalar.QUOTE_DOUBLE;
      return scalar;
    }
  }
}

function toMap(fields: readonly Field[], form: FormGroup): YAMLMap {
  const map = new YAMLMap();
  for (const field of fields) map.items.push(new Pair(new Scalar(field.name), toNode(field, form[field.name])));
  return map;
}

function toList(item: Kind, forms: readonly Form[], flow: boolean): YAMLSeq {
  const list = new YAMLSeq();
  list.flow = flow;
  list.items = forms.map((form) => toNode(item, form));
  return list;
}

/** A node on one line; `inFlow`, between brackets or braces. */
function flowText(node: unknown, inFlow = true): string {
  if (isSeq(node)) return `[${node.items.map((item) => flowText(item)).join(", ")}]`;
  if (isMap(node)) {
    const pairs = (node.items as Pair[]).map(({ key, value }) => `${flowText(key)}: ${flowText(value)}`);
    return `{ ${pairs.join(", ")} }`;
  }
  const { value, type } = node as Scalar;
  if (typeof value !== "string") return String(value);
  if (type === Scalar.QUOTE_SINGLE) return `'${value.replaceAll("'", "''")}'`;
  const plain = stringify(value, { lineWidth: 0 }).trimEnd();
  const isUnsafe = plain.includes("\n") || (inFlow && /[,[\]{}]/.test(plain)) || plain.startsWith("'");
  return type === Scalar.QUOTE_DOUBLE || isUnsafe ? JSON.stringify(value) : plain;
}
