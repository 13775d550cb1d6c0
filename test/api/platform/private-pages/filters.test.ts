import { expect, test } from "vitest";
import { LIQUID_FILTERS, OWN_FILTERS } from "../../../../api/contract/filters.ts";
import { makeLiquid } from "../../../../api/platform/private-pages/filters.ts";

const words = {
  basket: { greeting: "Hello {name}!", pieces: { one: "{count} piece", other: "{count} pieces" } },
};
const inBritain = { name: "Shop", locale: "en-GB", currency: "EUR", words };
const render = (template: string, view = {}, shop = inBritain) => makeLiquid(shop).parseAndRenderSync(template, view);

test("nothing outputs HTML from data", () => {
  const name = `<script>alert("1")</script>&<!--#`;
  const escaped = "&lt;script&gt;alert(&#34;1&#34;)&lt;/script&gt;&amp;&lt;!--#";
  expect(render("{{ name }}", { name })).toBe(escaped);
  expect(render("{{ 'basket.greeting' | t: name: name }}", { name })).toBe(`Hello ${escaped}!`);
  expect(render("{{ 'a' | append: name }}", { name })).toBe(`a${escaped}`);
  expect(() => render("{{ name | raw }}", { name })).toThrow("undefined filter: raw");
});

test("data is never read as a template or as another word's place", () => {
  expect(render("{{ 'basket.greeting' | t: name: name }}", { name: "{{ x }} {name} {% if %}" })).toBe(
    "Hello {{ x }} {name} {% if %}!",
  );
});

test("words follow the number, in the shop's language and digits", () => {
  const count = (value: number, shop = inBritain) =>
    render("{{ 'basket.pieces' | t: count: count }}", { count: value }, shop);
  expect([count(1), count(0), count(2_500)]).toEqual(["1 piece", "0 pieces", "2,500 pieces"]);
  const polish = { basket: { pieces: { one: "{count} sztuka", few: "{count} sztuki", other: "{count} sztuk" } } };
  const inPoland = { ...inBritain, locale: "pl-PL", words: polish as never };
  expect([count(1, inPoland), count(3, inPoland), count(5, inPoland)]).toEqual(["1 sztuka", "3 sztuki", "5 sztuk"]);
});

test("money has the currency's digits and stays exact", () => {
  const money = (amount: string, locale: string, currency: string) =>
    render("{{ amount | money }}", { amount }, { ...inBritain, locale, currency }).replace(/\s/g, " ");
  expect(money("1189.00", "en-GB", "EUR")).toBe("€1,189.00");
  expect(money("1189.50", "de-CH", "CHF")).toBe("CHF 1&#39;189.50");
  expect(money("1189", "en-GB", "JPY")).toBe("JP¥1,189");
  expect(money("-0.005", "en-GB", "KWD")).toBe("-KWD 0.005");
  expect(money("99999999999999.99", "en-GB", "EUR")).toBe("€99,999,999,999,999.99");
  expect(render("{{ '5.00' | money: 'USD' }}")).toBe("US$5.00");
  expect(() => money("1e3", "en-GB", "EUR")).toThrow("isn't a decimal number");
});

test("days are written as on the static pages, whatever the machine's time zone, and countries by name", () => {
  expect(render("{{ '2026-10-02' | date }}")).toBe("2 October 2026");
  expect(render("{{ '2026-10-02T23:59:59.999Z' | date }}")).toBe("2 October 2026");
  expect(render("{{ 'NL' | country }}", {}, { ...inBritain, locale: "de-CH" })).toBe("Niederlande");
});

test("an unknown word or variable, or a word's place without its value, is an error, never an empty place", () => {
  expect(() => render("{{ 'basket.greeting' | t }}")).toThrow('"Hello {name}!" needs a value for name.');
  expect(() => render("{{ 'basket.pieces' | t }}")).toThrow("needs a value for count");
  expect(() => render("{{ 'basket.gone' | t }}")).toThrow("no word 'basket.gone'");
  expect(() => render("{{ 'basket' | t }}")).toThrow("no word 'basket'");
  expect(() => render("{{ 'constructor.name' | t }}")).toThrow("no word");
  expect(() => render("{{ line.total }}", { line: {} })).toThrow("undefined variable");
  expect(() => render("{{ line.constructor }}", { line: {} })).toThrow("undefined variable");
});

test("the options of a choice of countries have their names in the shop's language, escaped", () => {
  const view = { codes: ["DE", "BA"], chosen: "BA" };
  expect(render("{{ codes | country_options: chosen }}", view)).toBe(
    '<option value="DE">Germany</option>\n<option value="BA" selected>Bosnia &#38; Herzegovina</option>',
  );
});

test("the build knows the filters that there are", () => {
  expect(Object.keys(makeLiquid(inBritain).filters).sort()).toEqual([...OWN_FILTERS, ...LIQUID_FILTERS].sort());
});

test("in HTML from right to left a value has an element of its own, escaped; text and Markdown have no mark", () => {
  const shop = {
    name: "Noa",
    locale: "he-IL",
    currency: "ILS",
    words: { placed: "Ordered on {day}", days: "{count} days" },
  };
  const template = "{{ 'placed' | t: day: day }}. {{ 'days' | t: count: 5 }}: {{ note | isolate }}";
  const view = { day: "26 בנובמבר", note: "<b>" };
  const rendered = (["html", "markdown", "plain"] as const).map((output) =>
    makeLiquid(shop, {}, output).parseAndRenderSync(template, view),
  );
  expect(rendered).toEqual([
    "Ordered on <bdi>26 בנובמבר</bdi>. 5 days: <bdi>&#60;b&#62;</bdi>",
    "Ordered on 26 בנובמבר. 5 days: \\<b\\>",
    "Ordered on 26 בנובמבר. 5 days: <b>",
  ]);
  expect(render("{{ note | isolate }}", view)).toBe("&lt;b&gt;");
});
