import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

interface Seen {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingHttpHeaders;
  bytes: number;
}

/** Stands in for site/admin/: notes what reaches it and answers with one word, which may be kept if the path says so. */
export async function startAdmin() {
  const folder = mkdtempSync(join(tmpdir(), "twinfront-admin-"));
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    let bytes = 0;
    for await (const chunk of request) bytes += chunk.length;
    seen.push({ method: request.method, url: request.url, headers: request.headers, bytes });
    if (request.url?.includes("kept")) response.setHeader("Cache-Control", "private, max-age=31536000, immutable");
    response.setHeader("Content-Type", "text/html").end("written");
  });
  const socket = join(folder, "admin.sock");
  await once(server.listen(socket), "listening");
  onTestFinished(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { socket, seen, stop: () => void server.close() };
}
