// `node on-the-fly.ts DIST PORT`: HTML from files, and Markdown converted from it for each request with turndown.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import turndown from "turndown";
import { gfm } from "turndown-plugin-gfm";

const [dist = "", port] = process.argv.slice(2);
const converter = new turndown({ headingStyle: "atx", codeBlockStyle: "fenced" }).use(gfm);
const pages = new Map<string, string>();

/** A page's HTML, kept in memory so that only the conversion is measured. */
function readPage(path: string): string {
  const html = pages.get(path) ?? readFileSync(join(dist, `${path}.html`), "utf8");
  pages.set(path, html);
  return html;
}

const server = createServer((request, response) => {
  const html = readPage(request.url ?? "/");
  if (!request.headers.accept?.startsWith("text/markdown")) {
    response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(html);
    return;
  }
  const main = /<main[\s\S]*<\/main>/.exec(html)?.[0] ?? "";
  response.writeHead(200, { "Content-Type": "text/markdown; charset=utf-8" }).end(converter.turndown(main));
});
server.listen(Number(port), "127.0.0.1");
