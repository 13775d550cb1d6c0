import type { IncomingMessage, ServerResponse } from "node:http";
import { pageToMarkdown } from "./page-to-markdown.ts";

/**
 * Dev server middleware: `GET /x.md` fetches the server's own `/x` and answers its Markdown with the same status, so that a
 * missing page is 404 in both faces. A page that can't be converted answers 500 with the reason.
 */
export function markdownMiddleware(origin: string) {
  return (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    const path = request.url?.split("?")[0] ?? "";
    // Vite serves modules from these paths.
    const isPage = /^\/(?!@|src\/|node_modules\/).*\.md$/.test(path);
    if (!isPage || (request.method !== "GET" && request.method !== "HEAD")) {
      next();
      return;
    }
    const page = new URL(path === "/index.md" ? "/" : path.slice(0, -".md".length), ownAddress(request));
    answer(page, origin).then(
      ({ status, text, type }) => {
        response.writeHead(status, { "content-type": `${type}; charset=utf-8`, "cache-control": "no-store" });
        response.end(text);
      },
      (error: unknown) => {
        response.writeHead(500, { "content-type": "text/plain; charset=utf-8" });
        response.end(`${path}: ${error instanceof Error ? error.message : String(error)}\n`);
      },
    );
  };
}

/** The dev server's own address, without a trailing slash. */
export function ownAddress({ socket }: IncomingMessage): string {
  const address = socket.localAddress ?? "127.0.0.1";
  return `http://${socket.localFamily === "IPv6" ? `[${address}]` : address}:${socket.localPort}`;
}

async function answer(page: URL, origin: string): Promise<{ status: number; text: string; type: string }> {
  const { status, html } = await fetch(page, { headers: { accept: "text/html" }, redirect: "follow" }).then(
    async (reply) => ({ status: reply.status, html: await reply.text() }),
  );
  if (status >= 500) return { status, text: html, type: "text/html" };
  const text = pageToMarkdown(html, origin);
  if (text === undefined) throw new Error("the page only redirects");
  return { status, text, type: "text/markdown" };
}
