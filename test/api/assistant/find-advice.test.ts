import { expect, test } from "vitest";
import { preparePassages } from "../../../api/assistant/answers/advice.ts";
import { searchGrammarIn } from "../../../site/words/words-in.ts";
import { searchFile } from "../people/search/search-file.ts";
import { assistantFile } from "./assistant-file.ts";
import { startAssistant } from "./assistant-shop.ts";

test("a question finds the passage that answers it, with its own address", async () => {
  const { call } = await startAssistant();
  const { result, say } = (await call("find_advice", { query: "How do I return something?" })).json();
  expect(result.passages[0]).toEqual({
    ...{ page: "Returns", title: "How to return something", text: "1. Write to us.\n2. Pack it well." },
    url: "https://shop.example/returns#how-to-return",
  });
  expect(result.sales_email).toBeNull();
  expect(say).toBe("Our page “Returns” has something about that: https://shop.example/returns#how-to-return");
});

test("the shop's synonyms and word endings count as in its own search", async () => {
  const { call } = await startAssistant({ search: searchFile({ synonyms: [["refund", "return"]] }) });
  const urls = async (query: string) => {
    const { result } = (await call("find_advice", { query })).json();
    return result.passages.map(({ url }: { url: string }) => new URL(url).pathname);
  };
  expect(await urls("refunds")).toContain("/returns");
  expect((await urls("exception"))[0]).toBe("/returns");
  expect((await urls("QR code scanner"))[0]).toBe("/guides/choosing");
});

test("where no passage surely answers it, the answer is empty, denies nothing and says whom to ask", async () => {
  const { call } = await startAssistant();
  for (const query of ["xyzzyqux", "Do you rent scanners to choirs?", "who when"]) {
    const { result, say } = (await call("find_advice", { query })).json();
    expect([query, result]).toEqual([query, { passages: [], sales_email: "sales@shop.example", instead: null }]);
    expect(say).toBe("I’m not sure about that. Shall I pass your question on to a person?");
  }
});

test("a question about an order that was placed names the tool that answers it", async () => {
  const { call } = await startAssistant();
  const { result, say } = (await call("find_advice", { query: "Hello, where is my parcel?" })).json();
  expect(result).toEqual({ passages: [], sales_email: null, instead: "order_status" });
  expect(say).toContain("What is its number");
});

test("a heading counts more than a text that has the same words, and the rest of its page comes before other pages", async () => {
  const passage = (path: string, page: string, title: string, text: string) => ({ path, page, title, text });
  const passages = [
    passage("/terms#risk", "Terms", "Risk", "Payment by card or transfer moves the risk. Card payment is quick."),
    passage("/pay", "Paying", "Paying", "Three ways."),
    passage("/pay#card", "Paying", "Card payment", "We take every usual one."),
    passage("/pay#transfer", "Paying", "Transfer", "It names the order."),
  ];
  const { call } = await startAssistant({ assistantFacts: assistantFile({ passages }) });
  const { result } = (await call("find_advice", { query: "card payment" })).json();
  expect(result.passages.map(({ url }: { url: string }) => new URL(url).pathname + new URL(url).hash)).toEqual([
    ...["/pay#card", "/terms#risk"],
  ]);
});

test.each([
  ["en-GB", "Has my order been shipped yet?", true],
  ["en-GB", "Where are the goods I ordered?", true],
  ["en-GB", "Did you get my payment?", true],
  ["en-GB", "My parcel still hasn’t turned up", true],
  ["en-GB", "Do I have to say why I send my order back?", false],
  ["en-GB", "What happens if my parcel is late?", false],
  ["en-GB", "My parcel arrived damaged", false],
  ["de-DE", "Ist unsere Bestellung schon unterwegs?", true],
  ["de-DE", "Habt ihr mein Geld bekommen?", true],
  ["de-DE", "Wann bekomme ich mein Geld zurück?", false],
  ["de-DE", "Mein Paket kam beschädigt an", false],
])("in %s “%s” asks for an order that was placed: %s", async (locale, query, isOwnOrder) => {
  const { call } = await startAssistant({ search: searchFile({ language: searchGrammarIn(locale) }) });
  const { result } = (await call("find_advice", { query })).json();
  expect(result.instead).toBe(isOwnOrder ? "order_status" : null);
});

test.each([
  ["Wer zahlt das Porto, wenn ich etwas zurückschicke?", "/rueckgabe#kosten"],
  ["Wie lange habe ich Garantie?", "/hilfe#gewaehrleistung"],
  ["Wo bleibt mein Paket?", "order_status"],
  ["Wann liefert ihr?", "/versand"],
  ["Ist das ein Garantiefall?", "/hilfe#gewaehrleistung"],
  ["Pflanzen Sie Bäume?", "not sure"],
])("in a German shop %s is answered by %s", async (query, expected) => {
  const passages = [
    { path: "/rueckgabe#kosten", page: "Rückgabe", title: "Kosten der Rücksendung", text: "Den Versand zahlen Sie." },
    { path: "/versand", page: "Versand", title: "Versand", text: "Wir liefern in drei Tagen." },
    { path: "/hilfe#gewaehrleistung", page: "Hilfe", title: "Gewährleistung", text: "Zwei Jahre auf alles." },
  ];
  const facts = { ...searchFile(), language: searchGrammarIn("de-DE") };
  const [best] = preparePassages(passages, facts)(query);
  const isOwnOrder = new RegExp(facts.language.questions.own_order, "iu").test(query);
  expect(isOwnOrder ? "order_status" : (best?.path ?? "not sure")).toBe(expected);
});

test("words count with every ending, and not as the end of a word a little longer", async () => {
  const passages = [
    { path: "/shipping", page: "Shipping", title: "Shipping", text: "It takes a day to Norway." },
    { path: "/stall", page: "Market", title: "Market", text: "A stall at the program." },
  ];
  const find = preparePassages(passages, { ...searchFile(), language: searchGrammarIn("en-GB") });
  const pathsOf = (question: string) => find(question).map(({ path }) => path);
  for (const question of ["do you ship to Norway?", "what gets shipped?"])
    expect([question, pathsOf(question)]).toEqual([question, ["/shipping"]]);
  expect(pathsOf("can you install it?")).toEqual([]);
});

test("a query without words is refused, and no other breaks it", async () => {
  const { call } = await startAssistant();
  const status = async (query: unknown) => (await call("find_advice", { query })).statusCode;
  for (const query of ["", " ", "?!"]) expect(await status(query)).toBe(422);
  for (const query of [null, 7, "x".repeat(1_001)]) expect(await status(query)).toBe(400);
  for (const query of ["x".repeat(1_000), "return ".repeat(140), "<b>", "{{ x }}", "ürün 日本語 🤖"])
    expect(await status(query)).toBe(200);
});
