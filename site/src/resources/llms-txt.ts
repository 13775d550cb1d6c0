import { absoluteUrl, markdownPath } from "../paths.ts";
import type { ListedPage, SiteIndex } from "./listed-page.ts";

type Shop = { name: string; description: string; base_url: string; sales_email: string };

/**
 * Writes llms.txt in the reference grammar of llmstxt.org: H1, a quote of one line, paragraphs, then H2 sections that
 * hold nothing but `- [name](url): notes`. Its reference parser crashes on anything else, and on a `]` in a name.
 */
export function writeLlmsTxt(shop: Shop, site: SiteIndex): string {
  const list = (pages: readonly ListedPage[]) =>
    pages.map(({ path, title, summary }) => link(title, absoluteUrl(markdownPath(path), shop.base_url), summary));
  const sections: [string, string[]][] = [
    ["Pages", list(site.pages)],
    ...site.categories.map(({ title, pages, products }): [string, string[]] => [
      `Products: ${oneLine(title)}`,
      list([...pages, ...products]),
    ]),
    ["Guides", list(site.guides)],
    [
      "Machine-readable resources",
      resources.map(([path, name, notes]) => link(name, `${shop.base_url}${path}`, notes)),
    ],
  ];
  return [
    `# ${oneLine(shop.name)}`,
    `> ${oneLine(shop.description)}`,
    ...access(shop),
    ...sections.map(([title, links]) => `## ${title}\n\n${links.join("\n")}`),
    "",
  ]
    .join("\n\n")
    .trimEnd()
    .concat("\n");
}

const resources = [
  ["/products.json", "Product feed", "the whole catalogue as JSON: identifiers, prices, availability, specifications"],
  ["/openapi.json", "API description", "OpenAPI 3.0.3 of the partner API and of these resources"],
  ["/api/erp/status", "ERP status", "whether the partner API and its webhook are configured; public"],
  ["/sitemap.xml", "Sitemap", "every page with the day of its last change"],
  ["/robots.txt", "Crawl rules", "what crawlers may fetch, by purpose"],
] as const;

const access = ({ base_url, sales_email }: Shop): string[] => [
  `Public, without an account: every page and resource listed here. A page has one URL, such as ${base_url}/developers, with two faces: HTML for browsers, and Markdown for a request with \`Accept: text/markdown\` or for the URL with \`.md\` at its end, as linked below.`,
  `With a partner token: the ERP partner API, whose paths are in ${base_url}/openapi.json. The token goes into \`Authorization: Bearer\` or \`X-Ecom-Api-Token\`. Partners ask for one by writing to ${sales_email}; there is no public sign-up, no sandbox, no command-line tool and no MCP server.`,
  "Private and not for agents: the CMS admin API, the tool endpoints of the messaging assistant, and the customers' cart, checkout and order pages, which belong to a visitor's session.",
];

// The reference parser ends a name at the first `]`, escaped or not, and a URL at the first `)`.
const link = (name: string, url: string, notes: string) =>
  `- [${oneLine(name).replaceAll("[", "(").replaceAll("]", ")")}](${url.replaceAll("(", "%28").replaceAll(")", "%29")}): ${oneLine(notes)}`;

const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();
