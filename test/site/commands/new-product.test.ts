import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Question } from "../../../site/commands/new-content/dialogue.ts";
import { newProduct } from "../../../site/commands/new-content/questions.ts";
import { checkContent } from "../../../site/content-check/check.ts";
import { readContentFiles } from "../../../site/content-check/content-files.ts";
import { copyWorkspace } from "../../workspace.ts";
import { writeContent } from "../content-check/content-tree.ts";
import { answerNew } from "./new-command.ts";

const folder = "content/products/barcode-scanners";
let root = "";

beforeAll(() => {
  root = copyWorkspace(null);
});
beforeEach(() => {
  rmSync(join(root, "content"), { recursive: true, force: true });
  writeContent({}, root);
});
afterAll(() => rmSync(root, { recursive: true }));

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

test("a new product is a valid draft, and the check lists its placeholders", async () => {
  const { code, output } = await answerNew(root, "product", Object.values(merlin));
  expect(output).toContain(`${folder}/merlin-m1-the-small-one.md`);
  expect(output).toContain("/products/merlin-m1-the-small-one");
  expect(code).toBe(0);
  const problems = await checkContent(root);
  expect(problems.every(({ isWarning }) => isWarning)).toBe(true);
  expect(problems.map(({ message }) => message)).toEqual([
    "picture 1, alt is still `?`. Say what the picture shows.",
    "specifications are still `?`: Reads. Use `None` where it doesn't apply.",
    "The text is still `?` in 4 places. Write it.",
  ]);
  const text = readFileSync(join(root, folder, "merlin-m1-the-small-one.md"), "utf8");
  expect(text).toContain("brand: Merlin\n");
  expect(text).toContain('gtin: "2000000000053"\nprice: "89.00"\n');
  expect(text).toContain("draft: true\n---\n## What it is for\n\n?\n");
});

test("a price without decimals gets the currency's decimals", async () => {
  await answerNew(root, "product", Object.values({ ...merlin, price: "79" }));
  expect(readFileSync(join(root, folder, "merlin-m1-the-small-one.md"), "utf8")).toContain('price: "79.00"\n');
});

test("a page can't be published while it has a question mark as a placeholder", async () => {
  await answerNew(root, "product", Object.values(merlin));
  const file = join(root, folder, "merlin-m1-the-small-one.md");
  writeFileSync(file, readFileSync(file, "utf8").replace("draft: true\n", ""));
  expect((await checkContent(root)).filter(({ isWarning }) => !isWarning)).toHaveLength(3);
  const written = readFileSync(file, "utf8")
    .replace(/Reads: "\?"/, "Reads: 1D codes")
    .replace('alt: "?"', "alt: A scanner");
  writeFileSync(file, written.replaceAll("\n?\n", "\nText.\n"));
  expect(await checkContent(root)).toEqual([]);
});

test.each([
  [{ gtin: "2000000000054" }, "last digit should be 3"],
  [{ gtin: "2000000000015" }, `2000000000015 is also in ${folder}/kestrel-c2.md. Use it once.`],
  [{ sku: "KES-C2" }, `KES-C2 is also in ${folder}/kestrel-c2.md. Use it once.`],
  [
    { sku: "kes-C2" },
    `kes-C2 differs from KES-C2 in ${folder}/kestrel-c2.md in capitals only. Many ERPs treat them as the same. Choose another.`,
  ],
  [{ sku: "" }, "SKU: is missing."],
  [{ price: "89,00" }, 'has a comma. Write "89.00".'],
  [{ price: "" }, "Price in EUR: is missing."],
  [{ category: "barcode-scaners" }, "Did you mean `barcode-scanners`?"],
  [{ title: "“Merlin”" }, "is in curly quotes"],
  [{ picture: "./Merlin.svg" }, "doesn't exist."],
  [{ picture: "README.md" }, "A picture's file name must end in svg, png"],
  [{ name: "osprey" }, `${folder}/osprey.md already exists. Choose another name.`],
  [{ name: "Merlin M1" }, "can't be part of a URL"],
])("an invalid answer is rejected with what to write: %o", async (wrong, message) => {
  const answers = Object.values({ ...merlin, ...wrong });
  const ask = async ({ text, otherwise = "", check }: Question) => {
    const answer = answers.shift() || otherwise;
    const problem = await check(answer);
    if (problem !== undefined) throw new Error(`${text}: ${problem}`);
    return answer;
  };
  await expect(newProduct(ask, readContentFiles(root), "EUR")).rejects.toThrow(message);
});

test("an invalid answer in a pipe stops the command, and nothing is written", async () => {
  const { code, output } = await answerNew(root, "product", Object.values({ ...merlin, gtin: "2000000000054" }));
  expect(output).toContain("last digit should be 3");
  expect(output).toContain("Nothing was written.");
  expect(code).toBe(1);
  expect(readdirSync(join(root, folder))).toHaveLength(4);
});

test("nothing is written when answers are missing", async () => {
  const { code, output } = await answerNew(root, "product", Object.values(merlin).slice(0, 3));
  expect([code, output]).toEqual([1, expect.stringContaining("Nothing was written.")]);
  expect(readdirSync(join(root, folder))).toHaveLength(4);
});

test("a picture is copied beside the product, and one with a script is rejected", async () => {
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"><rect width="4" height="3"/></svg>';
  const own = join(root, "own.svg");
  writeFileSync(own, drawing);
  expect((await answerNew(root, "product", Object.values({ ...merlin, picture: own, name: "merlin" }))).code).toBe(0);
  expect(readFileSync(join(root, folder, "merlin.svg"), "utf8")).toBe(drawing);
  writeFileSync(own, drawing.replace("<rect", '<rect onload="x()"'));
  const { output } = await answerNew(
    root,
    "product",
    Object.values({ ...merlin, sku: "MER-M2", gtin: "", picture: own, name: "m2" }),
  );
  expect(output).toContain("The picture has the attribute onload, which runs a script");
});
