import type { z } from "astro/zod";
import type { ContentFiles, PageFile } from "../../content-check/content-files.ts";
import { slugPattern, slugProblem } from "../../content-schema/fields.ts";
import { reservedSlugs } from "../../content-schema/page.ts";

/** Why a schema refuses a field's value: its own message, without what it says of the other fields. */
export function fieldProblem(schema: z.ZodType, field: string, value: string): string | undefined {
  const issues = schema.safeParse({ [field]: value || undefined }).error?.issues ?? [];
  return issues.find(({ path }) => path.length === 1 && path[0] === field)?.message;
}

/** Why an identifier can't be used: another product has it, or a SKU that differs from it in capitals only. */
export function useProblem(field: "sku" | "gtin", value: string, pages: readonly PageFile[]): string | undefined {
  for (const { file, text } of pages)
    for (const [, name, found = ""] of text.matchAll(/^[\s-]*(\w+): *["']?(.*?)["']? *$/gm)) {
      if (name !== field || found.toLowerCase() !== value.toLowerCase()) continue;
      if (found === value) return `${value} is also in ${file}; use it once.`;
      return `${value} differs from ${found} in ${file} in capitals only. Many ERPs treat them as the same. Choose another.`;
    }
  return undefined;
}

/** Why a file can't have this name. */
export function nameProblem(slug: string, kind: PageFile["kind"], { pages }: ContentFiles): string | undefined {
  if (!slugPattern.test(slug)) return slugProblem(slug);
  if (kind === "page" && reservedSlugs.includes(slug)) return `${slug} can't be: the shop itself answers there.`;
  const other = pages.find((page) => page.kind === kind && page.slug === slug);
  return other && `${other.file} is there already. Choose another name.`;
}

/** A title as part of an address: `Café 10, black` is `cafe-10-black`. */
export const slugOf = (title: string): string =>
  title
    .normalize("NFKD")
    .replace(/\p{M}|['’]/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
