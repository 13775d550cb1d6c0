import {
  absoluteUrl,
  apiCatalogPath,
  llmsFullPath,
  llmsPath,
  merchantFeedPath,
  openapiPath,
  pagePath,
  productFeedPath,
  robotsPath,
  searchPath,
  sitemapPath,
} from "../../urls/paths.ts";
import { type Link, writeLlms, writeSection } from "./llms-grammar.ts";
import { fewSectionsOf, type LlmsWords, maxBytes, moveIntoLists, type Section, sectionsOf } from "./llms-sections.ts";
import type { ResourceFile, SiteIndex } from "./site-pages.ts";

type Shop = { name: string; description: string; base_url: string; sales_email: string };

/**
 * Writes llms.txt and, if it would have 50,000 bytes or more, lists below /llms/ with its largest sections. Every page is in exactly
 * one of the files. The first file is llms.txt.
 *
 * If the categories alone would fill it, all products are in one section. Lists of lists, which agents that follow only one link
 * don't reach, begin at about 60,000 products.
 */
export function writeLlmsTxt(
  shop: Shop,
  site: SiteIndex,
  { llms }: { llms: LlmsWords },
): [ResourceFile, ...ResourceFile[]] {
  const about = access(shop, site, llms);
  let fitted = fit(sectionsOf(site, llms), shop, about, llms);
  if (fitted.bytes > maxBytes) fitted = fit(fewSectionsOf(site, llms), shop, about, llms);
  const lists = fitted.lists;
  while (fitted.bytes > maxBytes) {
    fitted = fit(fitted.sections, shop, about, llms);
    lists.push(...fitted.lists);
  }
  return [{ path: llmsPath, text: writeRoot(shop, about, fitted.sections, llms) }, ...lists];
}

type Fitted = { sections: Section[]; lists: ResourceFile[]; bytes: number };

/** Moves sections into lists, largest first, each once, until the rest fits into one file or all have moved. */
function fit(all: readonly Section[], shop: Shop, about: readonly string[], words: LlmsWords): Fitted {
  const sections = [...all];
  const lists: ResourceFile[] = [];
  const bytesOf = (section: Section) => Buffer.byteLength(writeLinks(section, shop)) + 2;
  let bytes = Buffer.byteLength(writeRoot(shop, about, [], words));
  const bySize = sections.map((section, index) => ({ section, index, size: bytesOf(section) }));
  for (const { size } of bySize) bytes += size;
  for (const { section, index, size } of bySize.sort((a, b) => b.size - a.size)) {
    if (bytes <= maxBytes) break;
    if (section.items.length < 2) continue;
    const moved = moveIntoLists(section, shop, words);
    bytes += bytesOf(moved.section) - size;
    sections[index] = moved.section;
    lists.push(...moved.lists);
  }
  return { sections, lists, bytes };
}

const writeLinks = ({ heading, overviews, items }: Section, { base_url }: Shop) =>
  writeSection(heading, [...overviews, ...items], base_url);

function writeRoot(shop: Shop, about: readonly string[], sections: readonly Section[], words: LlmsWords): string {
  return writeLlms(shop.name, shop.description, about, [
    ...sections.map((section) => writeLinks(section, shop)),
    writeSection(words.resources, resources(words), shop.base_url),
  ]);
}

// Only these: afdocs wants nine of ten links to lead to Markdown (llms-txt-links-markdown). The text above mentions the others.
const resources = (words: LlmsWords): Link[] => [
  { path: productFeedPath, ...words.productFeed },
  { path: openapiPath, ...words.openapi },
  { path: llmsFullPath, ...words.llmsFull },
  { path: sitemapPath, ...words.sitemap },
  { path: robotsPath, ...words.robots },
];

/** What is public, what needs a token and what is private, as paragraphs. */
function access(
  { base_url, sales_email }: Shop,
  { buyPath, counterPath, taxName }: SiteIndex,
  words: LlmsWords,
): string[] {
  const url = (path: string) => absoluteUrl(path, base_url);
  return [
    words.public({
      merchantFeed: url(merchantFeedPath),
      example: url(pagePath("developers")),
      search: url(searchPath),
    }),
    ...(taxName ? [words.prices({ tax: taxName })] : []),
    ...(buyPath ? [words.buy({ example: url(buyPath), count: Number(/\d+$/.exec(buyPath)) })] : []),
    ...(counterPath ? [words.counter({ counter: url(counterPath) })] : []),
    words.token({
      openapi: url(openapiPath),
      apiCatalog: url(apiCatalogPath),
      status: url("/api/erp/status"),
      email: sales_email,
    }),
    words.private,
  ];
}
