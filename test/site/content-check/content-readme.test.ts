import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { checkContent } from "../../../site/content-check/check.ts";
import { formatProblem } from "../../../site/content-check/problem.ts";
import { shops } from "../../workspace.ts";

const readme = readFileSync(join(shops.own, "README.md"), "utf8");
// The fixture's contact expires in 2099; the check warns about dates more than a year away.
const store = readFileSync(join(shops.demo, "store.yaml"), "utf8").replace("expires: 2099", "expires: 2027");
const picture = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 6"><rect width="8" height="6"/></svg>';

/** The examples in content/README.md: language and kind, from the first line of the fence, and text. */
const examples = [...readme.matchAll(/^```(\w+) (\w+)\n([\s\S]*?)^```$/gm)].map(([, language, kind, text = ""]) => ({
  ...{ language, kind, text },
  first: text.split("\n").find((line) => line !== "---") ?? "",
}));
const [required = "", ...optional] = examples.filter(({ kind }) => kind === "store").map(({ text }) => text);
const shop = withLines(required, optional.at(-1) ?? "");
const product = examples.find(({ language, kind }) => language === "markdown" && kind === "product")?.text ?? "";

/** Replaces the lines of the same fields; `variants` replaces the fields that each variant has. */
function withLines(yaml: string, lines: string): string {
  const fields = [...lines.matchAll(/^(\w+):/gm)].map(([, field = ""]) => field);
  if (fields.includes("variants")) fields.push("sku", "gtin", "price", "availability");
  const rest = fields.reduce((text, field) => text.replace(new RegExp(`^${field}:.*\n(?:[ -].*\n)*`, "m"), ""), yaml);
  return rest.replace(/^(---\n)?/, `$1${lines}`);
}

/** The demo shop's files that an example changes; its settings become those of the examples of a shop. */
function filesFor({ language, kind, text }: (typeof examples)[number]): Record<string, string> {
  const scanner = "products/barcode-scanners/acme-reader-5";
  if (kind === "product")
    return { [`${scanner}.md`]: language === "yaml" ? withLines(product, text) : text, [`${scanner}.svg`]: picture };
  if (kind === "category") return { "categories/label-printers.md": text };
  if (kind === "guide") return { "guides/connecting-a-printer.mdx": text };
  if (kind === "words") return { "words.yaml": text };
  return { "store.yaml": withLines(shop, text), "till.svg": picture };
}

/** Gives products the weight that a price of delivery may depend on, and the class of tax that the examples have. */
function weigh(root: string, hasClass: boolean): void {
  for (const path of globSync("content/products/*/*.md", { cwd: root })) {
    const text = readFileSync(join(root, path), "utf8");
    const lines = `weight_g: 850\n${hasClass ? "tax_class: reduced\n" : ""}`;
    if (!/^weight_g:/m.test(text)) writeFileSync(join(root, path), text.replace("---\n", `---\n${lines}`));
  }
}

// The dates in the examples are current now, and will pass.
beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-11-22T12:00:00Z") }));
afterAll(() => void vi.useRealTimers());

test("the README for editors has examples of products, categories, guides, words and store.yaml", () => {
  expect(examples.length).toBeGreaterThanOrEqual(9);
  expect(new Set(examples.map(({ kind }) => kind))).toEqual(
    new Set(["product", "category", "guide", "store", "words"]),
  );
});

test.each(examples)("an example in the README for editors is valid: $kind, $first", async (example) => {
  const root = mkdtempSync(join(tmpdir(), "twinfront-readme-"));
  try {
    cpSync(shops.demo, join(root, "content"), { recursive: true });
    const files = { "store.yaml": store, ...filesFor(example) };
    for (const [file, text] of Object.entries(files)) writeFileSync(join(root, "content", file), text);
    weigh(root, /classes:/.test(files["store.yaml"] ?? ""));
    const problems = await checkContent(root);
    // The demo shop has doubts of its own, and its pages contradict another shop's settings, as they should.
    const own = Object.keys(files).map((file) => `content/${file}`);
    const others = problems.filter(({ file, isWarning }) => !isWarning || own.includes(file));
    expect(others.map(formatProblem)).toEqual([]);
  } finally {
    rmSync(root, { recursive: true });
  }
});
