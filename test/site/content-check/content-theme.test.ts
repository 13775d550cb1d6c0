import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { problemsWith } from "./content-problems.ts";

const theme = (css: string) => problemsWith({ "theme.css": css, "static/tile.png": "png" });

test("rules of a shop's own may use its static files", async () => {
  const rules = `/* behavior: none */
@media (min-width: 40rem) { .site-header { background: url("/tile.png"); &:hover { color: var(--ink) } } }
@supports (color: oklch(0 0 0)) { a { color: oklch(40% 0.1 200); scroll-behavior: smooth; filter: url(#soft) } }
`;
  expect(await theme(rules)).toEqual([]);
  expect(await theme("")).toEqual([]);
});

test.each([
  ["a {\n  color: red;\n}}\n", "3: This isn't valid CSS: "],
  ["a {\n  color: red;\n\nb { top: 0 }\n", "4: The file ends within a rule or a comment"],
  ["a {}\n/* b {}", "2: The file ends within a rule or a comment"],
  ["a {}\n@import url(more.css);", "2: "],
  ['@import "https://fonts.example/css?family=Alef";', "1: `@import` would make every page wait for another file."],
  ["a {\n background: url(https://a.example/x.png) }", "2: `https://a.example/x.png` is on another website"],
  ["a { background: url(//a.example/x.png) }", "1: `//a.example/x.png` is on another website"],
  ["a { background: url(data:image/png;base64,AA==) }", "1: A file within this one (`data:`) isn't shown"],
  [
    "@font-face { font-family: A; src: url(https://a.example/a.woff2) }",
    "1: `https://a.example/a.woff2` is on another",
  ],
  ["a { --x: url(https://a.example/x.png) }", "1: `https://a.example/x.png` is on another website"],
  ['a { background: image-set("https://a.example/x.png" 1x) }', "1: `https://a.example/x.png` is on another website"],
  ["a { background: url(tile.png) }", "1: No file `tile.png` in content/static/. Write `url(/tile.png)`."],
  ["a { background: url(/tyle.png) }", "1: No file `/tyle.png` in content/static/. Did you mean `/tile.png`?"],
  ["a {}\nb { behavior: url(#x) }", "2: `behavior` does nothing in any browser of today. Delete it."],
  ["a { width: expression(1) }", "1: `expression` does nothing in any browser of today. Delete it."],
])("theme.css is refused with its line and what to do: %s", async (css, message) => {
  const [problem = "", ...others] = await theme(css);
  expect(others).toEqual([]);
  expect(problem).toContain(`content/theme.css:${message}`);
});

test("theme.css may have a thousand bytes, compressed", async () => {
  const colour = (index: number) => createHash("sha256").update(`${index}`).digest("hex").slice(0, 6);
  const rules = Array.from({ length: 300 }, (_, index) => `.x${index} { color: #${colour(index)} }`);
  expect(await theme(rules.join("\n"))).toEqual([
    expect.stringMatching(
      /^content\/theme\.css:1: Browsers get [\d,]+ bytes of this file, compressed, and the limit is 1000: .* Take out rules that make \d+ bytes\.$/,
    ),
  ]);
});
