import { absoluteUrl, disallowedPaths, llmsPath, sitemapPath } from "../../urls/paths.ts";
import type { english } from "../../words/languages.ts";
import type { Spoken } from "../../words/spoken.ts";

type RobotsWords = Spoken<(typeof english.pages)["robots"]>;

/** The named crawlers by purpose, with the tokens that their operators publish. */
export const crawlers = {
  onRequest: [
    "ChatGPT-User",
    "Claude-User",
    "Perplexity-User",
    "MistralAI-User",
    "DuckAssistBot",
    "Google-Agent",
    "meta-externalfetcher",
    "Amzn-User",
  ],
  search: ["OAI-SearchBot", "Claude-SearchBot", "PerplexityBot", "Amzn-SearchBot", "Applebot"],
  training: [
    "GPTBot",
    "ClaudeBot",
    "CCBot",
    "Google-Extended",
    "Applebot-Extended",
    "meta-externalagent",
    "Bytespider",
    "Amazonbot",
  ],
} as const;

const rules = [
  "Content-Signal: search=yes, ai-input=yes, ai-train=yes",
  "Allow: /",
  "Allow: /api/erp/status",
  ...disallowedPaths.map((path) => `Disallow: ${path}`),
];

/**
 * Writes robots.txt (RFC 9309). A crawler with a group of its own ignores the one for `*` (2.2.1), so each group repeats
 * the same rules. The longest matching rule wins (2.2.2), so `Allow: /` doesn't override the others.
 */
export function writeRobotsTxt(baseUrl: string, words: RobotsWords): string {
  const group = (title: string, agents: readonly string[]) =>
    [`# ${title}`, ...agents.map((agent) => `User-agent: ${agent}`), ...rules, ""].join("\n");
  return [
    `# ${words.begin({ llms: absoluteUrl(llmsPath, baseUrl) })}\n`,
    group(words.everyone, ["*"]),
    group(words.onRequest, crawlers.onRequest),
    group(words.search, crawlers.search),
    group(words.training, crawlers.training),
    `Sitemap: ${absoluteUrl(sitemapPath, baseUrl)}\n`,
  ].join("\n");
}
