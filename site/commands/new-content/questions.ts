import { readFileSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import type { z } from "astro/zod";
import { isMap, stringify } from "yaml";
import { payableDigits } from "../../../api/contract/currencies.ts";
import { isSlug } from "../../../api/contract/patterns.ts";
import { type ContentFiles, isPicture, type PageFile, pictureTypes } from "../../content-check/content-files.ts";
import { locate, parsePage } from "../../content-check/front-matter.ts";
import { inspectPictures } from "../../content-check/pictures.ts";
import { slugProblem } from "../../content-schema/fields.ts";
import { guideSchema, pageSchema, reservedSlugs } from "../../content-schema/page.ts";
import { PLACEHOLDER } from "../../content-schema/placeholder.ts";
import { productSchema } from "../../content-schema/product.ts";
import { didYouMean } from "../../content-schema/suggest.ts";
import { guidePath, pagePath, productPath, urlNames } from "../../urls/paths.ts";
import type { Ask, Question } from "./dialogue.ts";

/** A draft to write: its files, by path from the project's root, and the URL path of its page. */
export interface NewContent {
  path: string;
  files: { file: string; content: string | Uint8Array }[];
}

const headings = ["What it is for", "What it works with", "In the box", "Good to know"];

/** Asks for a product's fields. `currency` decides how many decimals a price has. */
export async function newProduct(ask: Ask, content: ContentFiles, currency: string | undefined): Promise<NewContent> {
  const { pages } = content;
  const schema = productSchema(currency);
  const check = (field: string) => (answer: string) => fieldProblem(schema, field, answer);
  const title = await ask({ text: "Title, brand first", check: check("title") });
  const category = await askCategory(ask, content);
  const brand = await ask({ text: "Brand", otherwise: brandOf(title, content), check: check("brand") });
  const summary = await ask({ text: "Summary, one sentence", check: check("summary") });
  const sku = await ask({
    text: "SKU",
    check: (answer) => (answer === "" ? "is missing." : (check("sku")(answer) ?? useProblem("sku", answer, pages))),
  });
  const price = await askPrice(ask, check("price"), currency);
  const gtin = await ask({
    text: "GTIN, the 13 digits below the barcode (press Enter if it doesn't have one)",
    check: (answer) => (answer === "" ? undefined : (check("gtin")(answer) ?? useProblem("gtin", answer, pages))),
  });
  const picture = await ask({ text: "Path of a picture (press Enter for a placeholder)", check: pictureProblem });
  const slug = await ask({
    text: "File name, which is also its address",
    otherwise: slugOf(title),
    check: (answer) => nameProblem(answer, "product", content),
  });
  const images = [{ src: `./${slug}${extname(picture) || ".svg"}`, alt: PLACEHOLDER }];
  const specifications = Object.fromEntries(specificationsOf(category, content).map((name) => [name, PLACEHOLDER]));
  const identity = { sku, ...(gtin && { gtin }), price, availability: "in_stock" };
  const fields = { title, brand, summary, images, ...identity, specifications };
  const file = join("content/products", category, slug);
  return {
    path: productPath(slug),
    files: [
      { file: `${file}.md`, content: writePage(fields, headings) },
      {
        file: `${file}${extname(picture) || ".svg"}`,
        content: readFileSync(picture === "" ? placeholder : fromHere(picture)),
      },
    ],
  };
}

const placeholder = new URL("./placeholder.svg", import.meta.url);

async function askCategory(ask: Ask, { pages }: ContentFiles): Promise<string> {
  const slugs = pages.filter(({ kind }) => kind === "category").map(({ slug }) => slug);
  const find = (answer: string) =>
    slugs[Number(answer) - 1] ?? slugs.find((slug) => [answer, slugOf(answer)].includes(slug));
  const answer = await ask({
    text: "Category, its number or name",
    choices: slugs,
    check: (answer) =>
      find(answer) === undefined ? `“${answer}” isn't a category.${didYouMean(answer, slugs)}` : undefined,
  });
  return find(answer) ?? "";
}

/** Adds the currency's decimals to a whole amount. */
async function askPrice(ask: Ask, check: Question["check"], currency: string | undefined): Promise<string> {
  const digits = currency === undefined ? 0 : payableDigits(currency);
  const amount = (answer: string) => (digits > 0 && /^\d+$/.test(answer) ? `${answer}.${"0".repeat(digits)}` : answer);
  const answer = await ask({
    text: `Price${currency ? ` in ${currency}` : ""}`,
    check: (answer) => (answer === "" ? "is missing." : check(amount(answer))),
  });
  return amount(answer);
}

/** The brand at the start of a title: one that the shop has, otherwise the first word. */
function brandOf(title: string, { pages }: ContentFiles): string {
  const brands = pages.map(({ text }) => /^brand: *["']?(.+?)["']? *$/m.exec(text)?.[1]);
  return brands.find((brand) => brand !== undefined && title.startsWith(`${brand} `)) ?? title.split(" ")[0] ?? "";
}

/** The names of a category's specifications, from the product with most of them. */
function specificationsOf(category: string, { pages }: ContentFiles): string[] {
  const lists = pages.flatMap((page) => {
    const { yaml } = page.category === category ? parsePage(page.file, page.text) : {};
    const { node } = yaml === undefined ? {} : locate(yaml, ["specifications"]);
    return isMap(node) ? [node.items.map(({ key }) => String(key))] : [];
  });
  return lists.sort((a, b) => b.length - a.length)[0] ?? [];
}

/** npm runs scripts in the project's folder, and has the caller's folder in INIT_CWD. */
const fromHere = (path: string) => resolve(process.env["INIT_CWD"] ?? ".", path);

async function pictureProblem(answer: string): Promise<string | undefined> {
  if (answer === "") return undefined;
  const path = fromHere(answer);
  if (!isPicture(path)) return `A picture's file name must end in ${pictureTypes.join(", ")}.`;
  try {
    const { wrongPictures } = await inspectPictures(dirname(path), new Set([basename(path)]));
    const problem = wrongPictures.get(basename(path));
    return problem && `The picture ${problem}`;
  } catch {
    return `${path} doesn't exist.`;
  }
}

const kinds = {
  guide: { schema: guideSchema, folder: "guides", path: guidePath },
  page: { schema: pageSchema, folder: "pages", path: pagePath },
};

/** Asks for the fields of a guide or a page. */
export async function newText(kind: "guide" | "page", ask: Ask, content: ContentFiles): Promise<NewContent> {
  const { schema, folder, path } = kinds[kind];
  const check = (field: string) => (answer: string) => fieldProblem(schema, field, answer);
  const title = await ask({ text: "Title", check: check("title") });
  const summary = await ask({ text: "Summary, one sentence", check: check("summary") });
  const slug = await ask({
    text: "File name, which is also its address",
    otherwise: slugOf(title),
    check: (answer) => nameProblem(answer, kind, content),
  });
  return {
    path: path(slug),
    files: [{ file: `content/${folder}/${slug}.md`, content: writePage({ title, summary }, ["First heading"]) }],
  };
}

/** A schema's message about one field's value; undefined if it is valid. */
function fieldProblem(schema: z.ZodType, field: string, value: string): string | undefined {
  const issues = schema.safeParse({ [field]: value || undefined }).error?.issues ?? [];
  return issues.find(({ path }) => path.length === 1 && path[0] === field)?.message;
}

/** Why an identifier is taken: another product has it, or a SKU that differs in capitals only. */
function useProblem(field: "sku" | "gtin", value: string, pages: readonly PageFile[]): string | undefined {
  for (const { file, text } of pages)
    for (const [, name, found = ""] of text.matchAll(/^[\s-]*(\w+): *["']?(.*?)["']? *$/gm)) {
      if (name !== field || found.toLowerCase() !== value.toLowerCase()) continue;
      if (found === value) return `${value} is also in ${file}. Use it once.`;
      return `${value} differs from ${found} in ${file} in capitals only. Many ERPs treat them as the same. Choose another.`;
    }
  return undefined;
}

/** Why a file can't have this name. */
function nameProblem(slug: string, kind: PageFile["kind"], { pages }: ContentFiles): string | undefined {
  if (!isSlug(slug)) return slugProblem(slug);
  if (kind === "page" && reservedSlugs.includes(slug))
    return `The shop itself uses the address of a page called ${slug}. Choose another name.`;
  const other = pages.find((page) => page.kind === kind && page.slug === slug);
  return other && `${other.file} already exists. Choose another name.`;
}

/** Turns a title into a slug: `Café 10, black` is `cafe-10-black`, and what has other letters than a to z keeps them. */
function slugOf(title: string): string {
  const plain = title
    .normalize("NFKD")
    .replace(/\p{M}|['’]/gu, "")
    .toLowerCase();
  const [name = ""] = urlNames([/[^\P{L}a-z]/u.test(plain) ? title.normalize("NFC").replace(/['’]/g, "") : plain]);
  return name;
}

/** A draft's file: its fields, today's date, and headings with a placeholder below each. */
function writePage(fields: Record<string, unknown>, headings: readonly string[]): string {
  const updated = new Date().toISOString().slice(0, 10);
  const front = stringify({ ...fields, updated, draft: true }, { lineWidth: 0 });
  return `---\n${front}---\n${headings.map((heading) => `## ${heading}\n\n${PLACEHOLDER}\n`).join("\n")}`;
}
