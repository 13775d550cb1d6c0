import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { markdownMiddleware } from "../../../site/markdown-face/dev-middleware.ts";

const page = (main: string) => `<html><head><title>A</title></head><body><main>${main}</main></body></html>`;

/** Starts a dev server with these pages, by path. Returns its address. */
async function serve(pages: Record<string, string>): Promise<string> {
  const middleware = markdownMiddleware("https://shop.example");
  const server = createServer((request, response) =>
    middleware(request, response, () => {
      const html = pages[request.url ?? ""];
      response.writeHead(html ? 200 : 404, { "content-type": "text/html" });
      response.end(html ?? page("<h1>Gone</h1>Not here."));
    }),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
  });
  const address = server.address();
  const isTcp = (value: typeof address): value is AddressInfo => typeof value === "object" && value !== null;
  if (!isTcp(address)) throw new Error("no port");
  return `http://127.0.0.1:${address.port}`;
}

test("a page's .md URL returns its Markdown, and /index.md returns that of the home page", async () => {
  const url = await serve({ "/": page("<h1>Home</h1>a"), "/products/a": page("<h1>A</h1>b") });
  for (const [path, title] of [
    ["/index.md", "# Home"],
    ["/products/a.md?x=1", "# A"],
  ] as const) {
    const answer = await fetch(`${url}${path}`);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/markdown; charset=utf-8"]);
    expect(await answer.text()).toContain(title);
  }
});

test("the Markdown of a missing page is also a 404", async () => {
  const answer = await fetch(`${await serve({})}/nothing.md`);
  expect(answer.status).toBe(404);
  expect(await answer.text()).toContain("# Gone");
});

test("a page that can't be converted returns the reason", async () => {
  const answer = await fetch(`${await serve({ "/a": page("<p>no title</p>") })}/a.md`);
  expect([answer.status, await answer.text()]).toEqual([500, "/a.md: it has no <h1> with text in it\n"]);
});

test("other addresses are passed to the dev server", async () => {
  const url = await serve({ "/@fs/content/a.md": "module", "/src/a.md": "module", "/a": "page" });
  for (const path of ["/@fs/content/a.md", "/src/a.md", "/a"]) {
    expect((await fetch(`${url}${path}`)).headers.get("content-type")).toBe("text/html");
  }
});
