import { mergeBodies } from "./body.ts";
import type { Field, Kind } from "./fields.ts";
import { type Form, type FormGroup, saysTheSame } from "./form.ts";
import { bodyOf, type FileFormat, readFile, replaceBody, writeFile } from "./writer.ts";

// Two editors have changed one file. Each value that only one of them has changed is as that one wrote it; lists are merged
// item by item where an item has a name of its own.

/** What two editors have written differently in one place. */
export interface Clash {
  /** The fields' names, and those of items, from the outermost: `["variants", "ACM-1", "price"]`. `body` is the text. */
  place: readonly string[];
  /** As they are shown; empty for what was taken out. */
  theirs: string;
  mine: string;
}

export type Preference = "theirs" | "mine";

/**
 * Their file with what I have changed in the one that both come from, and what both have changed differently: that is
 * as preferred. Throws Unreadable.
 */
export function mergeFiles(
  format: FileFormat,
  { base, theirs, mine }: { base: string; theirs: string; mine: string },
  prefer: Preference = "theirs",
): { text: string; clashes: Clash[] } {
  if (theirs === base) return { text: mine, clashes: [] };
  const [from, other, own] = [base, theirs, mine].map((text) => readFile(format, text).values) as [
    FormGroup,
    FormGroup,
    FormGroup,
  ];
  const merger = new Merger(prefer);
  const values = merger.group(format.fields, [from, other, own], []);
  const written = writeFile(format, theirs, { values, body: bodyOf(format, theirs) });
  if (format.body === "none") return { text: written, clashes: merger.clashes };
  const eol = theirs.includes("\r\n") ? "\r\n" : "\n";
  const bodies = { from: bodyOf(format, base), theirs: bodyOf(format, theirs), mine: bodyOf(format, mine) };
  const { text, contradictions } = mergeBodies(bodies, { isMdx: format.body === "mdx", eol, prefer });
  const clashes = contradictions.map((each): Clash => ({ place: ["body"], ...each }));
  return { text: replaceBody(format, written, text), clashes: [...merger.clashes, ...clashes] };
}

/** A value as it was, as somebody else has made it, and as it is to be saved. */
type Three<T> = readonly [from: T, theirs: T, mine: T];

class Merger {
  readonly clashes: Clash[] = [];
  readonly #prefer: Preference;

  constructor(prefer: Preference) {
    this.#prefer = prefer;
  }

  group(fields: readonly Field[], [from, theirs, mine]: Three<FormGroup>, place: readonly string[]): FormGroup {
    const merged = fields.map(
      (field) =>
        [
          field.name,
          this.#value(field, [from[field.name], theirs[field.name], mine[field.name]], [...place, field.name]),
        ] as const,
    );
    return Object.fromEntries(merged);
  }

  #value(kind: Kind, forms: Three<Form>, place: readonly string[]): Form {
    const [from, theirs, mine] = forms;
    if (saysTheSame(kind, from, mine) || saysTheSame(kind, theirs, mine)) return theirs;
    if (saysTheSame(kind, from, theirs)) return mine;
    if (kind.kind === "group" && forms.every(isGroup)) return this.group(kind.fields, forms as Three<FormGroup>, place);
    return this.#items(kind, forms, place) ?? this.#clash(kind, forms, place);
  }

  /** A list by its items' names; undefined where they have none, or where both have put it in another order. */
  #items(kind: Kind, forms: Three<Form>, place: readonly string[]): Form[] | undefined {
    if (kind.kind !== "list" && kind.kind !== "named") return undefined;
    const key = keyOf(kind);
    const lists = forms.map((form) => (Array.isArray(form) ? form : [])) as unknown as Three<Form[]>;
    const [from, theirs, mine] = lists.map((list) => namedItems(list, key)) as unknown as Three<
      Map<string, FormGroup> | undefined
    >;
    if (from === undefined || theirs === undefined || mine === undefined) return undefined;
    const item: Kind = kind.kind === "list" ? kind.item : rowKind(kind);
    const order = mergeOrder([[...from.keys()], [...theirs.keys()], [...mine.keys()]]);
    if (order === undefined) return undefined;
    return order.flatMap((name) => {
      const versions = [from.get(name), theirs.get(name), mine.get(name)] as const;
      const [, other, own] = versions;
      const isGone = (other === undefined || own === undefined) && from.has(name);
      const inside = [...place, name];
      const merged = isGone ? this.#gone(item, versions, inside) : this.#added(item, versions, inside);
      return merged === undefined ? [] : [merged];
    });
  }

  /** An item that was there, and that at least one has taken out. */
  #gone(kind: Kind, forms: Three<FormGroup | undefined>, place: readonly string[]): Form {
    const [from, theirs, mine] = forms;
    if (theirs === undefined && mine === undefined) return undefined;
    if (saysTheSame(kind, from, theirs ?? mine)) return undefined;
    return this.#clash(kind, forms, place);
  }

  #added(kind: Kind, [from, theirs, mine]: Three<FormGroup | undefined>, place: readonly string[]): Form {
    if (from === undefined && (theirs === undefined || mine === undefined)) return theirs ?? mine;
    return this.#value(kind, [from ?? {}, theirs, mine], place);
  }

  #clash(kind: Kind, [, theirs, mine]: Three<Form>, place: readonly string[]): Form {
    this.clashes.push({ place, theirs: show(kind, theirs), mine: show(kind, mine) });
    return this.#prefer === "mine" ? mine : theirs;
  }
}

