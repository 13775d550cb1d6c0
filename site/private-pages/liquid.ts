import {
  AssignTag,
  CaseTag,
  ForTag,
  Hash,
  IfTag,
  Liquid,
  LiquidError,
  Output,
  RenderTag,
  type Template,
  type Token,
  TypeGuards,
  UnlessTag,
  Value,
} from "liquidjs";
import { LIQUID_FILTERS, OWN_FILTERS } from "../../api/contract/filters.ts";
import { findWord, isWord, makeSay, type WordTree } from "../../api/contract/words.ts";
import { didYouMean } from "../content-schema/suggest.ts";
import { placesOf } from "../words/spoken.ts";

/** A Liquid file: its text, and its path from the project's root for messages. */
export interface LiquidFile {
  file: string;
  text: string;
}

/** The filters of templates, which api/platform/private-pages/filters.ts implements. */
const FILTERS = [...OWN_FILTERS, ...LIQUID_FILTERS];

const TAGS = ["if", "unless", "case", "for", "break", "continue", "assign", "render", "comment", "#"];

/**
 * The engine that reads templates as the API's does. Its filters do nothing but `t`, which fills in words that have one
 * form: enough for the pages that the build renders itself.
 */
export function makeLiquid(partials: ReadonlyMap<string, LiquidFile>, words: WordTree): Liquid {
  // The language doesn't matter to words without a number.
  const say = makeSay("en");
  const liquid = new Liquid({
    outputEscape: "escape",
    strictFilters: true,
    strictVariables: true,
    templates: Object.fromEntries([...partials].map(([name, { text }]) => [name, text])),
  });
  for (const name of Object.keys(liquid.tags)) if (!TAGS.includes(name)) delete liquid.tags[name];
  for (const name of Object.keys(liquid.filters)) delete liquid.filters[name];
  for (const name of FILTERS) liquid.registerFilter(name, (value: unknown) => value);
  liquid.registerFilter("t", (key: string, ...values: [string, string][]) => {
    const word = findWord(words, key);
    if (typeof word !== "string") throw new Error(`${key} isn't a word with one form`);
    return say(word, Object.fromEntries(values));
  });
  return liquid;
}

/** What a template needs, or what is wrong with it. */
interface CheckedTemplate {
  /** Paths into the view, such as `lines[].total`, sorted. */
  variables: string[];
  /** One line each: `site/src/private-pages/basket.liquid:12: what is wrong and what there is`. */
  problems: string[];
}

/**
 * Finds every variable of a template, through its loops and partials, and checks its tags, filters, partials and words.
 *
 * @param given the variables that it gets besides its view
 */
