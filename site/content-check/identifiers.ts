import { execFile } from "node:child_process";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { isScalar, isSeq } from "yaml";
import { isDraft, writeFormerly } from "../content-schema/fields.ts";
import { readParent } from "./category-tree.ts";
import { factOf, formerSlugs, type KnownPage, pathOf, type ReadPage, type Use } from "./content-files.ts";
import { locate } from "./front-matter.ts";
import type { Problem } from "./problem.ts";

/** Finds SKUs, GTINs, addresses (former ones too) and category titles that are used twice. */
export function findDuplicateIdentifiers(pages: readonly KnownPage[]): Problem[] {
  const identifiers = (["sku", "gtin"] as const).flatMap((field) =>
    findTwice(
      pages.flatMap((known) => (known.page.kind === "product" ? findIdentifiers(known)[field] : [])),
      (name, place) => `${field.toUpperCase()} ${name} is also in ${place}. Use it once.`,
    ),
  );
  const slugs = findTwice(
    pages.flatMap(findSlugs),
    (name, place) => `The address ${name} is also used by ${place}. Choose another one.`,
  );
  // Two categories with one title look the same in the menu, or in the list of the one above them.
  const categories = pages.filter(({ page }) => page.kind === "category");
  const titles = [...Map.groupBy(categories, (known) => readParent(known)[0]?.name).values()].flatMap((siblings) =>
    findTwice(
      siblings.flatMap(findTitle),
      (name, place) => `The title “${name}” is also used by ${place}. Choose another one.`,
    ),
  );
  return [...identifiers, ...findSameButForCase(pages), ...slugs, ...titles];
}

/** SKUs that differ in capitals only. Warnings, because this shop and its API tell them apart. */
function findSameButForCase(pages: readonly KnownPage[]): Problem[] {
  const first = new Map<string, Use>();
  return pages.flatMap((known) => {
    if (known.page.kind !== "product") return [];
    return findIdentifiers(known).sku.flatMap(({ name, file, line }) => {
      const earlier = first.get(name.toLowerCase());
      first.set(name.toLowerCase(), earlier ?? { name, file, line });
      if (earlier === undefined || earlier.name === name) return [];
      const message = `SKU ${name} differs from ${earlier.name} in ${earlier.file}:${earlier.line} in capitals only. Many ERPs treat them as the same. Check it for a typo.`;
      return { file, line, message, isWarning: true as const };
    });
  });
}

/** All SKUs, including those of unreadable files, so that a product card for one of them isn't a second error. */
export function findSkus(pages: readonly KnownPage[]): Set<string> {
  const products = pages.filter(({ page }) => page.kind === "product");
  return new Set(
    products.flatMap((known) => [...findIdentifiers(known).sku.map(({ name }) => name), ...skusInUnreadable(known)]),
  );
}

