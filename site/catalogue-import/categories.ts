import { stringify } from "yaml";
import type { PageFile } from "../content-check/content-files.ts";
import { parsePage } from "../content-check/front-matter.ts";
import { MAX_LEVELS } from "../content-schema/category.ts";
import { slugOf } from "../content-schema/fields.ts";
import { addressWords, shorten } from "./formats/values.ts";

interface Category {
  slug: string;
  title: string;
  parent: string | undefined;
}

/** A category that an import makes. */
export interface NewCategory extends Category {
  order: number;
}

/** The tree of categories, which grows by those that products need. */
export function openCategories(pages: readonly PageFile[], locale: string) {
  const all: Category[] = [];
  const added: NewCategory[] = [];
  let order = 0;
  for (const { kind, file, slug, text } of pages) {
    if (kind !== "category") continue;
    const data: Record<string, unknown> = parsePage(file, text).yaml?.document.toJS() ?? {};
    const { title, parent } = data;
    all.push({ slug, title: String(title ?? slug), parent: typeof parent === "string" ? parent : undefined });
    order = Math.max(order, Number(data["order"]) || 0);
  }
  const find = (parent: string | undefined, title: string): Category | undefined =>
    all.find((each) => each.parent === parent && sameName(each.title, title)) ??
    all.find((each) => each.parent === parent && each.slug === slugOf(addressWords(title)));
  const add = (parent: string | undefined, title: string): Category => {
    order += 1;
    const name = slugOf(addressWords(title)) ?? "category";
    const names = [name, `${parent ?? "category"}-${name}`];
    for (let count = 2; ; count += 1) {
      const slug = names.find((each) => !all.some((other) => other.slug === each));
      names.push(`${name}-${count}`);
      if (slug === undefined) continue;
      const category = { slug, title, parent, order };
      all.push(category);
      added.push(category);
      return category;
    }
  };
  const namesIn = (path: readonly string[]) => (path.length > 0 ? path.slice(0, MAX_LEVELS) : [defaultTitle(locale)]);
  const isSlug = ([first = "", ...more]: readonly string[]) =>
    more.length === 0 && all.some(({ slug }) => slug === first);
  return {
    added,
    /** The slug of the category at a path of titles, or of one slug; undefined if there is none. */
    find: (path: readonly string[]): string | undefined => {
      if (isSlug(path)) return path[0];
      let found: Category | undefined;
      for (const title of namesIn(path)) {
        found = find(found?.slug, title);
        if (found === undefined) return undefined;
      }
      return found?.slug;
    },
    /** The same; it is added if there is none. */
    slugFor: (path: readonly string[]): string => {
      if (isSlug(path)) return path[0] ?? "";
      let parent: string | undefined;
      for (const title of namesIn(path)) parent = (find(parent, title) ?? add(parent, title)).slug;
      return parent ?? "";
    },
  };
}

const sameName = (one: string, other: string): boolean =>
  one.normalize("NFC").toLowerCase() === other.normalize("NFC").toLowerCase();

const defaultTitle = (locale: string): string => (locale.startsWith("de") ? "Weitere Produkte" : "More products");

/** A category's file. Its summary is a start: editors write a better one. */
export function writeCategory({ title, parent, order }: NewCategory, shop: string): string {
  const summary = shorten(`${title} – ${shop}`, 160);
  const fields = { title, summary, order, ...(parent !== undefined && { parent }) };
  return `---\n${stringify(fields, { lineWidth: 0 })}---\n`;
}
