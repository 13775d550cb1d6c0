import { expect, test } from "vitest";
import { stringify } from "yaml";
import { english } from "../../../site/words/languages.ts";
import { problemsWith } from "./content-problems.ts";
import { validContent } from "./content-tree.ts";

/** The problems of words.yaml. */
const problemsOf = (words: string) => problemsWith({ "words.yaml": words });

test("a shop may write any word with the places of ours, in the plural forms of its language", async () => {
  const words = {
    pages: {
      frame: { home: "Start" },
      home: { worksWith: { one: "Fits {count} thing", other: "Fits {count} things" } },
    },
    private_pages: { basket: { title: "Bag" } },
  };
  expect(await problemsOf(stringify(words))).toEqual([]);
  expect(await problemsOf("")).toEqual([]);
});

test.each([
  [
    "pages:\n  frame:\n    hoome: Start\n",
    /^content\/words\.yaml:3: pages\.frame\.hoome isn't one of the shop's words\. Did you mean `pages\.frame\.home`\?$/,
  ],
  ["page:\n  frame: {}\n", /:1: page isn't one of the shop's words\./],
  ["pages:\n  frame: Start\n", /:2: pages\.frame is a section\. Write its words below it: .*home/],
  ["pages:\n  frame:\n    home: 5\n", /:3: pages\.frame\.home must be a text\. Put it in quotes\.$/],
  ['pages:\n  frame:\n    home: ""\n', /:3: pages\.frame\.home is empty\. Write a text, or delete the line\.$/],
  ["pages:\n  frame:\n    home:\n", /:3: pages\.frame\.home is empty\. Write a text, or delete the line\.$/],
  ["pages:\n  frame:\n    constructor: Start\n", /:3: pages\.frame\.constructor isn't one of the shop's words\./],
  ["pages:\n  frame:\n    home: { one: A, other: B }\n", /:3: pages\.frame\.home has no number in it\./],
  [
    "pages:\n  frame:\n    home: Start {x}\n",
    /:3: pages\.frame\.home has \{x\}\. It can't be filled\. The English word has: none\.$/,
  ],
  ["pages:\n  frame:\n    home: <b>Start</b>\n", /:3: pages\.frame\.home has <b>\. It can't be filled\./],
  ["pages:\n  frame:\n    home: <img src=x\n", /:3: pages\.frame\.home has a `<` that begins no part\./],
  [
    "pages:\n  home:\n    worksWith: { one: a, few: b }\n",
    /:3: pages\.home\.worksWith needs the plural form `other`\.$/,
  ],
  [
    'pages:\n  home:\n    worksWith: { one: "{count} a", few: "{count} b", other: "{count} c" }\n',
    /:3: pages\.home\.worksWith\.few isn't a plural form here\. There are: one, other\.$/,
  ],
  [
    "pages:\n  frame:\n    updated: Changed\n",
    /:3: pages\.frame\.updated lacks \{day\}, which the English word has\.$/,
  ],
  [
    "private_pages:\n  review:\n    place: Order {total}\n",
    /:3: private_pages\.review\.place can't be changed, because the law says/,
  ],
  ["private_pages:\n  untaxed: No tax\n", /:2: private_pages\.untaxed can't be changed, because the law says/],
  ["admin:\n  cms: {}\n", /:1: admin can't be changed, because visitors don't see it/],
  ["search_grammar: {}\n", /:1: search_grammar can't be changed, because the search needs it/],
  ["- a\n", /:1: The file must have sections: pages, scripts, private_pages\.$/],
])("%j in words.yaml is reported with its line and what to write", async (words, problem) => {
  expect(await problemsOf(words)).toEqual([expect.stringMatching(problem)]);
});

test("a language without a translation of ours is named once, until the shop has written all words", async () => {
  const store = (validContent["store.yaml"] ?? "").replace("en-GB", "sv-SE");
  const { admin: _, ...words } = english;
  const untranslated = await problemsWith({ "store.yaml": store });
  expect(untranslated.filter((problem) => problem.includes("words are in English"))).toHaveLength(1);
  // What the law words too, which we don't know in Swedish.
  const all = stringify(words, { defaultStringType: "QUOTE_DOUBLE", defaultKeyType: "PLAIN" });
  expect(await problemsWith({ "store.yaml": store, "words.yaml": all })).toEqual([]);
});