export function checkTemplate(
  { file, text }: LiquidFile,
  liquid: Liquid,
  partials: ReadonlyMap<string, LiquidFile>,
  words: WordTree,
  given: readonly string[] = [],
): CheckedTemplate {
  const variables = new Set<string>();
  const problems = new Set<string>();
  const report = (token: Token, problem: string) => {
    problems.add(`${token.file ?? file}:${token.getPosition()[0]}: ${problem}`);
  };
  const parsed = new Map<string, Template[]>();

  function parse(name: string, source: LiquidFile): Template[] {
    const known = parsed.get(name);
    if (known) return known;
    let templates: Template[] = [];
    try {
      templates = liquid.parse(source.text, source.file);
    } catch (error) {
      problems.add(explainSyntax(error, source.file));
    }
    parsed.set(name, templates);
    return templates;
  }

  function walk(templates: readonly Template[], scope: Scope): void {
    for (const template of templates) visit(template, scope);
  }

  function visit(template: Template, scope: Scope): void {
    if (template instanceof Output) read(template.value, scope, template.token);
    else if (template instanceof IfTag || template instanceof UnlessTag) visitBranches(template, scope);
    else if (template instanceof CaseTag) visitCase(template, scope);
    else if (template instanceof ForTag) visitLoop(template, scope);
    else if (template instanceof AssignTag) visitAssignment(template, scope);
    else if (template instanceof RenderTag) visitPartial(template, scope);
  }

  function visitBranches({ branches, elseTemplates, token }: IfTag | UnlessTag, scope: Scope): void {
    for (const branch of branches) {
      read(branch.value, scope, token);
      walk(branch.templates, scope);
    }
    walk(elseTemplates ?? [], scope);
  }

  function visitCase({ value, branches, elseTemplates, token }: CaseTag, scope: Scope): void {
    read(value, scope, token);
    for (const branch of branches) {
      for (const expected of branch.values) resolve(expected, scope, token);
      walk(branch.templates, scope);
    }
    walk(elseTemplates, scope);
  }

  function visitLoop(loop: ForTag, scope: Scope): void {
    const list = resolve(loop.collection, scope, loop.token);
    for (const value of Object.values(loop.hash.hash)) if (value) resolve(value, scope, loop.token);
    const element: Meaning = "path" in list ? { path: `${list.path}[]` } : UNKNOWN;
    walk(loop.templates, scope.inLoop({ [loop.variable]: element, forloop: UNKNOWN }));
    walk(loop.elseTemplates, scope);
  }

  function visitAssignment(assignment: AssignTag, scope: Scope): void {
    for (const value of assignment.arguments()) {
      const meaning = value instanceof Value ? read(value, scope, assignment.token) : UNKNOWN;
      for (const { content } of assignment.localScope()) scope.assign(content, meaning);
    }
  }

  function visitPartial({ token }: RenderTag, scope: Scope): void {
    const [, name = "", rest = ""] = /^\s*['"]([\w-]+)['"]\s*(?:,(.*))?$/s.exec(token.args) ?? [];
    const partial = partials.get(name);
    if (name === "") report(token, "write `{% render 'name', line: line %}`, in a loop where needed.");
    else if (!partial) report(token, `there is no partial '${name}'. There are: ${listNames(partials.keys())}.`);
    else if (scope.isInside(name)) report(token, `'${name}' renders itself.`);
    if (!partial || scope.isInside(name)) return;
    const values = Object.entries(new Hash(rest).hash).map(([key, value]): [string, Meaning] => [
      key,
      value ? resolve(value, scope, token) : UNKNOWN,
    ]);
    walk(parse(name, partial), scope.isolated(name, Object.fromEntries(values)));
  }

  /** Reads an expression with its filters. */
  function read(value: Value, scope: Scope, token: Token): Meaning {
    const [first, ...others] = value.initial.postfix.map((part) => resolve(part, scope, token));
    for (const { args } of value.filters)
      for (const argument of args) {
        const part = Array.isArray(argument) ? argument[1] : argument;
        if (part) resolve(part, scope, token);
      }
    const [filter] = value.filters;
    const meaning = first && others.length === 0 ? first : UNKNOWN;
    if (filter?.name === "t" && "literal" in meaning && meaning.literal !== "") {
      const names = filter.args.flatMap((argument) => (Array.isArray(argument) ? [String(argument[0])] : []));
      const problem = findWordProblem(words, meaning.literal, names);
      if (problem) report(token, problem);
    }
    // The engine's own escaping is the last filter of an output.
    return value.filters.length === 0 ? meaning : UNKNOWN;
  }

  function resolve(part: Token, scope: Scope, at: Token): Meaning {
    if (TypeGuards.isQuotedToken(part)) return { literal: part.content };
    if (TypeGuards.isRangeToken(part)) {
      for (const end of [part.lhs, part.rhs]) resolve(end, scope, at);
      return UNKNOWN;
    }
    if (!TypeGuards.isPropertyAccessToken(part)) return UNKNOWN;
    const [root = "", ...names] = part.props.map((property) => {
      if (TypeGuards.isWordToken(property)) return property.content;
      if (TypeGuards.isNumberToken(property)) return "[]";
      if (TypeGuards.isQuotedToken(property)) return property.content;
      report(at, `\`${part.getText()}\` looks up a name from data. Use a loop, or a field of the view.`);
      return "[]";
    });
    const meaning = scope.find(root);
    if (!meaning) {
      report(at, `\`${root}\` isn't passed to this partial. It gets: ${listNames(scope.names()) || "nothing"}.`);
      return UNKNOWN;
    }
    if (!("path" in meaning)) return meaning;
    const path = names.reduce((before, name) => (name === "[]" ? `${before}[]` : `${before}.${name}`), meaning.path);
    variables.add(path);
    return { path };
  }

  walk(parse(file, { file, text }), viewScope(given));
  return { variables: [...variables].sort(), problems: [...problems] };
}

/** What a name or a value in a template stands for: a path into the view, a text in quotes, or anything else. */
type Meaning = { path: string } | { literal: string } | { unknown: true };
const UNKNOWN: Meaning = { unknown: true };

/** The names in a page or in one call of a partial. */
interface Scope {
  /** Undefined for a name that nothing defines. */
  find(name: string): Meaning | undefined;
  /** From here on, also after the loop or branch that it's in. */
  assign(name: string, meaning: Meaning): void;
  names(): string[];
  inLoop(names: Record<string, Meaning>): Scope;
  /** The scope of a partial, which sees only what is passed to it. */
  isolated(partial: string, names: Record<string, Meaning>): Scope;
  isInside(partial: string): boolean;
}

/** The scope of a page: every name that it isn't `given` is a field of its view. */
const viewScope = (given: readonly string[]): Scope =>
  makeScope(Object.fromEntries(given.map((name) => [name, UNKNOWN])), (path) => ({ path }), []);

function makeScope(
  given: Record<string, Meaning>,
  otherwise: (name: string) => Meaning | undefined,
  partials: readonly string[],
): Scope {
  const own = new Map(Object.entries(given));
  const find = (name: string) => own.get(name) ?? otherwise(name);
  const isolated: Scope["isolated"] = (partial, names) => makeScope(names, () => undefined, [...partials, partial]);
  const scope: Scope = {
    find,
    assign: (name, meaning) => void own.set(name, meaning),
    names: () => [...own.keys()],
    inLoop: (names) => ({ ...makeScope(names, find, partials), assign: scope.assign }),
    isolated,
    isInside: (partial) => partials.includes(partial),
  };
  return scope;
}

function findWordProblem(words: WordTree, key: string, given: readonly string[]): string | undefined {
  const word = findWord(words, key);
  if (word === undefined) {
    const all = listKeys(words);
    const near = all.filter((other) => other.startsWith(`${key.split(".")[0]}.`));
    return `there is no word '${key}'.${didYouMean(key, all)} There are: ${listNames(near.length > 0 ? near : all)}.`;
  }
  const isPlural = typeof word !== "string";
  if (isPlural && !given.includes("count")) return `'${key}' has plural forms. Write \`| t: count: …\`.`;
  const missing = placesOf(word).find((name) => !given.includes(name));
  return missing && `'${key}' has a place {${missing}}. Write \`| t: ${missing}: …\`.`;
}

const listKeys = (words: WordTree, before = ""): string[] =>
  Object.entries(words).flatMap(([name, value]) =>
    isWord(value) ? [before + name] : listKeys(value, `${before}${name}.`),
  );

const listNames = (names: Iterable<string>) => [...names].sort().join(", ");

function explainSyntax(error: unknown, file: string): string {
  if (!LiquidError.is(error)) throw error;
  const { token, message } = error as LiquidError & { token: Token };
  const reason = message.replace(/, (?:file|line):.*$/s, "");
  const [, filter] = /^undefined filter: (.*)$/.exec(reason) ?? [];
  const [, tag] = /^tag "(.*)" not found$/.exec(reason) ?? [];
  const advice =
    filter !== undefined
      ? `there is no filter '${filter}'. There are: ${listNames(FILTERS)}.`
      : tag !== undefined
        ? `there is no tag '${tag}'. There are: ${listNames(TAGS)}.`
        : `${reason}.`;
  return `${token.file ?? file}:${token.getPosition()[0]}: ${advice}`;
}
