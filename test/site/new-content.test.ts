import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { checkContent } from "../../site/content-check/check.ts";
import { readContentFiles } from "../../site/content-check/content-files.ts";
import type { Question } from "../../site/new-content/dialogue.ts";
import { newProduct } from "../../site/new-content/product.ts";
import { copyWorkspace } from "../workspace.ts";
import { problemsWith } from "./content-problems.ts";
import { writeContent } from "./content-tree.ts";

const folder = "content/products/barcode-scanners";
let root = "";

beforeAll(() => {
  root = copyWorkspace();
});
beforeEach(() => {
  rmSync(join(root, "content"), { recursive: true });
  writeContent({}, root);
});
afterAll(() => rmSync(root, { recursive: true }));

/** Runs a command in the copy; `said` grows with all that it says, `code` is its exit code. */
function run(command: string, args: string[]) {
  const child = spawn(command, args, { cwd: root, env: { PATH: process.env["PATH"] } });
  const running = { said: "", stdin: child.stdin, code: new Promise((resolve) => child.on("close", resolve)) };
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (text) => {
      running.said += text;
    });
  return running;
}

/** What `npm run new` answers to lines that are piped in. */
async function pipe(kind: string, answers: string[]): Promise<{ code: unknown; said: string }> {
  const running = run(process.execPath, ["site/new.ts", kind]);
  running.stdin.end(`${answers.join("\n")}\n`);
  return { code: await running.code, said: running.said };
}

const merlin = {
  title: 'Merlin M1: the "small" one',
  category: "1",
  brand: "",
  summary: "Reads #1 codes.",
  sku: "MER-M1",
  price: "89.00",
  gtin: "2000000000053",
  picture: "",
  name: "",
};

test("a new product is right at once, a draft, and says what is still to be written", async () => {
  const { code, said } = await pipe("product", Object.values(merlin));
  expect(said).toContain(`${folder}/merlin-m1-the-small-one.md`);
  expect(said).toContain("/products/merlin-m1-the-small-one");
  expect(code).toBe(0);
  const problems = await checkContent(root);
  expect(problems.every(({ isDoubt }) => isDoubt)).toBe(true);
  expect(problems.map(({ message }) => message)).toEqual([
    "picture 1, alt is `?` still: say what the picture shows.",
    "specifications are `?` still: Reads. Write `None` for what it hasn't.",
    "The text is a `?` still in 4 places: write it.",
  ]);
  const text = readFileSync(join(root, folder, "merlin-m1-the-small-one.md"), "utf8");
  expect(text).toContain("brand: Merlin\n");
  expect(text).toContain('gtin: "2000000000053"\nprice: "89.00"\n');
  expect(text).toContain("draft: true\n---\n## What it is for\n\n?\n");
});

test("a price without decimals gets those of the currency", async () => {
  await pipe("product", Object.values({ ...merlin, price: "79" }));
  expect(readFileSync(join(root, folder, "merlin-m1-the-small-one.md"), "utf8")).toContain('price: "79.00"\n');
});

test("a page can't be published while it has a question mark in a text's place", async () => {
  await pipe("product", Object.values(merlin));
  const file = join(root, folder, "merlin-m1-the-small-one.md");
  writeFileSync(file, readFileSync(file, "utf8").replace("draft: true\n", ""));
  expect((await checkContent(root)).filter(({ isDoubt }) => !isDoubt)).toHaveLength(3);
  const written = readFileSync(file, "utf8")
    .replace(/Reads: "\?"/, "Reads: 1D codes")
    .replace('alt: "?"', "alt: A scanner");
  writeFileSync(file, written.replaceAll("\n?\n", "\nText.\n"));
  expect(await checkContent(root)).toEqual([]);
});

