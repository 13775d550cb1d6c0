/** As much of Pagefind's answer as is shown. */
export interface Result {
  url: string;
  /** HTML: escaped text with `<mark>`. */
  excerpt: string;
  /** `versions` are a product's, each in a line, with ` | ` between them. */
  meta: { title: string; summary?: string; price?: string; versions?: string };
}

interface Pagefind {
  search: (query: string) => Promise<{ results: { data: () => Promise<Result> }[] }>;
}

let loading: Promise<Pagefind> | undefined;

/** The index that the build made: 60 kB, so it is asked for when somebody searches. A failed attempt may be repeated. */
export function loadIndex(): Promise<Pagefind> {
  // In a variable, so that Vite doesn't look for what is made after it.
  const path = "/pagefind/pagefind.js";
  loading ??= import(/* @vite-ignore */ path).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}
