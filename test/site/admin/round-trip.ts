import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { parseForm } from "../../../site/admin/forms/form-text.ts";
import { formatOf } from "../../../site/admin/forms/formats.ts";
import { type FileForm, type FileFormat, readFile, writeFile } from "../../../site/admin/forms/writer.ts";
import { saveUnchanged } from "./sveltia-serializer.ts";

export interface ContentFile {
  path: string;
  text: string;
  format: FileFormat;
}

/** Every file of a content folder that editors write. */
export function contentFiles(content: string): ContentFile[] {
  const paths = globSync("**/*.{md,mdx,yaml}", { cwd: content }).sort();
  return paths.flatMap((path) => {
    const format = formatOf(`content/${path}`);
    return format ? { path, format, text: readFileSync(join(content, path), "utf8") } : [];
  });
}

/** Checks that saving a file in which nothing was changed changes no byte, and a changed price one line. */
export function expectFaithfulWriter({ path, format, text }: ContentFile): void {
  const saved = writeFile(format, text, parseForm(format, saveUnchanged(format, text)));
  expect(saved, path).toBe(text);
  const prices = pricesOf(readFile(format, text));
  for (let index = 0; index < prices; index++) {
    const form = readFile(format, text);
    setPrice(form, index, "77.31");
    const changed = writeFile(format, text, form);
    expect(changedLines(text, changed), `${path}, price ${index + 1}`).toEqual([
      expect.stringMatching(/price: "77\.31"/),
    ]);
    expect(readFile(format, changed)).toEqual(form);
  }
}

/** The new lines in the place of old ones; every other line is the same. */
export function changedLines(before: string, after: string): string[] {
  const [old, now] = [before.split("\n"), after.split("\n")];
  expect(now.length).toBe(old.length);
  return now.filter((line, index) => line !== old[index]);
}

type Priced = { price?: string };

const pricedOf = ({ values }: FileForm): Priced[] =>
  [values as Priced, ...((values["variants"] ?? []) as Priced[])].filter(({ price }) => price !== undefined);

const pricesOf = (form: FileForm) => pricedOf(form).length;

function setPrice(form: FileForm, index: number, price: string): void {
  const priced = pricedOf(form)[index];
  if (priced) priced.price = price;
}