test.each([
  [{ gtin: "2000000000054" }, "last digit should be 3"],
  [{ gtin: "2000000000015" }, `2000000000015 is also in ${folder}/kestrel-c2.md; use it once.`],
  [{ sku: "KES-C2" }, `KES-C2 is also in ${folder}/kestrel-c2.md; use it once.`],
  [{ sku: "" }, "SKU: is missing."],
  [{ price: "89,00" }, 'has a comma. Write "89.00".'],
  [{ price: "" }, "Price in EUR: is missing."],
  [{ category: "barcode-scaners" }, "Did you mean `barcode-scanners`?"],
  [{ title: "“Merlin”" }, "stands in curly quotes"],
  [{ picture: "./Merlin.svg" }, "There is no file"],
  [{ picture: "README.md" }, "A picture ends in svg, png"],
  [{ name: "osprey" }, `${folder}/osprey.md is there already. Choose another name.`],
  [{ name: "Merlin M1" }, "can't be part of a URL"],
])("an answer that can't be is refused with what to write: %o", async (wrong, message) => {
  const answers = Object.values({ ...merlin, ...wrong });
  const ask = async ({ text, otherwise = "", check }: Question) => {
    const answer = answers.shift() || otherwise;
    const problem = await check(answer);
    if (problem !== undefined) throw new Error(`${text}: ${problem}`);
    return answer;
  };
  await expect(newProduct(ask, readContentFiles(root), "EUR")).rejects.toThrow(message);
});

test("a wrong answer in a pipe ends it, and nothing is written", async () => {
  const { code, said } = await pipe("product", Object.values({ ...merlin, gtin: "2000000000054" }));
  expect(said).toContain("last digit should be 3");
  expect(said).toContain("Nothing was written.");
  expect(code).toBe(1);
  expect(readdirSync(join(root, folder))).toHaveLength(4);
});

test("answers that end too early write nothing", async () => {
  const { code, said } = await pipe("product", Object.values(merlin).slice(0, 3));
  expect([code, said]).toEqual([1, expect.stringContaining("Nothing was written.")]);
  expect(readdirSync(join(root, folder))).toHaveLength(4);
});

test("a picture of one's own is put beside the product; one with a script is refused", async () => {
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"><rect width="4" height="3"/></svg>';
  const own = join(root, "own.svg");
  writeFileSync(own, drawing);
  expect((await pipe("product", Object.values({ ...merlin, picture: own, name: "merlin" }))).code).toBe(0);
  expect(readFileSync(join(root, folder, "merlin.svg"), "utf8")).toBe(drawing);
  writeFileSync(own, drawing.replace("<rect", '<rect onload="x()"'));
  const { said } = await pipe(
    "product",
    Object.values({ ...merlin, sku: "MER-M2", gtin: "", picture: own, name: "m2" }),
  );
  expect(said).toContain("The picture has the attribute onload, which runs a script");
});

test.each([
  ["guide", "content/guides/keeping-printers-dry.md"],
  ["page", "content/pages/keeping-printers-dry.md"],
])("a new %s is right at once", async (kind, file) => {
  expect((await pipe(kind, ["Keeping printers dry", "What damp does to paper.", ""])).code).toBe(0);
  expect(existsSync(join(root, file))).toBe(true);
  expect((await checkContent(root)).filter(({ isDoubt }) => !isDoubt)).toEqual([]);
});

test("what can't be made is answered with what can", async () => {
  const { code, said } = await pipe("prodct", []);
  expect([code, said]).toEqual([1, expect.stringContaining("`npm run new product`")]);
  expect(said).toContain("Did you mean `product`?");
});

test("a person may try again, and Ctrl-C leaves nothing", async () => {
  const terminal = run("script", ["-qec", `"${process.execPath}" site/new.ts guide`, "/dev/null"]);
  for (const [prompt, typed] of [
    ["Title: ", "“Damp”\r"],
    ["stands in curly quotes", "Damp\r"],
    ["Summary, one sentence: ", "\r"],
    ["is missing. Write, for example, `summary:", "\u0003"],
  ] as const) {
    await vi.waitFor(() => expect(terminal.said).toContain(prompt), { timeout: 10_000 });
    terminal.stdin.write(typed);
  }
  expect(await terminal.code).toBe(130);
  expect(terminal.said).toContain("Nothing was written.");
  expect(readdirSync(join(root, "content/guides"))).toEqual(["choosing.mdx"]);
});

test("a question mark within a text is only that", async () => {
  expect(
    await problemsWith({ "pages/about.md": "---\ntitle: A\nsummary: B?\nupdated: 2026-10-01\n---\nWhy? So.\n" }),
  ).toEqual([]);
});
