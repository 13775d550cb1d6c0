/** A measured request, as its client sends it. */
export interface Request {
  what: string;
  face: "html" | "md";
  headers: Record<string, string>;
}

/** A product page of ordinary length. */
export const PAGE = "/products/tavrel-pip";

export const CHROME: Request = {
  what: "HTML for Chrome",
  face: "html",
  headers: {
    Accept:
      "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7",
    "Accept-Encoding": "gzip, deflate, br, zstd",
    "User-Agent":
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
  },
};

export const CLAUDE_CODE: Request = {
  what: "Markdown for Claude Code",
  face: "md",
  headers: {
    Accept: "text/markdown, text/html, */*",
    "Accept-Encoding": "gzip, compress, deflate, br",
    "User-Agent": "axios/1.8.4",
  },
};

export const GEMINI_CLI: Request = {
  what: "Markdown for Gemini CLI",
  face: "md",
  headers: {
    Accept:
      "text/markdown, text/plain;q=0.9, application/json;q=0.9, text/html;q=0.8, application/pdf;q=0.7, video/*;q=0.7, */*;q=0.5",
    "Accept-Encoding": "br, gzip, deflate",
    "User-Agent": "node",
  },
};

export const ANYTHING: Request = {
  what: "HTML for */*",
  face: "html",
  headers: { Accept: "*/*", "Accept-Encoding": "br, gzip, deflate", "User-Agent": "node" },
};

/** A header that the map of nginx/conf/negotiation.conf leaves to the njs function. */
export const PARSED_ACCEPT: Request = {
  what: "Markdown by the function",
  face: "md",
  headers: {
    Accept: "text/markdown;q=0.9, text/html;q=0.8",
    "Accept-Encoding": "br, gzip, deflate",
    "User-Agent": "node",
  },
};

/** A browser that already has the page with this ETag. */
export const unchanged = (etag: string): Request => ({
  what: "Unchanged HTML (304)",
  face: "html",
  headers: { ...CHROME.headers, "If-None-Match": etag },
});
