export type LlmsTxt = {
  title: string;
  summary: string | undefined;
  info: string;
  sections: Record<string, { title: string; url: string; desc: string | undefined }[]>;
};

/**
 * The reference parser of llmstxt.org, ported line by line from llms_txt/miniparse.py in AnswerDotAI/llms-txt. Throws
 * where the original crashes.
 */
export function parseLlmsTxt(text: string): LlmsTxt {
  const [start = "", ...rest] = text.split(/^##\s*(.*?$)/m);
  const sections: LlmsTxt["sections"] = {};
  for (let index = 0; index + 1 < rest.length; index += 2)
    sections[rest[index] ?? ""] = parseLinks(rest[index + 1] ?? "");
  const head = /^#\s*(?<title>.+?$)\n+(?:^>\s*(?<summary>.+?$)$)?\n+(?<info>.*)/ms.exec(start.trim());
  if (!head?.groups) throw new Error("no title and text");
  const { title = "", summary, info = "" } = head.groups;
  return { title, summary, info, sections };
}

function parseLinks(links: string): LlmsTxt["sections"][string] {
  const lines = links
    .trim()
    .split(/\n+/)
    .filter((line) => line.trim());
  return lines.map((line) => {
    const link = /-\s*\[(?<title>[^\]]+)\]\((?<url>[^)]+)\)(?::\s*(?<desc>.*))?/.exec(line);
    if (!link?.groups) throw new Error(`no link: ${line}`);
    const { title = "", url = "", desc } = link.groups;
    return { title, url, desc };
  });
}
