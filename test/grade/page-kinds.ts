/** Kinds of page, in the order of the table. */
export const KINDS = [
  "home",
  "search",
  "category",
  "compare",
  "product",
  "guides",
  "guide",
  "text",
  "developers",
] as const;

export type PageKind = (typeof KINDS)[number];

/** What kind of page an address leads to, told by its path. */
export function kindOf(url: string): PageKind {
  const { pathname } = new URL(url);
  if (pathname === "/") return "home";
  if (pathname === "/search") return "search";
  if (/^\/categories\/[^/]+\/compare$/.test(pathname)) return "compare";
  if (pathname.startsWith("/categories/")) return "category";
  if (pathname.startsWith("/products/")) return "product";
  if (pathname === "/guides") return "guides";
  if (pathname.startsWith("/guides/")) return "guide";
  return /^\/developers(-|$)/.test(pathname) ? "developers" : "text";
}
