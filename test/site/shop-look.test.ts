import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { contrast } from "../../site/shop-look/contrast.ts";
import { readPalette, writeColours } from "../../site/shop-look/palette.ts";
import { writeLook } from "../../site/shop-look/shop-look.ts";
import { problemsWith } from "./content-check/content-problems.ts";
import { validContent, writeContent } from "./content-check/content-tree.ts";

const store = validContent["store.yaml"] ?? "";
const files = join(import.meta.dirname, "../../site/node_modules/@fontsource/familjen-grotesk/files");
const latin = readFileSync(join(files, "familjen-grotesk-latin-700-normal.woff2"));
const css = readFileSync(join(import.meta.dirname, "../../site/src/styles/tokens.css"), "utf8");

/** The problems of a shop with these colours, on lines 18 to 20 of its store.yaml. */
const colourProblems = async (light: string, dark: string) =>
  (await problemsWith({ "store.yaml": `${store}colours:\n  light: { ${light} }\n  dark: { ${dark} }\n` })).map((each) =>
    each.replace("content/store.yaml:", ""),
  );

test("contrast is computed as WCAG defines it", () => {
  expect(contrast("#ffffff", "#000000")).toBeCloseTo(21);
  expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
});

test("the default colours and readable colours of a shop are accepted", async () => {
  const own = (scheme: "light" | "dark", name: string) => `${name}: "${readPalette(css, scheme).get(name)}"`;
  const [light, dark] = (["light", "dark"] as const).map((each) => `${own(each, "accent")}, ${own(each, "paper")}`);
  expect(await colourProblems(light ?? "", dark ?? "")).toEqual([]);
  expect(await colourProblems('accent: "#8a1c3d"', 'accent: "#f2a3b8", paper: "#1c1214"')).toEqual([]);
});

test.each([
  ['accent: "#ff8a00"', "19: colours, light, accent", "darker"],
  ['accent: "#8a1c3d", paper: "#8090a0"', "19: colours, light, paper", "lighter"],
])("colours that are hard to read are reported with the nearest readable one: %s", async (light, place, way) => {
  const [problem = "", ...others] = await colourProblems(light, 'accent: "#7fd6c8"');
  expect(others).toEqual([]);
  expect(problem).toMatch(new RegExp(`^${place} "#.{6}" is hard to read: .* contrast of \\d\\.\\d:1, and needs 4.5:1`));
  const [, field, right] = /Write `(\w+): "(#.{6})"`, which is slightly/.exec(problem) ?? [];
  expect(problem).toContain(`slightly ${way}.`);
  const corrected = light.replace(new RegExp(`${field}: "[^"]+"`), `${field}: "${right}"`);
  expect(await colourProblems(corrected, 'accent: "#7fd6c8"')).toEqual([]);
});

test.each([
  ["accent: #8a1c3d", '19: `#` starts a comment, so the value is empty. Write `accent: "#8a1c3d"`.'],
  ['accent: "red"', '19: colours, light, accent "red" isn\'t a valid colour. Write # and six digits'],
  ['paper: "#ffffff"', "19: colours, light, accent is missing. Use quotes, because # starts a comment otherwise"],
])("an invalid colour is reported with what to write: %s", async (light, message) => {
  expect((await colourProblems(light, 'accent: "#7fd6c8"')).join("\n")).toContain(message);
});

test.each([
  ["logo: ./sign.svg", "18: No file ./sign.svg. Write ./Sign.svg, with the same capitals."],
  [
    "logo: sign.svg",
    '18: logo "sign.svg" isn\'t an SVG or PNG beside store.yaml. Write, for example, `logo: ./logo.svg`.',
  ],
  [
    "social:\n  Mastodon: shop@social.example",
    '19: social, Mastodon "shop@social.example" isn\'t a complete web address.',
  ],
  ["social: [https://social.example]", "18: social is a list, not names with addresses."],
])("an invalid logo or social address is reported: %s", async (field, message) => {
  const sign = validContent["products/barcode-scanners/osprey.svg"] ?? "";
  expect(await problemsWith({ "store.yaml": `${store}${field}\n`, "Sign.svg": sign })).toEqual([
    expect.stringContaining(`content/store.yaml:${message}`),
  ]);
});

test("only shops whose language has Latin letters load the display face", () => {
  const sheet = readFileSync(join(import.meta.dirname, "../../site/src/styles/sheets/shared.css"), "utf8");
  const loads = (locale: string) =>
    writeLook(sheet, store.replace(/^locale: .*$/m, `locale: ${locale}`), css, "").includes("display-face.css");
  expect(["en-GB", "de-AT", "vi", "sr-Latn"].map(loads)).toEqual([true, true, true, true]);
  expect(["he-IL", "ja-JP", "el-GR", "sr"].map(loads)).toEqual([false, false, false, false]);
});

