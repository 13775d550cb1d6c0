// Every URL of the site has one function or constant here. Paths have no trailing slash, pages no extension.

export const homePath = "/";
export const guidesPath = "/guides";
export const searchPath = "/search";
export const llmsPath = "/llms.txt";
export const llmsFullPath = "/llms-full.txt";
export const sitemapPath = "/sitemap.xml";
export const robotsPath = "/robots.txt";
export const openapiPath = "/openapi.json";
export const productFeedPath = "/products.json";
export const merchantFeedPath = "/merchant-feed.xml";
export const apiCatalogPath = "/.well-known/api-catalog";
export const securityTxtPath = "/.well-known/security.txt";

/** Paths that no crawler should fetch: private, with a token, or a second address of the same page. */
export const disallowedPaths = [
  "/admin",
  "/cart",
  "/checkout",
  "/account",
  "/api/admin",
  "/api/assistant",
  "/api/orders",
  "/api/products",
  "/api/erp/orders",
  "/index.php/",
] as const;

/** `/products/kestrel-c2` */
export const productPath = (slug: string): string => `/products/${slug}`;

/** `/documents/kestrel-c2/quick-start.pdf`: a file of a product. */
export const documentPath = (slug: string, file: string): string => `/documents/${slug}/${file}`;

/**
 * `/products/kestrel-c2?sku=KES-C2-BK`: a product's page with one of its versions chosen, which the API answers. All but
 * letters, digits and `-._~` is percent-encoded, so that it can stand in Markdown.
 */
export const versionPath = (slug: string, sku: string): string =>
  `${productPath(slug)}?sku=${encodeURIComponent(sku).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)}`;

/** `/categories/pos-terminals`, and `/categories/pos-terminals/page/2` from the second page on. */
export const categoryPath = (slug: string, page = 1): string => `/categories/${slug}${page > 1 ? `/page/${page}` : ""}`;

/** `/categories/pos-terminals/compare`: the products of a page of the category, side by side. */
export const comparePath = (slug: string, page = 1): string => `${categoryPath(slug, page)}/compare`;

/** `/guides/choosing-a-scanner` */
export const guidePath = (slug: string): string => `${guidesPath}/${slug}`;

/** The basket, which the API shows. Forms on product pages are sent to `basketLinesPath`. */
export const basketPath = "/cart";
export const basketLinesPath = "/cart/lines";
/** “Build your counter”, which the API shows. */
export const counterPath = "/counter";
/** The same with a version chosen. */
export const counterWithPath = (sku: string): string => `${counterPath}?chosen=${encodeURIComponent(sku)}`;
/** Where customers find their order by number and email. */
export const findOrderPath = "/account/find";

/**
 * `/buy/TAV-T40-BK:1`: a link to order pieces of a version. A SKU with other characters than letters, digits and `._-`
 * is written as `~` and its base64url, as the API reads it (UCP's permalinks for carts).
 */
export const buyPath = (sku: string, pieces: number): string =>
  `/buy/${/^[\w.-]+$/.test(sku) ? sku : `~${Buffer.from(sku).toString("base64url")}`}:${pieces}`;

/** `/about`; the page `home` is the site's root. */
export const pagePath = (slug: string): string => (slug === "home" ? homePath : `/${slug}`);

/** The path of a page's Markdown face: `/products/kestrel-c2.md`; `/index.md` for the home page. */
export const markdownPath = (path: string): string => (path === homePath ? "/index.md" : `${path}.md`);

/** `/llms/guides.txt`: a list that a long llms.txt links to. */
export const llmsListPath = (name: string): string => `/llms/${name}.txt`;

/** `/sitemaps/1.xml`: a part of the sitemap of a large shop, counted from 1. */
export const sitemapPartPath = (part: number): string => `/sitemaps/${part}.xml`;

/**
 * `tel:+441134960123` for `+44 (0)113 496 0123`: the (0) is dialled only within the country and isn't part of an
 * international number (ITU-T E.123, 7.2; RFC 3966, 5.1.4).
 */
export const telephoneUrl = (phone: string): string =>
  `tel:${phone.replace(/^(\+|00)([^(]*)\(\s*0\s*\)/, "$1$2").replaceAll(/[^+\d]/g, "")}`;

/** Makes names into unique names for URLs that aren't in `taken`. Keeps letters of every script. */
export function urlNames(names: readonly string[], taken: readonly string[] = []): string[] {
  const used = new Set(["", ...taken]);
  return names.map((name) => {
    const words = name.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
    let id = words.join("-");
    for (let count = 2; used.has(id); count += 1) id = [...words, count].join("-");
    used.add(id);
    return id;
  });
}

/** A path as the shop's are written: a link may have letters beyond ASCII percent-encoded, or their accents apart. */
export function readPath(path: string): string {
  try {
    return decodeURI(path).normalize("NFC");
  } catch {
    return path;
  }
}

/** `absoluteUrl("/about", "https://shop.example")` is `https://shop.example/about`; the root keeps its slash. */
export const absoluteUrl = (path: string, baseUrl: string): string => new URL(path, baseUrl).href;

/** A link to a page: its title and path. */
export interface Crumb {
  title: string;
  path: string;
}
