import { expect, test } from "vitest";
import { checkTemplate, type LiquidFile, makeLiquid } from "../../../site/private-pages/liquid.ts";

const words = {
  common: { error_summary: "There is a problem" },
  basket: { title: "Basket", rest: "And {rest}", pieces: { one: "{count} piece", other: "{count} pieces" } },
};

function check(text: string, files: Record<string, string> = {}) {
  const partials = new Map<string, LiquidFile>(
    Object.entries(files).map(([name, content]) => [name, { file: `partials/${name}.liquid`, text: content }]),
  );
  const page = { file: "basket.liquid", text };
  return checkTemplate(page, makeLiquid(partials, words), partials, words, ["page_title"]);
}

test("variables are traced through loops, conditions, assignments and partials to the view", () => {
  const page = `<h1>{{ page_title }}</h1>
    {% for line in lines limit: most %}{{ forloop.index }} {{ line.name }}
      {% for tax in line.taxes %}{{ tax.rate }}{% endfor %}
      {% render 'price', amount: line.total, of: order.currency, note: 'x' %}
    {% else %}{{ empty_note }}{% endfor %}
    {% if order.paid and total > 5 %}{% assign shown = order.address %}{% endif %}{{ shown.city }}
    {% case state %}{% when wanted %}{{ lines.size }}{% else %}{{ lines[0].sku }}{% endcase %}
    {% unless hidden %}{{ 'basket.rest' | t: rest: note }}{% endunless %}`;
  const price = "{{ amount | money: of }} {{ note }} {% for part in amount.parts %}{{ part }}{% endfor %}";
  expect(check(page, { price })).toEqual({
    problems: [],
    variables: [
      ...["empty_note", "hidden", "lines", "lines.size", "lines[].name", "lines[].sku", "lines[].taxes"],
      ...["lines[].taxes[].rate", "lines[].total", "lines[].total.parts", "lines[].total.parts[]", "most", "note"],
      ...["order.address", "order.address.city", "order.currency", "order.paid", "state", "total", "wanted"],
    ].sort(),
  });
});

test.each([
  ["a broken tag", "a\n{% if x %}", "basket.liquid:2: tag {% if x %} not closed."],
  ["an unknown tag", "{% include 'x' %}", "basket.liquid:1: there is no tag 'include'. There are: #, assign, break,"],
  ["HTML from data", "\n\n{{ x | raw }}", "basket.liquid:3: there is no filter 'raw'. There are: append, country,"],
  ["an unknown filter", "{{ x | upcase }}", "basket.liquid:1: there is no filter 'upcase'."],
  [
    "a mistyped word",
    "{{ 'basket.tilte' | t }}",
    "basket.liquid:1: there is no word 'basket.tilte'. Did you mean `basket.title`? There are: basket.pieces, basket.rest, basket.title.",
  ],
  ["a section as a word", "{{ 'basket' | t }}", "basket.liquid:1: there is no word 'basket'."],
  [
    "plural forms without a number",
    "{{ 'basket.pieces' | t }}",
    "basket.liquid:1: 'basket.pieces' has plural forms. Write `| t: count: …`.",
  ],
  [
    "a place without a value",
    "{{ 'basket.rest' | t: reset: x }}",
    "basket.liquid:1: 'basket.rest' has a place {rest}. Write `| t: rest: …`.",
  ],
  [
    "an unknown partial",
    "{% render 'prize' %}",
    "basket.liquid:1: there is no partial 'prize'. There are: loop, price.",
  ],
  [
    "a partial in a loop of its own",
    "{% render 'price' for lines as line %}",
    "basket.liquid:1: write `{% render 'name', line: line %}`",
  ],
  [
    "a value that a partial lacks",
    "{% render 'price' %}",
    "partials/price.liquid:2: `amount` isn't passed to this partial. It gets: nothing.",
  ],
  ["a partial within itself", "{% render 'loop' %}", "partials/loop.liquid:1: 'loop' renders itself."],
  ["a name from data", "{{ view[name] }}", "basket.liquid:1: `view[name]` looks up a name from data."],
])("%s is told with its file and line, and what there is", (_what, text, problem) => {
  const { problems } = check(text, { price: "\n{{ amount }}", loop: "{% render 'loop' %}" });
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(problem);
});

test("a word that a partial gets is checked where it is passed on", () => {
  const { problems } = check("{% render 'label', label: 'basket.gone' %}", { label: "{{ label | t }}" });
  expect(problems[0]).toContain("there is no word 'basket.gone'");
});