const isGroup = (form: Form): form is FormGroup => typeof form === "object" && form !== null && !Array.isArray(form);

/** What names an item of a list within it: a version, a picture, a question, a document, a zone. */
const KEYS = ["name", "sku", "src", "question", "title", "countries"];

function keyOf(kind: Kind & { kind: "list" | "named" }): string {
  if (kind.kind === "named") return "name";
  const fields = kind.item.kind === "group" ? kind.item.fields.map(({ name }) => name) : [];
  return KEYS.find((key) => fields.includes(key)) ?? "";
}

/** A row of chosen names as a group. */
const rowKind = ({ value }: Kind & { kind: "named" }): Kind => {
  const name: Field = { kind: "line", longest: undefined, name: "name", required: true };
  const rest: readonly Field[] = value.kind === "group" ? value.fields : [{ ...value, name: "value", required: true }];
  return { kind: "group", fields: [name, ...rest], short: undefined };
};

/** A list's items by name, in order; undefined where one has none, or two have the same. */
function namedItems(list: readonly Form[], key: string): Map<string, FormGroup> | undefined {
  const items = new Map<string, FormGroup>();
  for (const item of list) {
    const name = isGroup(item)
      ? String(item[key] ?? "")
          .trim()
          .replaceAll("\n", ", ")
      : "";
    if (name === "" || items.has(name)) return undefined;
    items.set(name, item as FormGroup);
  }
  return items;
}

/** All names in an order that keeps what either has moved or added; undefined where both have moved some. */
function mergeOrder([from, theirs, mine]: Three<string[]>): string[] | undefined {
  const isMoved = (names: readonly string[]) => {
    const left = from.filter((name) => names.includes(name));
    return JSON.stringify(left) !== JSON.stringify(names.filter((name) => from.includes(name)));
  };
  const [moved, other] = isMoved(theirs) ? [theirs, mine] : [mine, theirs];
  if (isMoved(theirs) && isMoved(mine) && JSON.stringify(theirs) !== JSON.stringify(mine)) return undefined;
  const order = [...moved];
  for (const [index, name] of other.entries()) {
    if (order.includes(name)) continue;
    const before = other.slice(0, index).findLast((each) => order.includes(each));
    order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, name);
  }
  return order;
}

/** A value as an editor reads it. */
function show(kind: Kind, form: Form): string {
  if (form === undefined || form === null) return "";
  if (Array.isArray(form)) {
    const item: Kind = kind.kind === "list" ? kind.item : kind.kind === "named" ? rowKind(kind) : kind;
    return form.map((each) => show(item, each)).join("\n");
  }
  if (!isGroup(form)) return String(form);
  return Object.values(form)
    .map((each) => show(kind, each))
    .filter((text) => text !== "")
    .join(", ");
}
