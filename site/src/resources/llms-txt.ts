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
  sitemapPath,
} from "../paths.ts";
import type { SiteIndex } from "./listed-page.ts";
import { writeLlms, writeSection } from "./llms-grammar.ts";
import { mostBytes, moveIntoLists } from "./llms-lists.ts";
import { fewSectionsOf, type Section, sectionsOf } from "./llms-sections.ts";
import type { ResourceFile } from "./resource-file.ts";

type Shop = { name: string; description: string; base_url: string; sales_email: string };

/**
 * Writes llms.txt, and below /llms/ the lists into which its largest sections move when it would have 50,000 bytes or more.
 * Every page stands in one of the files, once. The first one is llms.txt.
 *
 * A shop whose categories alone would fill it has one section for all products. Lists of lists begin at about 60,000
 * products: some agents follow llms.txt one step only.
 */
export function writeLlmsTxt(shop: Shop, site: SiteIndex): [ResourceFile, ...ResourceFile[]] {
  let fitted = fit(sectionsOf(site), shop);
  if (fitted.bytes > mostBytes) fitted = fit(fewSectionsOf(site), shop);
  const lists = fitted.lists;
  while (fitted.bytes > mostBytes) {
    fitted = fit(fitted.sections, shop);
    lists.push(...fitted.lists);
  }
  return [{ path: llmsPath, text: writeRoot(shop, fitted.sections) }, ...lists];
}

type Fitted = { sections: Section[]; lists: ResourceFile[]; bytes: number };

/** Moves sections into lists, the largest first, each once, until the rest fits into one file or there is none left. */
function fit(all: readonly Section[], shop: Shop): Fitted {
  const sections = [...all];
  const lists: ResourceFile[] = [];
  const bytesOf = (section: Section) => Buffer.byteLength(writeLinks(section, shop)) + 2;
  let bytes = Buffer.byteLength(writeRoot(shop, []));
  const bySize = sections.map((section, index) => ({ section, index, size: bytesOf(section) }));
  for (const { size } of bySize) bytes += size;
  for (const { section, index, size } of bySize.sort((a, b) => b.size - a.size)) {
    if (bytes <= mostBytes) break;
    if (section.items.length < 2) continue;
    const moved = moveIntoLists(section, shop);
    bytes += bytesOf(moved.section) - size;
    sections[index] = moved.section;
    lists.push(...moved.lists);
  }
  return { sections, lists, bytes };
}

const writeLinks = ({ heading, overviews, items }: Section, { base_url }: Shop) =>
  writeSection(heading, [...overviews, ...items], base_url);

function writeRoot(shop: Shop, sections: readonly Section[]): string {
  return writeLlms(shop.name, shop.description, access(shop), [
    ...sections.map((section) => writeLinks(section, shop)),
    writeSection("Machine-readable resources", resources, shop.base_url),
  ]);
}

// No more than these: graders want nine of ten links to lead to Markdown (afdocs, llms-txt-links-markdown), as they do
// while all pages are linked here; the lists of a large shop are links to text. What else there is stands in the text above.
const resources = [
  [productFeedPath, "Product feed", "the whole catalogue as JSON: identifiers, prices, availability, specifications"],
  [
    openapiPath,
    "API description",
    "OpenAPI 3.0.3 of the partner API, the product feed, llms.txt, robots.txt and the sitemap",
  ],
  [llmsFullPath, "All pages in full", "the Markdown of every page listed here, in one file"],
  [sitemapPath, "Sitemap", "every page with the day of its last change"],
  [robotsPath, "Crawl rules", "what crawlers may fetch, by purpose"],
].map(([path = "", title = "", notes = ""]) => ({ path, title, notes }));

const access = ({ base_url, sales_email }: Shop): string[] => [
  `Public, without an account: every page and resource listed here, and ${absoluteUrl(merchantFeedPath, base_url)}, which has every variant as Google Merchant Center reads it. A page has one URL, such as ${absoluteUrl(pagePath("developers"), base_url)}, with two faces: HTML for browsers, and Markdown for a request with \`Accept: text/markdown\` or for the URL with \`.md\` at its end, as linked below.`,
  `With a partner token: the ERP partner API, whose paths are in ${absoluteUrl(openapiPath, base_url)}; ${absoluteUrl(apiCatalogPath, base_url)} (RFC 9727) leads there too, and ${base_url}/api/erp/status says to everybody whether it is configured. The token goes into \`Authorization: Bearer\` or \`X-Ecom-Api-Token\`. Partners ask for one by writing to ${sales_email}; there is no public sign-up, no sandbox, no command-line tool and no MCP server.`,
  "Private and not for agents: the CMS admin API, the tool endpoints of the messaging assistant, and the customers' cart, checkout and order pages, which belong to a visitor's session.",
];
