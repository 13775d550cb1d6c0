import fc from "fast-check";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { DRAFTS } from "../../../../site/admin/content/drafts.ts";
import type { FormGroup } from "../../../../site/admin/forms/form.ts";
import { formatNamed } from "../../../../site/admin/forms/formats.ts";
import type { FileForm } from "../../../../site/admin/forms/writer.ts";
import { byDepth, seedFor } from "../../../depth.ts";
import { openAdmin, send } from "../admin-app.ts";
import { ANN, BOB, textOf } from "../repository.ts";

const EDITORS = [ANN, BOB, { name: "Cem", email: "cem@shop.example" }];
const FOLDER = "content/products/scanners";

const product = (name: string) => `---
# Ann knows the maker.
title:   ${name}   # the old one
brand: 'Acme'
summary: "Reads codes"
also_called: [ kiosk scanner,OEM scanner ]
variants:
  - sku: ${name}-A
    price: "79.00"      # since May
    availability: in_stock
  - {sku: ${name}-B, price: '89.00', availability: in_stock}
  - sku: ${name}-C
    price: "99.00"
specifications:
    Type: Handheld
    Reads: [1D, 2D]   # all
    "Max. distance": "25 cm"
wrong_field: kept
---

P0: It *reads* whatever is held in front of it, quickly.


P1: The cable is two metres long, and comes in grey.
P1 goes on: **over a
line end**.

P2: A stand is in the box, with four screws.

* P3: lists, too
* are blocks

P4: The end of all that can be said.
`;

/** What a file says, value by value, read without any of the admin's code. */
type Facts = Map<string, string>;

function factsOf(text: string): Facts {
  const [, head = "", body = ""] = text.split(/^---\n/m);
  const { variants, specifications, ...values } = parse(head);
  const facts: Facts = new Map(Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)]));
  for (const { sku, ...rest } of variants ?? [])
    for (const [name, value] of Object.entries({ sku, ...rest })) facts.set(`variants/${sku}/${name}`, `${value}`);
  for (const [name, value] of Object.entries(specifications ?? {}))
    facts.set(`specifications/${name}`, [value].flat().join("\n"));
  for (const block of body.trim().split(/\n\n+/)) {
    const name = /P\d+|^/.exec(block)?.[0];
    expect(facts.has(`text/${name}`), text).toBe(false);
    facts.set(`text/${name}`, block);
  }
  return facts;
}

/** The item of a list that a fact is about. */
const itemOf = (key: string): string | undefined => /^variants\/[^/]+/.exec(key)?.[0];

const inItem = (facts: Facts, item: string) => [...facts].filter(([key]) => itemOf(key) === item);

/** What one editor has open. */
interface Open {
  path: string;
  sha: string;
  form: FileForm;
  base: Facts;
  mine: Facts;
}

/** What must be in the file, and what both have changed, by a model that knows nothing of YAML or Markdown. */
function expected({ base, mine }: Open, theirs: Facts, prefer: "theirs" | "mine") {
  const [result, clashes] = [new Map(theirs), new Set<string>()];
  const keys = new Set([...base.keys(), ...mine.keys(), ...theirs.keys()]);
  const items = new Set([...keys].map(itemOf));
  for (const item of items) {
    if (item === undefined) continue;
    const [was, now, own] = [base, theirs, mine].map((facts) => inItem(facts, item)) as [Fact[], Fact[], Fact[]];
    const isGone = was.length > 0 && (now.length === 0 || own.length === 0);
    if (!isGone) continue;
    for (const key of keys) if (itemOf(key) === item) keys.delete(key);
    const other = now.length === 0 ? own : now;
    const isClash = now.length !== own.length && JSON.stringify(other.sort()) !== JSON.stringify(was.sort());
    if (isClash) clashes.add(item);
    const stays = isClash ? (prefer === "mine" ? own : now) : [];
    for (const [key] of [...now, ...own]) result.delete(key);
    for (const [key, value] of stays) result.set(key, value);
  }
  for (const key of keys) {
    const [was, now, own] = [base.get(key), theirs.get(key), mine.get(key)];
    if (own === was || own === now) continue;
    const isClash = now !== was;
    if (isClash) clashes.add(key);
    if (isClash && prefer === "theirs") continue;
    if (own === undefined) result.delete(key);
    else result.set(key, own);
  }
  return { facts: result, clashes };
}

type Fact = [string, string];

const sorted = (facts: Facts) => [...facts].sort(([a], [b]) => (a < b ? -1 : 1));