test("only shops whose language is written from right to left load what it needs", () => {
  const sheet = readFileSync(join(import.meta.dirname, "../../site/src/styles/sheets/shared.css"), "utf8");
  const loads = (locale: string) =>
    writeLook(sheet, store.replace(/^locale: .*$/m, `locale: ${locale}`), css, "").includes("right-to-left.css");
  expect(["he-IL", "ar", "ar-EG", "fa-IR", "ur-PK", "az-Arab"].map(loads)).toEqual([
    true,
    true,
    true,
    true,
    true,
    true,
  ]);
  expect(["en-GB", "de-AT", "ja-JP", "el-GR", "az"].map(loads)).toEqual([false, false, false, false, false]);
});

test("a page background for light screens leaves dark ones as they are", () => {
  const colours = { light: { accent: "#8a1c3d", paper: "#fffaf5" }, dark: { accent: "#f2a3b8" } };
  const dark = readPalette(writeColours(colours, css), "dark");
  const standard = readPalette(css, "dark");
  expect([dark.get("paper"), dark.get("surface")]).toEqual([standard.get("paper"), standard.get("surface")]);
});

test("a shop's look is after the colours, corners and fonts that it replaces", () => {
  const sheet = readFileSync(join(import.meta.dirname, "../../site/src/styles/sheets/shared.css"), "utf8");
  const folder = join(writeContent({ "sans.woff2": latin }), "content");
  const colours = '{ light: { accent: "#8a1c3d" }, dark: { accent: "#f2a3b8" } }';
  const write = (fields: string) => writeLook(sheet, `${store}${fields}\n`, css, folder);
  try {
    expect(write(`look: { colours: ${colours} }`)).toBe(write(`colours: ${colours}`));
    expect(write("look: {}")).toBe(write(""));
    const own = write("look: { corner: 0, fonts: { body: ./sans.woff2, headings: ./sans.woff2 } }");
    expect(own).not.toContain("display-face.css");
    expect(own.slice(own.lastIndexOf("@import"))).toMatch(/--radius: 0px;/);
    expect(own.match(/@font-face \{[^}]*\}/g)).toEqual([
      expect.stringMatching(
        /"Shop text"; src: url\("@content\/sans\.woff2"\) .* font-weight: 700; font-display: optional;/,
      ),
      expect.stringMatching(/"Shop headings"; .* font-weight: 1 1000; font-display: optional;/),
    ]);
    expect(own).toMatch(
      /--font: "Shop text", -apple-system, [^;]*sans-serif; --display-font: "Shop headings", var\(--font\);/,
    );
    expect(write("look: { fonts: { body: ./sans.woff2 } }")).toContain("display-face.css");
  } finally {
    rmSync(join(folder, ".."), { recursive: true });
  }
});

test.each([
  ["look: { corner: 4px }", '18: look, corner "4px" isn\'t a number of pixels. Write a whole number, such as `4`.'],
  ["look: { corner: 40 }", "18: look, corner must be 20 or less: a larger one would cut into fields and pictures."],
  ["look: { corners: 4 }", "18: look corners isn't a known field. Did you mean `corner`?"],
  [
    "look: { fonts: { body: ./Sans.ttf } }",
    '18: look, fonts, body "./Sans.ttf" isn\'t a .woff2 file beside store.yaml. Browsers get WOFF2 alone',
  ],
  ["look: { fonts: { body: fonts/sans.woff2 } }", "Put it there, and write `body: ./sans.woff2`."],
  ["look: { fonts: { headings: ./My Sans.woff2 } }", "`headings: ./My-Sans.woff2`."],
  [
    "look: { fonts: { body: ./snas.woff2 } }",
    '18: look, fonts, body "./snas.woff2" isn\'t there. Did you mean `./sans.woff2`?',
  ],
  ["look: { fonts: { body: ./none.woff2 } }", "isn't a WOFF2 font, although its name says so."],
  [
    'look: { colours: { light: { accent: "#ff8a00" }, dark: { accent: "#7fd6c8" } } }',
    '18: look, colours, light, accent "#ff8a00" is hard to read: ',
  ],
  [
    'colours: { light: { accent: "#8a1c3d" }, dark: { accent: "#7fd6c8" } }\nlook: { colours: { light: { accent: "#8a1c3d" }, dark: { accent: "#7fd6c8" } } }',
    "18: colours is written in `look`, too. Delete one of them: both mean the same.",
  ],
])("a look that can't be shown is reported with what to write: %s", async (fields, message) => {
  const problems = await problemsWith({
    "store.yaml": `${store}${fields}\n`,
    "sans.woff2": latin,
    "none.woff2": "nothing",
  });
  expect(problems).toEqual([expect.stringContaining(message)]);
});

test("a font without the letters of the shop's name is a doubt", async () => {
  const named = (name: string) => ({
    "store.yaml": `${store.replace("name: Testcounter", `name: ${name}`)}look: { fonts: { headings: ./sans.woff2 } }\n`,
    "sans.woff2": latin,
  });
  expect(await problemsWith(named("Größe"))).toEqual([]);
  expect(await problemsWith(named("שלום"))).toEqual([
    expect.stringContaining("which visitors see in another font: ש ל ו ם. Take the file for this script."),
  ]);
});
