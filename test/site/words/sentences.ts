import type { Language } from "../../../site/src/words/en.ts";
import type { Forms } from "../../../site/src/words/grammar.ts";

/** A word or sentence: its text without values, and the names of its values. */
export interface Sentence {
  texts: string[];
  values: string[];
}

/** All texts of a language by path. Each value in a sentence is replaced by a stand-in that prints its own name. */
export function readSentences(speak: Language | undefined): Map<string, Sentence> {
  if (speak === undefined) throw new Error("there is no such language");
  const allForms = (forms: Forms) => Object.values(forms).join(" ‖ ");
  const words = speak({
    number: String,
    plural: (count, forms) => allForms(forms).replaceAll("{count}", String(count)),
    range: ({ min, max }, single, several) =>
      `${allForms(single).replaceAll("{count}", "")} ‖ ${allForms(several).replaceAll("{min}", String(min)).replaceAll("{max}", String(max))}`,
  });
  return new Map(flatten(words, ""));
}

function flatten(value: unknown, path: string): [string, Sentence][] {
  if (typeof value === "string") return [[path, split(value)]];
  if (typeof value === "function") {
    const standIns = Array.from({ length: value.length }, (_, index) => standIn(String(index)));
    return [[path, split(String(Reflect.apply(value, undefined, standIns)))]];
  }
  if (isForms(value)) return [[path, split(Object.values(value).join(" ‖ "))]];
  return Object.entries(value ?? {}).flatMap(([name, each]) => flatten(each, `${path}.${name}`));
}

const isForms = (value: unknown): value is Forms => typeof value === "object" && value !== null && "other" in value;

/** Works as any value of a sentence: text, a number, a function that makes a link, or an object of these. */
function standIn(name: string): unknown {
  return new Proxy((text: string) => `⟨${name}⟩${text}⟨${name}⟩`, {
    get: (_target, key) => (typeof key === "symbol" ? () => `⟨${name}⟩` : standIn(`${name}.${key}`)),
  });
}

const mark = /⟨([\w.]+)⟩|\{(\w+)\}/g;

function split(text: string): Sentence {
  const values = Array.from(text.matchAll(mark), ([, standIn, name]) => standIn ?? name ?? "");
  return {
    texts: text.split(/⟨[\w.]+⟩|\{\w+\}|‖/).map((part) => part.trim()),
    values: [...new Set(values)].sort(),
  };
}