/** What editors do in a form, each with the facts that it changes. */
const EDITS: ((open: Open, word: string, pick: <T>(from: readonly T[]) => T) => void)[] = [
  ({ form, mine }, word, pick) => {
    const name = pick(["title", "brand", "summary"]);
    form.values[name] = word;
    mine.set(name, JSON.stringify(word));
  },
  ({ form, mine }) => {
    delete form.values["brand"];
    mine.delete("brand");
  },
  ({ form, mine }, word) => {
    form.values["also_called"] = `${word}\nOEM scanner`;
    mine.set("also_called", JSON.stringify([word, "OEM scanner"]));
  },
  ({ form, mine }, word, pick) => {
    const variant = pick(groupsOf(form, "variants"));
    if (variant === undefined) return;
    const price = `${word.length}${word.replaceAll(/\D/g, "")}.00`;
    variant["price"] = price;
    mine.set(`variants/${variant["sku"]}/price`, price);
  },
  ({ form, mine }, word) => {
    groupsOf(form, "variants").push({ sku: word, price: "5.00" });
    mine.set(`variants/${word}/sku`, word).set(`variants/${word}/price`, "5.00");
  },
  ({ form, mine }, _, pick) => {
    const variants = groupsOf(form, "variants");
    const gone = pick(variants);
    if (variants.length < 2 || gone === undefined) return;
    form.values["variants"] = variants.filter((each) => each !== gone);
    for (const [key] of inItem(mine, `variants/${gone["sku"]}`)) mine.delete(key);
  },
  ({ form, mine }, word, pick) => {
    const row = pick(groupsOf(form, "specifications"));
    if (row === undefined) return;
    row["value"] = word;
    mine.set(`specifications/${row["name"]}`, word);
  },
  ({ form, mine }, word) => {
    groupsOf(form, "specifications").push({ name: word, value: "new" });
    mine.set(`specifications/${word}`, "new");
  },
  (open, word, pick) => {
    const key = pick([...open.mine.keys()].filter((each) => each.startsWith("text/") && each !== "text/"));
    const old = open.mine.get(key) ?? "";
    changeText(open, key, old.replace(/(P\d+:?) ?\S*/, `$1 ${word}`));
  },
  (open, _, pick) => {
    const inner = [...open.mine.keys()].filter((each) => /^text\/P[1-3]$/.test(each));
    if (inner.length > 1) changeText(open, pick(inner), undefined);
  },
  (open, word) => {
    const name = `P${word.replaceAll(/\D/g, "")}9`;
    open.form.body += `\n\n${name}: ${word} says something else at last.`;
    open.mine.set(`text/${name}`, `${name}: ${word} says something else at last.`);
  },
];

function groupsOf({ values }: FileForm, name: string): FormGroup[] {
  values[name] ??= [];
  return values[name] as FormGroup[];
}

function changeText({ form, mine }: Open, key: string, text: string | undefined): void {
  const old = mine.get(key) ?? "";
  form.body = form.body
    .split(/\n\n+/)
    .flatMap((block) => (block !== old ? [block] : (text ?? [])))
    .join("\n\n");
  if (text === undefined) mine.delete(key);
  else mine.set(key, text);
}

test("whatever three editors do at once, each commit changes what its editor changed, and nothing else", async () => {
  const acts = byDepth({ usual: 60, deep: 1_000 });
  const random = fc.sample(fc.nat(), { numRuns: acts * 20, seed: seedFor("site/admin/content") });
  const next = (below: number) => (random.shift() ?? 0) % below;
  const pick = <T>(from: readonly T[]): T => from[next(from.length)] as T;
  const paths = ["one", "two"].map((name) => `${FOLDER}/${name}.md`);
  const { app, editor, repository, open, save } = await openAdmin({
    files: Object.fromEntries(paths.map((path) => [path, product(path.slice(-6, -3))])),
  });
  let merged = 0;
  const opened: (Open | undefined)[] = EDITORS.map(() => undefined);
  for (let act = 0; act < acts; act++) {
    const who = next(EDITORS.length);
    const by = EDITORS[who] ?? ANN;
    const current = opened[who];
    if (current === undefined) {
      const path = pick(paths);
      const { sha, form } = await open(path);
      const text = (await textOf(repository, DRAFTS, path)) ?? "";
      opened[who] = { path, sha, form, base: factsOf(text), mine: factsOf(text) };
      continue;
    }
    if (next(3) > 0) {
      pick(EDITS)(current, `${by.name.slice(0, 3).toLowerCase()}${act}`, pick);
      continue;
    }
    opened[who] = undefined;
    const { path, sha, form } = current;
    const before = (await textOf(repository, DRAFTS, path)) ?? "";
    const theirs = factsOf(before);
    const payload = { path, isNew: false, data: { ...form.values, body: form.body }, shown: [] };
    const prepare = (choice?: object) =>
      app.inject({ method: "POST", url: "/api/admin/forms", headers: editor(by), payload: { ...payload, choice } });
    const { clashes } = expected(current, theirs, "mine");
    const prefer = pick(["theirs", "mine"] as const);
    let answer = await prepare();
    expect([answer.statusCode, [...clashes]], `${answer.body}\n${before}`).toEqual([
      clashes.size > 0 ? 409 : 200,
      [...clashes],
    ]);
    if (clashes.size > 0) {
      expect(answer.json().clashes).toHaveLength(clashes.size);
      const plain = await save([{ operation: "update", path, sha, content: send(formatNamed("products"), form) }], by);
      expect(plain.statusCode).toBe(409);
      answer = await prepare({ prefer, on: answer.json().on });
      expect(answer.statusCode).toBe(200);
    }
    const { body, ...values } = answer.json().data;
    const saved = await save(
      [{ operation: "update", path, sha, content: send(formatNamed("products"), { values, body }) }],
      by,
    );
    expect(saved.statusCode).toBe(201);
    if (JSON.stringify(sorted(current.base)) !== JSON.stringify(sorted(theirs))) merged++;
    const after = (await textOf(repository, DRAFTS, path)) ?? "";
    expect(sorted(factsOf(after)), before).toEqual(sorted(expected(current, theirs, prefer).facts));
    for (const mark of ["# Ann knows the maker.\n", "wrong_field: kept\n"]) expect(after).toContain(mark);
  }
  expect(merged).toBeGreaterThan(acts / 60);
}, 1_200_000);