const skusInUnreadable = factOf("skusInUnreadable", ({ page, yaml }) =>
  yaml === undefined ? Array.from(page.text.matchAll(/^[\s-]*sku: *["']?([^\s"']+)/gm), ([, sku = ""]) => sku) : [],
);

function findSlugs(known: KnownPage): Use[] {
  const { kind, file, slug } = known.page;
  const folder = { product: "/products/", category: "/categories/", guide: "/guides/", page: "/" }[kind];
  const own = { name: folder + slug, file, line: 1 };
  return [own, ...formerSlugs(known).map((use) => ({ ...use, name: folder + use.name }))];
}

/** The identifiers of a product or its variants. */
const findIdentifiers = factOf("identifiers", (read) => {
  const { node: list } = read.yaml === undefined ? {} : locate(read.yaml, ["variants"]);
  const variants = isSeq(list) ? list.items.map((_, index) => ["variants", index]) : [];
  const find = (field: string) => [[], ...variants].flatMap((path) => findValues(read, [...path, field]));
  return { sku: find("sku"), gtin: find("gtin") };
});

const findTitle = factOf("title", (read) => findValues(read, ["title"]));

/** The value at a path, as it is written in the front matter. */
function findValues({ page, yaml }: ReadPage, path: (string | number)[]): Use[] {
  if (yaml === undefined) return [];
  const { node, line } = locate(yaml, path);
  return isScalar(node) ? [{ name: node.source ?? String(node.value), file: page.file, line }] : [];
}

function findTwice(uses: readonly Use[], describe: (name: string, place: string) => string): Problem[] {
  const first = new Map<string, Use>();
  return uses.flatMap((use) => {
    const earlier = first.get(use.name);
    if (earlier === undefined) {
      first.set(use.name, use);
      return [];
    }
    return { file: use.file, line: use.line, message: describe(use.name, `${earlier.file}:${earlier.line}`) };
  });
}

interface Rename {
  from: string;
  to: string;
  /** A commit that still has the file under its old name. */
  before: string;
}

/**
 * Finds pages that git knows by another name and whose old address isn't redirected. Warnings, because a similar file may have
 * replaced another one. Finds nothing without git or its history.
 */
export async function findRenamedPages(root: string, pages: readonly KnownPage[]): Promise<Problem[]> {
  const folder = join(root, "content");
  const renames = await readRenames(folder).catch(() => []);
  const byFile = new Map(pages.map((known) => [known.page.file, known]));
  const addresses = new Set(
    pages.flatMap((known) =>
      [known.page.slug, ...formerSlugs(known).map(({ name }) => name)].map((slug) => pathOf({ ...known.page, slug })),
    ),
  );
  const missing = new Map<KnownPage, string[]>();
  for (const { from, to, before } of latest(renames)) {
    const known = byFile.get(`content/${to}`);
    const [, kind, slug = ""] = /^(products|categories|guides|pages)\/(?:[^/]+\/)?([^/]+)\.mdx?$/.exec(from) ?? [];
    if (known?.read().yaml === undefined || !to.startsWith(`${kind}/`)) continue;
    if (addresses.has(pathOf({ ...known.page, slug }))) continue;
    // A draft's address was never public.
    const text = await git(folder, ["show", `${before}:./${from}`]).catch(() => "");
    if (!isDraft(text)) missing.set(known, [...(missing.get(known) ?? []), slug]);
  }
  return [...missing].map(([known, slugs]) => {
    const { page, yaml } = known.read();
    const old = slugs.map((slug) => `\`${pathOf({ ...page, slug })}\``).join(" and ");
    const all = [...formerSlugs(known).map(({ name }) => name), ...slugs];
    const message = `This page was renamed: links to ${old} lead nowhere. Write \`${writeFormerly(all)}\`.`;
    return {
      file: page.file,
      line: yaml === undefined ? 1 : locate(yaml, ["formerly"]).line,
      message,
      isWarning: true as const,
    };
  });
}

/** Each old name once, with today's name; `renames` start with the newest. */
function latest(renames: readonly Rename[]): Rename[] {
  const now = new Map<string, Rename>();
  for (const { from, to, before } of renames) {
    if (!now.has(from)) now.set(from, { from, to: now.get(to)?.to ?? to, before });
  }
  return [...now.values()];
}

const run = promisify(execFile);

async function git(cwd: string, args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const { stdout } = await run("git", args, { cwd, env: { ...process.env, ...env }, maxBuffer: 2 ** 28 });
  return stdout.trimEnd();
}

/** A cache by folder and commit, because the dev server checks after each save. */
const histories = new Map<string, Promise<Rename[]>>();

async function readRenames(folder: string): Promise<Rename[]> {
  const [head, index = ""] = (await git(folder, ["rev-parse", "HEAD", "--git-path", "index"])).split("\n");
  const key = `${folder} ${head}`;
  const history = histories.get(key) ?? readHistory(folder);
  histories.set(key, history);
  return [...(await readUncommitted(folder, resolve(folder, index))), ...(await history)];
}

// Two products by one maker are often half the same, so 70 %.
const how = ["-M70%", "--diff-filter=R", "--name-status", "--relative"];

async function readHistory(folder: string): Promise<Rename[]> {
  const log = await git(folder, ["log", ...how, "--format=%x00%H", "--", "."]);
  return log.split("\0").flatMap((entry) => {
    const [commit = "", ...lines] = entry.split("\n");
    return readLines(lines, `${commit}^`);
  });
}

/** Renames since the last commit. New files are added to a copy of git's index, so that the editor's own isn't changed. */
async function readUncommitted(folder: string, index: string): Promise<Rename[]> {
  const temporary = await mkdtemp(join(tmpdir(), "twinfront-index-"));
  try {
    const env = { GIT_INDEX_FILE: join(temporary, "index") };
    await copyFile(index, env.GIT_INDEX_FILE);
    await git(folder, ["add", "--intent-to-add", "--", "."], env);
    return readLines((await git(folder, ["diff", ...how, "HEAD", "--", "."], env)).split("\n"), "HEAD");
  } finally {
    await rm(temporary, { recursive: true });
  }
}

/** Parses lines such as `R093`, old name, new name, separated by tabs. */
const readLines = (lines: readonly string[], before: string): Rename[] =>
  lines.flatMap((line) => {
    const [, from, to] = line.split("\t");
    return from === undefined || to === undefined ? [] : { from, to, before };
  });
